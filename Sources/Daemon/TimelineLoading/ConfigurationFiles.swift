package import TimelineConfiguration
package import TimelineSystem

/// The files of a configuration: the main file, then `jobs.d/*.toml` beside it, sorted by name.
package struct ConfigurationFiles: Sendable {
  package private(set) var sources: [ConfigurationSource] = []
  /// Files, and directories and links on the paths to the files, that users other than root and this process's user
  /// can change. These users could control what runs with this process's rights.
  package private(set) var untrusted: [ConfigurationFileError] = []

  /// Reads the main file at `path` and the files of `jobs.d`, and determines which users can change each file.
  package init(at path: String) throws(ConfigurationFileError) {
    let directory = path.parentDirectory
    do throws(ConfigurationFileError) {
      try judge(directory: directory)
    } catch .system(var error) where error.isMissing {
      // The error names the path as it was given.
      error.subject = path
      throw .system(error)
    }
    try add(path)

    let jobsDirectory = path.contains("/") ? directory.appending(fileName: "jobs.d") : "jobs.d"
    let names: [String]
    do {
      names = try DirectoryListing.names(in: jobsDirectory)
    } catch {
      if Self.isAbsent(jobsDirectory) { return }
      var error = error
      if error.isMissing { error.remedy = "Make it a directory with files of jobs, or remove it." }
      throw .system(error)
    }
    try judge(directory: jobsDirectory)
    for name in names where name.hasSuffix(".toml") && !name.hasPrefix(".") {
      try add(jobsDirectory + "/" + name)
    }
  }

  /// Makes the single file of a configuration from another source, for example standard input. Such a configuration
  /// has no `jobs.d`.
  init(only source: ConfigurationSource) { sources = [source] }

  /// Makes the files of the configuration in force from their former contents, which have been checked.
  init(former sources: [ConfigurationSource]) { self.sources = sources }

  private mutating func add(_ path: String) throws(ConfigurationFileError) {
    let (source, fault) = try Self.contents(of: path)
    if let fault { addUntrusted(fault) }
    sources.append(source)
  }

  private mutating func judge(directory: String) throws(ConfigurationFileError) {
    do throws(TrustRefusal) {
      try TrustedFile.judge(directory: CurrentProcess.absolutePath(directory), by: Self.rule)
    } catch {
      if case .system(var error) = error.reason {
        error.subject = directory
        throw Self.failure(error)
      }
      addUntrusted(ConfigurationFileError(error))
    }
  }

  /// Adds a fault once per path, because one directory or link may be on the paths to several files.
  private mutating func addUntrusted(_ fault: ConfigurationFileError) {
    if !untrusted.contains(where: { $0.path == fault.path }) { untrusted.append(fault) }
  }

  /// Reads one file that a configuration names, up to one byte more than the limit.
  package static func read(
    file path: String, refusingForeignWriters isTrusted: Bool
  ) throws(ConfigurationFileError) -> ConfigurationSource {
    let (source, fault) = try contents(of: path)
    if isTrusted, let fault { throw fault }
    return source
  }

  /// The rule for trusting files. A root daemon does not trust private groups. For tests, files in a directory with
  /// the sticky bit, such as /tmp, are allowed.
  private static var rule: TrustRule {
    var rule = TrustRule.ofThisProcess
    rule.trustsPrivateGroups = rule.user != 0
    rule.stickyHolders = .everybody
    return rule
  }

  /// Returns the contents of a file, and a fault if users other than root and this process's user can change the file
  /// or a part of its path.
  private static func contents(
    of path: String
  ) throws(ConfigurationFileError) -> (ConfigurationSource, fault: ConfigurationFileError?) {
    // One byte more than the limit, so that the reader of the file reports a file that is too long.
    let limit = ConfigurationLimits.fileByteCountMax + 1
    let file: TrustedFile
    do throws(TrustRefusal) {
      file = try TrustedFile.open(CurrentProcess.absolutePath(path), by: rule)
    } catch {
      // The file is read nevertheless, because a mere check needs its contents. A file that cannot be read throws the
      // system's error.
      let fault = ConfigurationFileError(error)
      do throws(SystemError) {
        let contents = try FileContents.read(path, limit: limit)
        return (source(path, contents.bytes, contents.facts), fault)
      } catch {
        throw failure(error)
      }
    }
    do throws(SystemError) {
      return (source(path, try file.contents(limit: limit), file.facts), nil)
    } catch {
      var error = error
      error.subject = path
      throw failure(error)
    }
  }

  private static func source(_ path: String, _ bytes: [UInt8], _ facts: FileFacts) -> ConfigurationSource {
    var source = ConfigurationSource(path: path, bytes: bytes)
    source.isPrivate = !facts.isReadableByAll
    return source
  }

  /// Whether no file has this name. A dangling link or a file counts as present. If it counted as absent, all jobs of
  /// the directory would count as removed.
  private static func isAbsent(_ path: String) -> Bool {
    do {
      _ = try FileFacts(ofLinkAt: path)
      return false
    } catch {
      return error.isMissing
    }
  }

  private static func failure(_ error: SystemError) -> ConfigurationFileError {
    var error = error
    if error.isMissing {
      error.remedy = "Name the configuration that you mean, or create this file."
    }
    return .system(error)
  }
}

/// A reason why the files of a configuration were not read.
package enum ConfigurationFileError: Error, Sendable, CustomStringConvertible {
  /// A system call failed.
  case system(SystemError)
  /// Users without the daemon's rights can change the commands that the daemon runs.
  case writableByOthers(path: String, mode: UInt32)
  /// The file's owner is neither root nor this process's user.
  case foreignOwner(path: String, owner: UInt32)
  /// The file can be read, but its path cannot be checked.
  case unjudged(path: String)

  fileprivate init(_ refusal: TrustRefusal) {
    switch refusal.reason {
    case .untrusted(_, .foreignOwner(let owner), _): self = .foreignOwner(path: refusal.path, owner: owner)
    case .untrusted(_, .writable(let mode), _): self = .writableByOthers(path: refusal.path, mode: mode)
    case .notAbsolute, .notRegular, .system: self = .unjudged(path: refusal.path)
    }
  }

  /// Path, reason and remedy.
  package var description: String {
    if case .system(let error) = self { return error.description }
    return "\(path): \(reason): \(remedy)"
  }

  /// Path of the file or directory.
  package var path: String {
    switch self {
    case .system(let error): error.subject
    case .writableByOthers(let path, _), .foreignOwner(let path, _), .unjudged(let path): path
    }
  }

  /// A clause.
  package var reason: String {
    switch self {
    case .system(let error): error.plainReason
    case .writableByOthers(_, let mode):
      "its mode \(String(mode & 0o7777, radix: 8)) lets others change what is run with \(Self.whose) rights"
    case .foreignOwner(_, let owner):
      "it belongs to user \(owner), who could change what is run with \(Self.whose) rights"
    case .unjudged: "it is not known who could change what is run with \(Self.whose) rights"
    }
  }

  package var remedy: String {
    switch self {
    case .system(let error): error.remedyText ?? "check the file and its disk"
    case .writableByOthers(let path, let mode):
      mode & 0o1000 == 0 ? "chmod go-w \(path)" : "put the file where others cannot make files"
    case .foreignOwner(let path, _): "chown -h root \(path)"
    case .unjudged: "name the file itself, and not a link to it"
    }
  }

  private static var whose: String {
    let us = CurrentProcess.effectiveUser
    return us == 0 ? "root's" : "user \(us)'s"
  }
}
