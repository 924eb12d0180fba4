package import TimelineCore
package import TimelineSystem

/// The machine's time zones, each read and parsed once until ``refresh()``.
package final class ZoneCatalog {
  private let directory: ZoneDirectory
  private var zones: [String: Zone] = ["UTC": .utc]

  /// Makes a catalog of the zones in `directory`, by default the one that `$TZDIR` names, as with the C library, or else the system's.
  package init(directory: ZoneDirectory? = nil) {
    let named = CurrentProcess.environment["TZDIR"].map { ZoneDirectory(path: $0) }
    self.directory = directory ?? named ?? ZoneDirectory()
  }

  /// Reads every zone that was asked for again; returns the names of those whose rules are others now, in order.
  ///
  /// A zone that cannot be read now, as in the middle of an upgrade, stays as it was.
  package func refresh() -> [String] {
    var changed: [String] = []
    for (name, former) in zones where name != "UTC" {
      guard let zone = read(name), zone != former else { continue }
      zones[name] = zone
      changed.append(name)
    }
    return changed.sorted()
  }

  /// The folders in which a change of the zones, or of which zone is the machine's, shows.
  package var folders: Set<String> {
    var files = zones.keys.map { directory.path + "/" + $0 }
    // A zone may be a link to another, and so may the machine's.
    files += files.compactMap(CurrentProcess.realPath)
    return Set((files + ["/etc/localtime"]).map { String($0[..<($0.lastIndex(of: "/") ?? $0.startIndex)]) })
  }

  /// The zone of that name; `nil` when there is none or its file is damaged.
  package func zone(named name: String) -> Zone? {
    if let zone = zones[name] { return zone }
    let zone = read(name)
    zones[name] = zone
    return zone
  }

  private func read(_ name: String) -> Zone? {
    (try? directory.zone(named: name)).flatMap { try? Zone(name: name, tzif: $0) }
  }

  /// The zone that the machine keeps its local time in; UTC when it has none that can be read.
  package var machineZone: Zone {
    zone(named: directory.systemZoneName(environment: CurrentProcess.environment)) ?? .utc
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
