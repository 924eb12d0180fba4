package import TimelineConfiguration
package import TimelineSystem

/// The files of a configuration: the main file, then `jobs.d/*.toml` beside it in name order.
package struct ConfigurationFiles: Sendable {
  /// The files that were read.
  package private(set) var sources: [ConfigurationSource] = []
  /// Files, and directories that they stand in directly, that others than root and us can change. What is run with our rights is then
  /// written by those who do not have them.
  package private(set) var untrusted: [ConfigurationFileError] = []

  /// Reads the main file at `path` and those beside it, and judges who can change each.
  package init(at path: String) throws(ConfigurationFileError) {
    let directory = path.parentDirectory
    do throws(ConfigurationFileError) {
      try judge(directory: directory)
    } catch .system(var error) where error.isMissing {
      // The file is what somebody named.
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

  /// The one file of a configuration that was read from elsewhere; no `jobs.d` belongs to it.
  init(only source: ConfigurationSource) { sources = [source] }

  /// The files of the configuration in force, as they were when they were read and judged.
  init(former sources: [ConfigurationSource]) { self.sources = sources }

  private mutating func add(_ path: String) throws(ConfigurationFileError) {
    let contents = try Self.contents(of: path)
    if let fault = Self.fault(of: contents.facts, path) { untrusted.append(fault) }
    sources.append(ConfigurationSource(path: path, bytes: contents.bytes))
  }

  private mutating func judge(directory: String) throws(ConfigurationFileError) {
    do {
      if let fault = Self.fault(of: try FileFacts(at: directory), directory) { untrusted.append(fault) }
    } catch {
      throw Self.failure(error)
    }
  }

  /// Reads one file, which a configuration names, up to a byte more than it may have.
  package static func read(
    file path: String, refusingForeignWriters isTrusted: Bool
  ) throws(ConfigurationFileError) -> ConfigurationSource {
    let contents = try contents(of: path)
    if isTrusted, let fault = fault(of: contents.facts, path) { throw fault }
    return ConfigurationSource(path: path, bytes: contents.bytes)
  }

  private static func contents(of path: String) throws(ConfigurationFileError) -> FileContents {
    do {
      // One byte more than is allowed, so that a file that is too long gets the reader's diagnostic.
      return try FileContents.read(path, limit: ConfigurationLimits.fileByteCountMax + 1)
    } catch {
      throw failure(error)
    }
  }

  /// Whether nothing has that name. A link that leads nowhere and a file are there: taken as absent, all jobs of the directory would
  /// be taken as removed.
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

  /// The reason why others than root and this user can change the file; `nil` when they cannot.
  private static func fault(of facts: FileFacts, _ path: String) -> ConfigurationFileError? {
    let us = CurrentProcess.effectiveUser
    if facts.owner != 0 && facts.owner != us { return .foreignOwner(path: path, owner: facts.owner) }
    // A sticky directory such as /tmp lets nobody exchange another's file.
    let isSticky = facts.kind == .directory && facts.mode & 0o1000 != 0
    // What root's daemon reads is nobody's who is merely in a group.
    let isOwn = us != 0 && facts.mode & 0o002 == 0 && facts.isInOwnersPrivateGroup
    guard facts.isWritableByGroupOrOthers, !isSticky, !isOwn else { return nil }
    return .writableByOthers(path: path, mode: facts.mode)
  }
}

/// Reasons why the files of a configuration were not read.
package enum ConfigurationFileError: Error, Sendable, CustomStringConvertible {
  /// The system did not let us.
  case system(SystemError)
  /// People who are not trusted with the daemon's rights can change what it runs.
  case writableByOthers(path: String, mode: UInt32)
  /// It belongs to somebody who is neither root nor us.
  case foreignOwner(path: String, owner: UInt32)

  /// The error: its path, its reason and the remedy.
  package var description: String {
    if case .system(let error) = self { return error.description }
    return "\(path): \(reason): \(remedy)"
  }

  /// The file or directory.
  package var path: String {
    switch self {
    case .system(let error): error.subject
    case .writableByOthers(let path, _), .foreignOwner(let path, _): path
    }
  }

  /// The fault, as a clause.
  package var reason: String {
    switch self {
    case .system(let error): error.plainReason
    case .writableByOthers(_, let mode):
      "its mode \(String(mode & 0o7777, radix: 8)) lets others change what is run with \(Self.whose) rights"
    case .foreignOwner(_, let owner):
      "it belongs to user \(owner), who could change what is run with \(Self.whose) rights"
    }
  }

  /// The remedy.
  package var remedy: String {
    switch self {
    case .system(let error): error.remedyText ?? "check the file and its disk"
    case .writableByOthers(let path, _): "chmod go-w \(path)"
    case .foreignOwner(let path, _): "chown root \(path)"
    }
  }

  private static var whose: String {
    let us = CurrentProcess.effectiveUser
    return us == 0 ? "root's" : "user \(us)'s"
  }
}
