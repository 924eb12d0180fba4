import TimelineConfiguration
package import TimelineImport
import TimelineSystem

/// The crontabs that a configuration includes, as files: those that cron would read, and what is wrong with the others.
struct CrontabFiles {
  private var sources: [CrontabSource] = []
  private var warnings: [Diagnostic] = []
  private var directories: Set<String> = []

  /// Longest crontab that is read here: a thousand lines, each as long as cron allows.
  private static let byteCountMax = 1_000_000

  /// Reads the crontabs at the paths, and in the directories among them. One that cannot be read leaves the others alone.
  init(at paths: [String]) {
    for path in paths {
      do throws(SystemError) {
        let isDirectory = try FileFacts(at: path).kind == .directory
        directories.insert(isDirectory ? path : path.parentDirectory)
        guard isDirectory else {
          try add(path)
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

  /// The lines of all crontabs.
  var crontabs: IncludedCrontabs {
    var result = CrontabInclusion.crontabs(sources, in: .ofThisMachine)
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
      return refuse(path, "it is anacron's: turn it into jobs with timelinectl import crontab \(path)")
    }
    let contents = try FileContents.read(path, limit: Self.byteCountMax)
    if let fault = Self.fault(of: contents.facts, format) { return refuse(path, fault) }
    sources.append(CrontabSource(path: path, bytes: contents.bytes, format: format))
  }

  /// The reason why cron does not trust a file; `nil` where it does. (cron(8) of Debian: owned by root, or by the user whose it is, and
  /// written by nobody else.)
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
    }
    return facts.owner == owner || facts.owner == 0
      ? nil : "it belongs to user \(facts.owner), so that cron ignores it"
  }
}

extension ImportContext {
  /// The users, the directories and the name of this machine.
  package static var ofThisMachine: ImportContext {
    ImportContext(
      hostName: Machine.hostName, home: { (try? UserRecord(named: $0))?.home },
      isDirectory: { (try? FileFacts(at: $0))?.kind == .directory })
  }
}
