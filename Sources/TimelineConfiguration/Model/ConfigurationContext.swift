package import TimelineCore

/// The facts about the machine that reading needs and the files do not contain: zones, plugins, the time.
///
/// The caller passes in every part, so that the same files with the same facts read the same on every machine.
package struct ConfigurationContext {
  /// The zone of an IANA name such as `Europe/Berlin`, or `nil` when there is none; called once for each name.
  package var zone: (String) -> Zone?
  /// The names that ``zone`` knows, for hints at the nearest spelling; empty for no hints. Asked for with the first wrong name, for
  /// most files have none.
  package var zoneNames: () -> [String]
  /// The zone of a configuration that names none: the machine's, as with cron.
  package var machineZone: Zone
  /// The names that `plugin` may have where the files themselves name these directories, or `nil` when nobody knows and any
  /// name is taken.
  package var pluginNames: ((_ ownDirectories: [String]) -> [String])?
  /// Whether a group of that name is missing on the machine, or `nil` when any name is taken.
  package var isGroupMissing: ((String) -> Bool)?
  /// The reason why a user cannot be one of `control.users` where `control.group` is the group given, as a message and a remedy; `nil`
  /// when any name is taken.
  package var controlUserObjection: ((_ user: String, _ group: String?) -> (message: String, help: String)?)?
  /// The instant by which dates are judged to be past, or `nil` when they are not to be judged.
  package var now: WallInstant?
  /// The instant that `@reboot` stands for, or `nil` where nobody runs anything.
  package var startOfMachine: WallInstant?

  /// The reason why ``zone`` does not know a name; `nil` where no more is known.
  package var zoneProblem: (String) -> FileRefusal? = { _ in nil }
  /// The zone that the machine says it is in and cannot read, and why; ``machineZone`` is then only something to show.
  package var machineZoneProblem: FileRefusal?
  /// Whether a job whose zone or holidays cannot be read is kept and never falls due, as at the start of a machine, where the other
  /// jobs matter more. Otherwise the configuration is refused.
  package var keepsJobsThatLackFiles = false

  /// The bytes of a file that the configuration names, such as a list of holidays, or why there are none.
  package var file: (String) -> Result<[UInt8], FileRefusal> = { _ in
    .failure(FileRefusal(reason: "files cannot be read here"))
  }

  /// Whether some users may not read such a file.
  package var isPrivate: (String) -> Bool = { _ in false }

  /// The bytes that such a file had when the configuration in force was read, for one that cannot be read any more.
  package var formerFile: (String) -> [UInt8]? = { _ in nil }

  /// The lines that `timeline-calendar` makes of an iCalendar file of that path and these bytes, with what repeats in some years; or
  /// why there are none.
  package var calendar:
    (_ path: String, _ bytes: [UInt8], _ years: ClosedRange<Int>) -> Result<[UInt8], FileRefusal> =
      { _, _, _ in .failure(FileRefusal(reason: "calendars cannot be read here")) }

  /// The lines of the crontabs at these paths, or in these directories, as configurations of jobs.
  package var crontabs: (_ paths: [String]) -> IncludedCrontabs = { _ in IncludedCrontabs() }

  /// Makes a context; `zone` has the last word on names, ``zoneNames`` only helps those who mistype them.
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

/// The reason why a file that a configuration names cannot be read, as a clause for people that names it.
package struct FileRefusal: Error, Sendable {
  /// The error: the operation, its object and the remedy.
  package var reason: String
  /// Whether there is no such file.
  package var isMissing: Bool
  /// Whether another user than this process's has the file, or can put another one in its place.
  package var isOfOthers: Bool

  /// Makes a refusal.
  package init(reason: String, isMissing: Bool = false, isOfOthers: Bool = false) {
    self.reason = reason
    self.isMissing = isMissing
    self.isOfOthers = isOfOthers
  }
}
