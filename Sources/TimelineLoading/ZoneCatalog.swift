package import TimelineCore
package import TimelineSystem

/// The machine's time zones, each read and parsed once.
package final class ZoneCatalog {
  private let directory: ZoneDirectory
  private var zones: [String: Zone] = ["UTC": .utc]

  /// Makes a catalog of the zones in `directory`.
  package init(directory: ZoneDirectory = ZoneDirectory()) {
    self.directory = directory
  }

  /// The zone of that name; `nil` when there is none or its file is damaged.
  package func zone(named name: String) -> Zone? {
    if let zone = zones[name] { return zone }
    guard let bytes = try? directory.zone(named: name), let zone = try? Zone(name: name, tzif: bytes) else {
      return nil
    }
    zones[name] = zone
    return zone
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
