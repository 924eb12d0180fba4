internal import Synchronization
package import TimelineConfiguration
package import TimelineCore
package import TimelineSystem

/// The machine's time zones. Each is read and parsed once until ``refresh()``. Any thread may use the catalog.
package final class ZoneCatalog: Sendable {
  fileprivate struct State {
    var zones: [String: Zone] = ["UTC": .utc]
    /// Reasons why requested zones cannot be read, including zones that were read before and keep their former rules.
    var problems: [String: FileRefusal] = [:]
  }

  private let directory: ZoneDirectory
  private let state = Mutex(State())

  package init(directory: ZoneDirectory = .ofThisMachine) {
    self.directory = directory
  }

  /// Reads every requested zone again. Returns the sorted names of the zones whose rules have changed.
  ///
  /// A zone that cannot be read now, for example during an upgrade, keeps its former rules. ``problem(of:)`` then
  /// returns the reason.
  package func refresh() -> [String] {
    var changed: [String] = []
    let former = state.withLock { $0.zones }
    for (name, zone) in former where name != "UTC" {
      let found = read(name)
      if case .success(let new) = found, new != zone { changed.append(name) }
      state.withLock { $0.take(found, of: name) }
    }
    // Problems of names without a zone are dropped, so that names that are no longer requested are not watched
    // forever.
    state.withLock { state in
      let zones = state.zones
      state.problems = state.problems.filter { zones[$0.key] != nil }
    }
    return changed.sorted()
  }

  /// Directories to watch for changes of the zones and of the machine's choice of a zone.
  package var directories: Set<String> {
    let (known, problems) = state.withLock { (Array($0.zones.keys), Array($0.problems.keys)) }
    var files = (known + problems).map { directory.path + "/" + $0 }
    // The file of a zone, or of the machine's zone, may be a link to another zone's file.
    files += files.compactMap(CurrentProcess.realPath)
    return Set((files + ["/etc/localtime"]).map(Self.nearestDirectory))
  }

  /// Returns the directory of a file, or the nearest existing directory above it.
  private static func nearestDirectory(of path: String) -> String {
    var directory = path.parentDirectory
    while directory != "/", directory != ".", (try? FileFacts(at: directory))?.kind != .directory {
      directory = directory.parentDirectory
    }
    return directory
  }

  /// Returns the zone with the name, as it was last read; `nil` if the zone does not exist or its file is damaged.
  package func zone(named name: String) -> Zone? {
    if let zone = state.withLock({ $0.zones[name] }) { return zone }
    let found = read(name)
    state.withLock { $0.take(found, of: name) }
    return try? found.get()
  }

  /// Returns the reason why the last reading of a zone's file failed; `nil` if it succeeded.
  package func problem(of name: String) -> FileRefusal? { state.withLock { $0.problems[name] } }

  private func read(_ name: String) -> Result<Zone, FileRefusal> {
    let path = directory.path + "/" + name
    do throws(SystemError) {
      let bytes = try directory.zone(named: name)
      do throws(ZoneError) {
        return .success(try Zone(name: name, tzif: bytes))
      } catch {
        return .failure(FileRefusal(reason: "\(path): \(error)"))
      }
    } catch {
      return .failure(FileRefusal(reason: "\(path): \(error.plainReason)", isMissing: error.isMissing))
    }
  }

  /// The zone of the machine's local time; UTC if no zone is set or the zone cannot be read.
  package var machineZone: Zone { zone(named: machineZoneName) ?? .utc }

  /// Name of the machine's zone, even if the zone cannot be read.
  package var machineZoneName: String {
    directory.namedSystemZone(environment: CurrentProcess.environment)
  }

  /// A message about a `TZ` that is ignored because it is not the name of a zone; `nil` if there is none.
  package var variableProblem: String? {
    guard let text = CurrentProcess.environment["TZ"],
      directory.ignores(variable: text)
    else { return nil }
    return "TZ=\(text.printable): there is no such time zone: \(machineZone.name) is used"
  }

  /// Names of inhabited zones, for spelling hints; empty if the list is missing.
  package var names: [String] {
    // The names are in the third column of tzdata's table. 64 KiB is three times its present size.
    guard let table = try? FileContents.read(directory.path + "/zone1970.tab", limit: 1 << 16) else {
      return []
    }
    return ["UTC"]
      + String(decoding: table.bytes, as: UTF8.self).split(separator: "\n").compactMap { line in
        let columns = line.split(separator: "\t")
        return line.hasPrefix("#") || columns.count < 3 ? nil : String(columns[2])
      }
  }
}

extension ZoneCatalog.State {
  /// Records the result of reading a zone.
  fileprivate mutating func take(_ found: Result<Zone, FileRefusal>, of name: String) {
    switch found {
    case .success(let zone):
      zones[name] = zone
      problems[name] = nil
    case .failure(let problem): problems[name] = problem
    }
  }
}
