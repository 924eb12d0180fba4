internal import Synchronization
package import TimelineConfiguration
package import TimelineCore
package import TimelineSystem

/// The machine's time zones, each read and parsed once until ``refresh()``; to be asked from any thread.
package final class ZoneCatalog: Sendable {
  fileprivate struct State {
    var zones: [String: Zone] = ["UTC": .utc]
    /// The obstacles to zones that were asked for, those included that are known from before.
    var problems: [String: FileRefusal] = [:]
  }

  private let directory: ZoneDirectory
  private let state = Mutex(State())

  /// Makes a catalog of the zones in `directory`.
  package init(directory: ZoneDirectory = .ofThisMachine) {
    self.directory = directory
  }

  /// Reads every zone that was asked for again; returns the names of those whose rules are others now, in order.
  ///
  /// A zone that cannot be read now, as in the middle of an upgrade, stays as it was; ``problem(of:)`` then says why.
  package func refresh() -> [String] {
    var changed: [String] = []
    let former = state.withLock { $0.zones }
    for (name, zone) in former where name != "UTC" {
      let found = read(name)
      if case .success(let new) = found, new != zone { changed.append(name) }
      state.withLock { $0.take(found, of: name) }
    }
    // Names that nobody asks for any more are not watched for ever.
    state.withLock { state in
      let zones = state.zones
      state.problems = state.problems.filter { zones[$0.key] != nil }
    }
    return changed.sorted()
  }

  /// The directories in which a change of the zones, or of which zone is the machine's, shows.
  package var directories: Set<String> {
    let (known, problems) = state.withLock { (Array($0.zones.keys), Array($0.problems.keys)) }
    var files = (known + problems).map { directory.path + "/" + $0 }
    // A zone may be a link to another, and so may the machine's.
    files += files.compactMap(CurrentProcess.realPath)
    return Set((files + ["/etc/localtime"]).map(Self.nearestDirectory))
  }

  /// The directory of a file, or the nearest above it that is there.
  private static func nearestDirectory(of path: String) -> String {
    var directory = path.parentDirectory
    while directory != "/", directory != ".", (try? FileFacts(at: directory))?.kind != .directory {
      directory = directory.parentDirectory
    }
    return directory
  }

  /// The zone of that name, as it was read last; `nil` when there is none or its file is damaged.
  package func zone(named name: String) -> Zone? {
    if let zone = state.withLock({ $0.zones[name] }) { return zone }
    let found = read(name)
    state.withLock { $0.take(found, of: name) }
    return try? found.get()
  }

  /// The reason why the file of a zone could not be read when that was tried last; `nil` when it could.
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

  /// The zone that the machine keeps its local time in; UTC when it says none, or one that cannot be read.
  package var machineZone: Zone { zone(named: machineZoneName) ?? .utc }

  /// The name of that zone, whether it can be read or not.
  package var machineZoneName: String {
    directory.namedSystemZone(environment: CurrentProcess.environment)
  }

  /// A sentence about a `TZ` that names no zone and is passed over; `nil` when there is nothing to say.
  package var variableProblem: String? {
    guard let text = CurrentProcess.environment["TZ"],
      directory.ignores(variable: text)
    else { return nil }
    return "TZ=\(text.printable): there is no such time zone: \(machineZone.name) is used"
  }

  /// The names of inhabited zones, for hints at the nearest spelling; empty when the list is missing.
  package var names: [String] {
    // The third column of tzdata's own table; 64 KiB are three times what it has today.
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
  /// Takes in what reading a zone came to.
  fileprivate mutating func take(_ found: Result<Zone, FileRefusal>, of name: String) {
    switch found {
    case .success(let zone):
      zones[name] = zone
      problems[name] = nil
    case .failure(let problem): problems[name] = problem
    }
  }
}
