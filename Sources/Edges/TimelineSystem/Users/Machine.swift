internal import Glibc

/// Facts about the machine, and operations on files as a whole.
package enum Machine {
  /// The kernel's identifier of the current boot, different after each start; `nil` if it is not available.
  package static var bootIdentity: String? {
    guard let contents = try? FileContents.read("/proc/sys/kernel/random/boot_id", limit: 64) else {
      return nil
    }
    let text = String(decoding: contents.bytes.prefix { $0 != 0x0A }, as: UTF8.self)
    return text.isEmpty ? nil : text
  }

  /// Name of the host in the kernel; `localhost` if it cannot be read.
  package static var hostName: String {
    guard let contents = try? FileContents.read("/proc/sys/kernel/hostname", limit: 256) else {
      return "localhost"
    }
    return String(decoding: contents.bytes.prefix { $0 != 0x0A }, as: UTF8.self)
  }

  /// A number that is specific to this machine and stable over restarts: a hash of `/etc/machine-id`; 0 if there is none.
  ///
  /// The identity itself is confidential (machine-id(5)); the hash is never shown.
  package static var seed: UInt64 {
    guard let contents = try? FileContents.read("/etc/machine-id", limit: 64) else { return 0 }
    let text = contents.bytes.prefix { $0 != 0x0A }
    guard !text.isEmpty else { return 0 }
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in Array("timelined".utf8) + text { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    return hash
  }

  /// Renames a file, and replaces a file with the new name. A missing file is no error. The C function is `rename`.
  package static func rename(_ path: String, to other: String) throws(SystemError) {
    do {
      try SystemCall.check("rename", about: path) { unsafe Glibc.rename(path, other) }
    } catch {
      if error.code != ENOENT { throw error }
    }
  }
}
