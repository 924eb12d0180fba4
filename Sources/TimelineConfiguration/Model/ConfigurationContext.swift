package import TimelineCore

/// The facts about the machine that the reading of files needs: zones, plugins, the time.
///
/// The caller passes in all facts, so that the same files with the same facts have the same result on every machine.
package struct ConfigurationContext {
  /// Returns the zone with an IANA name such as `Europe/Berlin`; `nil` if there is no such zone. Called once for each name.
  package var zone: (String) -> Zone?
  /// Returns the names that ``zone`` finds, for hints with the nearest spelling; empty for no hints. Called only at the
  /// first wrong name, because most files have none.
  package var zoneNames: () -> [String]
  /// The zone of a configuration that names none: the machine's zone, as with cron.
  package var machineZone: Zone
  /// Returns the names that `plugin` may have if the files name the directories `ownDirectories`. `nil` if the names are
  /// unknown; then any name is accepted.
  package var pluginNames: ((_ ownDirectories: [String]) -> [String])?
  /// Returns whether the machine has no group with that name; `nil` if any name is accepted.
  package var isGroupMissing: ((String) -> Bool)?
  /// Returns the reason why `user` cannot be one of `control.users` if `control.group` is `group`, as a message and a
  /// remedy. `nil` if any name is accepted.
  package var controlUserObjection: ((_ user: String, _ group: String?) -> (message: String, help: String)?)?
  /// The instant before which dates count as past; `nil` if dates are not judged.
  package var now: WallInstant?
  /// The instant of `@reboot`; `nil` if no job is run.
  package var startOfMachine: WallInstant?

  /// Returns the reason why ``zone`` does not find a name; `nil` if the reason is unknown.
  package var zoneProblem: (String) -> FileRefusal? = { _ in nil }
  /// The reason why the zone that is set on the machine cannot be read; ``machineZone`` is then a placeholder for display.
  package var machineZoneProblem: FileRefusal?
  /// Whether a job whose zone or holidays cannot be read is kept and never falls due. Otherwise the configuration is
  /// refused. Such jobs are kept for example at the start of a machine, so that the other jobs run.
  package var keepsJobsThatLackFiles = false

  /// Returns the bytes of a file that the configuration names, such as a list of holidays, or the reason why the file
  /// cannot be read.
  package var file: (String) -> Result<[UInt8], FileRefusal> = { _ in
    .failure(FileRefusal(reason: "files cannot be read here"))
  }

  /// Whether the file at a path is private: some users may not read it.
  package var isPrivate: (String) -> Bool = { _ in false }

  /// Returns the bytes that the file had when the configuration in force was read. Used if the file cannot be read any
  /// more.
  package var formerFile: (String) -> [UInt8]? = { _ in nil }

  /// Returns the output of `timeline-calendar` for an iCalendar file with this path and these bytes, or the reason why
  /// there is no output. Repeated events are listed for the years `years`.
  package var calendar:
    (_ path: String, _ bytes: [UInt8], _ years: ClosedRange<Int>) -> Result<[UInt8], FileRefusal> =
      { _, _, _ in .failure(FileRefusal(reason: "calendars cannot be read here")) }

  /// Returns the lines of the crontabs at these paths, or in these directories, as configurations of jobs.
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
  /// The reason as a clause that names the file, with the remedy.
  package var reason: String
  /// Whether the file does not exist.
  package var isMissing: Bool
  /// Whether the file belongs to another user than this process's, or another user can replace it.
  package var isOfOthers: Bool

  /// Makes a refusal.
  package init(reason: String, isMissing: Bool = false, isOfOthers: Bool = false) {
    self.reason = reason
    self.isMissing = isMissing
    self.isOfOthers = isOfOthers
  }
}
