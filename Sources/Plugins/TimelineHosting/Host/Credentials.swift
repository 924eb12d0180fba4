internal import TimelineCore
internal import TimelineSystem
internal import TimelineWire

/// Copies the credential files of a job to a directory that only its runs and root can read.
///
/// The directory belongs to this host alone and is named by `$CREDENTIALS_DIRECTORY`, as in systemd. The daemon chooses its
/// place, on a file system in memory by default. A host with credentials serves one run. The daemon removes the directory
/// after that run, however the run ends.
enum Credentials {
  /// Makes the directory and returns its path; `nil` when the job has no credentials.
  static func place(_ request: LoadRequest, for user: UserRecord?) throws(Refusal) -> String? {
    let files = request.setup.credentials
    guard !files.isEmpty else { return nil }
    guard let path = request.credentialsDirectory else {
      throw Refusal(
        file: request.path, reason: "its job has credentials, and there is no directory to put them in",
        remedy:
          "run the job in timelined, which makes one beside its control socket; if it cannot, look at who owns what is there"
      )
    }
    let owner = user?.user ?? CurrentProcess.effectiveUser
    let group = user?.group ?? CurrentProcess.effectiveGroup
    // The files are read before the directory is made, so that a refusal leaves no files behind.
    var contents: [(name: String, bytes: [UInt8])] = []
    var rest = JobLimits.credentialBytesMax
    for (name, file) in files.sorted(on: \.key) {
      let bytes = try read(file, name, request)
      rest -= bytes.count
      guard rest >= 0 else {
        throw Refusal(
          file: request.path,
          reason: "its job's credentials have more than \(JobLimits.credentialBytesMax) bytes in all",
          remedy: "give keys and tokens as credentials, and let the job read larger files itself")
      }
      contents.append((name, bytes))
    }
    do {
      let directory = try PrivateDirectory(at: path)
      for (name, bytes) in contents { try directory.add(name, bytes, user: owner, group: group) }
      return try directory.seal(group: group)
    } catch {
      throw Refusal(
        file: request.path, reason: "its job's credentials cannot be put into \(path): \(error)",
        remedy: "look at that directory, and at who timelined runs as")
    }
  }

  private static func read(_ file: String, _ name: String, _ request: LoadRequest) throws(Refusal) -> [UInt8]
  {
    guard !name.isEmpty, name != ".", name != "..", name.utf8.count <= 255,
      !name.utf8.contains(where: { $0 == 0x2F || $0 == 0 })
    else {
      throw Refusal(
        file: request.path, reason: "its job names a credential \"\(name)\", which is no name of a file",
        remedy: "give it a name without a slash")
    }
    do throws(TrustedFileFault) {
      return try TrustedFile.contents(of: file, limit: JobLimits.credentialBytesMax)
    } catch {
      throw Refusal(
        file: request.path, reason: "its job's credential \"\(name)\" is not given: \(error.reason)",
        remedy: error.remedy)
    }
  }
}
