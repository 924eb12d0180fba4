package import TimelineConfiguration
package import TimelineSystem

/// Finds and reads the files of a configuration: the main file, then `jobs.d/*.toml` beside it in name order.
package enum ConfigurationFiles {
  /// Reads them all.
  ///
  /// - Parameters:
  ///   - path: The main file.
  ///   - isTrusted: Whether each file, and each folder it stands in directly, must belong to root or to us and be writable by
  ///     nobody else: what is run with our rights is then written by those who have them.
  package static func read(
    _ path: String, refusingForeignWriters isTrusted: Bool
  ) throws(ConfigurationFileError) -> [ConfigurationSource] {
    let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    if isTrusted { try checkWriters(of: folder.isEmpty ? "/" : folder) }
    var sources = [try read(file: path, refusingForeignWriters: isTrusted)]

    let jobsFolder = path.contains("/") ? folder + "/jobs.d" : "jobs.d"
    let names: [String]
    do {
      names = try DirectoryListing.names(in: jobsFolder)
    } catch {
      if isAbsent(jobsFolder) { return sources }
      var error = error
      if error.isMissing { error.remedy = "Make it a folder with files of jobs, or take it away." }
      throw .system(error)
    }
    if isTrusted { try checkWriters(of: jobsFolder) }
    for name in names where name.hasSuffix(".toml") && !name.hasPrefix(".") {
      sources.append(try read(file: jobsFolder + "/" + name, refusingForeignWriters: isTrusted))
    }
    return sources
  }

  /// Reads one file, which a configuration names or is, up to a byte more than it may have.
  package static func read(
    file path: String, refusingForeignWriters isTrusted: Bool
  ) throws(ConfigurationFileError) -> ConfigurationSource {
    let contents: FileContents
    do {
      // One byte more than is allowed, so that a file that is too long gets the reader's diagnostic.
      contents = try FileContents.read(path, limit: Limits.fileByteCountMax + 1)
    } catch {
      throw failure(error)
    }
    if isTrusted { try check(contents.facts, path) }
    return ConfigurationSource(path: path, bytes: contents.bytes)
  }

  /// Whether nothing has that name. A link that leads nowhere and a file are there: taken as absent, all jobs of the folder would
  /// be taken as removed.
  private static func isAbsent(_ path: String) -> Bool {
    do {
      _ = try FileFacts(ofLinkAt: path)
      return false
    } catch {
      return error.isMissing
    }
  }

  private static func checkWriters(of folder: String) throws(ConfigurationFileError) {
    let facts: FileFacts
    do {
      facts = try FileFacts(at: folder)
    } catch {
      throw failure(error)
    }
    try check(facts, folder)
  }

  private static func failure(_ error: SystemError) -> ConfigurationFileError {
    var error = error
    if error.isMissing { error.remedy = "Name the configuration that you mean, or write this one." }
    return .system(error)
  }

  private static func check(_ facts: FileFacts, _ path: String) throws(ConfigurationFileError) {
    let us = CurrentProcess.effectiveUser
    // A sticky folder such as /tmp lets nobody exchange another's file.
    let isStickyFolder = facts.kind == .directory && facts.mode & 0o1000 != 0
    if facts.isWritableByGroupOrOthers && !isStickyFolder {
      throw .writableByOthers(path: path, mode: facts.mode)
    }
    if facts.owner != 0 && facts.owner != us { throw .foreignOwner(path: path, owner: facts.owner) }
  }
}

/// Why the files of a configuration were not read.
package enum ConfigurationFileError: Error, Sendable, CustomStringConvertible {
  /// The system did not let us.
  case system(SystemError)
  /// People who are not trusted with the daemon's rights can change what it runs.
  case writableByOthers(path: String, mode: UInt32)
  /// It belongs to somebody who is neither root nor us.
  case foreignOwner(path: String, owner: UInt32)

  /// What failed, on what, and what to do about it.
  package var description: String {
    switch self {
    case .system(let error): error.description
    case .writableByOthers(let path, let mode):
      "\(path): its mode \(String(mode & 0o7777, radix: 8)) lets others change what is run with root's rights; chmod go-w \(path)"
    case .foreignOwner(let path, let owner):
      "\(path): it belongs to user \(owner), who could change what is run with root's rights; chown root \(path)"
    }
  }
}
