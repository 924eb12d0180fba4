package import TimelineCore

/// Facts about the machine that the reading of files needs: zones, plugins, the time.
///
/// The caller passes all facts, so that the same files and facts give the same result on every machine.
package struct ConfigurationContext {
  /// Returns the zone with an IANA name such as `Europe/Berlin`; `nil` if there is no such zone. Called once for each name.
  package var zone: (String) -> Zone?
  /// Returns all names that ``zone`` finds, for spelling hints; empty for no hints. Called only at the first wrong
  /// name, because most files have no wrong name.
  package var zoneNames: () -> [String]
  /// The zone if the configuration names none: the machine's zone, as with cron.
  package var machineZone: Zone
  /// Returns the valid plugin names if the files name the directories `ownDirectories`. `nil` if the names are
  /// unknown; then any name is accepted.
  package var pluginNames: ((_ ownDirectories: [String]) -> [String])?
  /// Returns whether the machine lacks a group with the name; `nil` if any name is accepted.
  package var isGroupMissing: ((String) -> Bool)?
  /// Returns the reason why `user` cannot be in `control.users` if `control.group` is `group`, as a message and a
  /// remedy. `nil` if any name is accepted.
  package var controlUserObjection: ((_ user: String, _ group: String?) -> (message: String, help: String)?)?
  /// Dates before this instant count as past; `nil` if dates are not checked.
  package var now: WallInstant?
  /// The instant of `@reboot`; `nil` if no job is run.
  package var startOfMachine: WallInstant?

  /// Returns the reason why ``zone`` does not find a name; `nil` if the reason is unknown.
  package var zoneProblem: (String) -> FileRefusal? = { _ in nil }
  /// The reason why the machine's zone cannot be read. ``machineZone`` is then a placeholder for display.
  package var machineZoneProblem: FileRefusal?
  /// Whether a job with an unreadable zone or holiday list is kept and never falls due, for example at machine start,
  /// so that the other jobs run. Otherwise the configuration is refused.
  package var keepsJobsThatLackFiles = false

  /// Returns the bytes of a file that the configuration names, such as a holiday list, or the reason why the file
  /// cannot be read.
  package var file: (String) -> Result<[UInt8], FileRefusal> = { _ in
    .failure(FileRefusal(reason: "files cannot be read here"))
  }

  /// Returns whether some users may not read the file at a path.
  package var isPrivate: (String) -> Bool = { _ in false }

  /// Returns the file's bytes at the time when the configuration in force was read. Used if the file can no longer be
  /// read.
  package var formerFile: (String) -> [UInt8]? = { _ in nil }

  /// Returns the output of `timeline-calendar` for an iCalendar file with this path and these bytes, or the reason
  /// why there is no output. Repeated events are expanded for the years `years`.
  package var calendar:
    (_ path: String, _ bytes: [UInt8], _ years: ClosedRange<Int>) -> Result<[UInt8], FileRefusal> =
      { _, _, _ in .failure(FileRefusal(reason: "calendars cannot be read here")) }

  /// Returns the lines of the crontabs at `paths`, files or directories, as configurations of jobs.
  package var crontabs: (_ paths: [String]) -> IncludedCrontabs = { _ in IncludedCrontabs() }

  /// Makes a context. `zone` decides whether a name is valid; ``zoneNames`` is only used for hints about misspelt names.
  package init(
    zoneNames: @escaping @autoclosure () -> [String] = [], machineZone: Zone = .utc,
    pluginNames: [String]? = nil, now: WallInstant? = nil, zone: @escaping (String) -> Zone?
  ) {
    self.zone = zone
    self.zoneNames = zoneNames
    self.machineZone = machineZone
    self.pluginNames = pluginNames.map { names in { _ in names } }
    self.now = now
  }
}

/// The reason why a file that a configuration names cannot be read.
package struct FileRefusal: Error, Sendable {
  /// A clause that names the file, with the remedy.
  package var reason: String
  package var isMissing: Bool
  /// Whether another user than this process's owns the file or can replace it.
  package var isOfOthers: Bool

  package init(reason: String, isMissing: Bool = false, isOfOthers: Bool = false) {
    self.reason = reason
    self.isMissing = isMissing
    self.isOfOthers = isOfOthers
  }
}
