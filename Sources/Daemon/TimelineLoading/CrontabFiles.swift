import TimelineConfiguration
package import TimelineImport
import TimelineSystem

/// The crontabs that a configuration includes and that cron would read, with a warning about each refused file.
///
/// In an included directory, files that are not regular and names that begin with `.` are skipped without a warning.
struct CrontabFiles {
  private var sources: [CrontabSource] = []
  private var warnings: [Diagnostic] = []
  private var directories: Set<String> = []
  /// Crontabs that some users may not read.
  private var privatePaths: Set<String> = []

  /// Largest size of a crontab that is read: a thousand lines of cron's maximum length.
  private static let byteCountMax = 1_000_000

  /// Reads the crontabs at the paths, which may be directories. A crontab that cannot be read does not affect the
  /// others.
  init(at paths: [String]) {
    for path in paths {
      do throws(SystemError) {
        let isDirectory = try FileFacts(at: path).kind == .directory
        directories.insert(isDirectory ? path : path.parentDirectory)
        guard isDirectory else {
          try add(path)
          continue
        }
        if let fault = Self.fault(ofDirectory: path) {
          refuse(path, fault)
          continue
        }
        for name in try DirectoryListing.names(in: path) where !name.hasPrefix(".") {
          add(file: path.appending(fileName: name))
        }
      } catch {
        refuse(path, error.plainReason)
      }
    }
  }

  var crontabs: IncludedCrontabs {
    var result = CrontabInclusion.crontabs(sources, in: .ofThisMachine)
    for index in result.lines.indices {
      // A reaction sends mail for lines of several crontabs, so one private crontab makes the reaction private.
      let isPrivate =
        result.lines[index].command == nil
        ? !privatePaths.isEmpty : privatePaths.contains(result.lines[index].place.path)
      result.lines[index].place.isPrivate = isPrivate
      result.lines[index].source?.origin?.isPrivate = isPrivate
    }
    // A warning about a whole file quotes no line.
    for index in result.warnings.indices where result.warnings[index].place.line > 0 {
      result.warnings[index].place.isPrivate = privatePaths.contains(result.warnings[index].place.path)
    }
    result.warnings = warnings + result.warnings
    result.directories = directories
    return result
  }

  private mutating func refuse(_ path: String, _ reason: String) {
    warnings.append(
      Diagnostic(
        severity: .warning, place: SourcePlace(wholeOf: path),
        message: "the crontab is not carried: \(reason)"))
  }

  private mutating func add(file path: String) {
    do throws(SystemError) {
      if try FileFacts(at: path).kind == .regular { try add(path) }
    } catch {
      refuse(path, error.plainReason)
    }
  }

  private mutating func add(_ path: String) throws(SystemError) {
    let format = CrontabSource.format(ofFileAt: path) ?? .system
    if format == .anacron {
      return refuse(path, "it is anacron's: turn it into jobs with `timelinectl import crontab \(path)`")
    }
    if let fault = Self.fault(of: try FileFacts(at: path), format) { return refuse(path, fault) }
    let file: TrustedFile
    do throws(TrustRefusal) {
      file = try Self.open(path, format)
    } catch {
      return refuse(path, Self.text(of: error, path))
    }
    // Checked again on the open file, because the path may have referred to another file at the first check.
    if let fault = Self.fault(of: file.facts, format) { return refuse(path, fault) }
    if !file.facts.isReadableByAll { privatePaths.insert(path) }
    sources.append(
      CrontabSource(path: path, bytes: try file.contents(limit: Self.byteCountMax), format: format))
  }

  /// Opens a crontab. Refuses a path that a user other than root or this process's user can change. Otherwise a user
  /// could link to a file that the user cannot read, and timelined would run and quote its lines.
  ///
  /// In a spool, a group may create files. Each file must belong to root or to the user of the crontab, and a link is
  /// refused.
  private static func open(_ path: String, _ format: CrontabSource.Format) throws(TrustRefusal) -> TrustedFile
  {
    if case .user(let name) = format, let user = try? UserRecord(named: name).user {
      return try TrustedFile.open(spooled: path, for: user)
    }
    return try TrustedFile.open(path, by: .ofThisProcess)
  }

  /// Returns the reason why no file of the directory is read; `nil` if files are read. A group may create files in a
  /// spool.
  private static func fault(ofDirectory path: String) -> String? {
    var rule = TrustRule.ofThisProcess
    rule.stickyHolders = .group
    do throws(TrustRefusal) {
      try TrustedFile.judge(directory: path, by: rule)
      return nil
    } catch {
      return text(of: error, path)
    }
  }

  private static func text(of refusal: TrustRefusal, _ path: String) -> String {
    let fault = TrustedFileFault(refusal, path: path)
    return "\(fault.reason): \(fault.remedy)"
  }

  /// Returns the reason why cron does not trust a file; `nil` if cron trusts the file. (cron(8) of Debian: the owner
  /// is root or the user of the crontab, and no other user may write to the file.)
  private static func fault(of facts: FileFacts, _ format: CrontabSource.Format) -> String? {
    if facts.isWritableByGroupOrOthers {
      return
        "its mode \(String(facts.mode & 0o7777, radix: 8)) lets others change it, so that cron ignores it"
    }
    let owner: UInt32
    switch format {
    case .system, .anacron: owner = CurrentProcess.effectiveUser
    case .user(let name):
      guard let user = try? UserRecord(named: name).user else {
        return "there is no user `\(name)` on this machine, so that cron ignores it"
      }
      owner = user
      if facts.linkCount > 1 { return "it has another name elsewhere, so that cron ignores it" }
    }
    return facts.owner == owner || facts.owner == 0
      ? nil : "it belongs to user \(facts.owner), so that cron ignores it"
  }
}

extension ImportContext {
  /// Users, directories and host name of this machine.
  package static var ofThisMachine: ImportContext {
    let zones = ZoneCatalog()
    return ImportContext(
      hostName: Machine.hostName, home: { (try? UserRecord(named: $0))?.home },
      isDirectory: { (try? FileFacts(at: $0))?.kind == .directory },
      isZone: { zones.zone(named: $0) != nil }, zoneNames: { zones.names })
  }
}
