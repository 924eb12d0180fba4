public import TimelineCore
internal import TimelineSystem

extension Zone {
  /// Reads the zone of that name from the zone database of this machine, which is the package tzdata.
  ///
  /// ```swift
  /// import TimelineCore
  /// import TimelineMachine
  ///
  /// let berlin = try Zone(named: "Europe/Berlin")
  /// let instant = try WallInstant(rfc3339: "2026-07-01T12:00:00Z")
  /// print(instant.text(in: berlin))  // 2026-07-01 14:00:00 CEST
  /// ```
  ///
  /// The database is in the directory that the environment variable `TZDIR` names, or in `/usr/share/zoneinfo`. Each call reads a
  /// file of some kilobytes: keep the zone.
  ///
  /// - Throws: ``MachineError`` if there is no zone of that name, or its file is damaged.
  public init(named name: String) throws(MachineError) {
    let bytes: [UInt8]
    do {
      bytes = try ZoneDirectory.ofThisMachine.zone(named: name)
    } catch {
      throw MachineError(error)
    }
    do {
      try self.init(name: name, tzif: bytes)
    } catch {
      throw MachineError(error)
    }
  }

  /// The zone in which this machine keeps its local time.
  ///
  /// The environment variable `TZ` names it, or else the link `/etc/localtime`. It is UTC where neither does.
  ///
  /// - Throws: ``MachineError`` if the zone cannot be read, or if `TZ` has a value that names none.
  public static var current: Zone {
    get throws(MachineError) { try current(environment: CurrentProcess.environment) }
  }

  static func current(environment: [String: String]) throws(MachineError) -> Zone {
    let directory = ZoneDirectory.ofThisMachine
    if let variable = environment["TZ"], directory.ignores(variable: variable) {
      throw MachineError(
        missing: "TZ: no such time zone: \"\(variable)\": set it to a name such as Europe/Berlin, or unset it"
      )
    }
    let name = directory.namedSystemZone(environment: environment)
    // A machine without tzdata has UTC all the same.
    return name == Zone.utc.name ? .utc : try Zone(named: name)
  }
}
