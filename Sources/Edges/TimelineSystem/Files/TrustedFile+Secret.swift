// Secrets in files: trusted, and read by their owner only.
extension TrustedFile {
  /// Returns the bytes of the secret at `path`, which is absolute or relative to the current directory. The file must be trusted
  /// and have at most `limit` bytes. Only root and this process's user may have the right to read it.
  package static func secret(at path: String, limit: Int) throws(TrustedFileFault) -> [UInt8] {
    let file = try trusted(CurrentProcess.absolutePath(path))
    guard !file.isReadByOthers else {
      throw TrustedFileFault(
        "others may read \(path): its mode is 0\(String(file.facts.mode & 0o7777, radix: 8))",
        "run chmod 600 \(path), and put another secret into it")
    }
    return try file.contents(of: path, limit: limit)
  }

  /// Whether users other than root and this process's user may read the file: by its mode, or by an access list.
  ///
  /// systemd lets a service read its credentials through an access list that names only the service's user.
  package var isReadByOthers: Bool {
    if facts.mode & 0o004 != 0 { return true }
    guard facts.mode & 0o040 != 0 else { return false }
    guard let list = AccessList(ofFileAt: path) else { return !facts.isInOwnersPrivateGroup }
    return list.gives(.reading, toOthersThan: CurrentProcess.effectiveUser)
      || list.givesToOwningGroup(.reading) && !facts.isInOwnersPrivateGroup
  }
}
