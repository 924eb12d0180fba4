/// Bounds on everything that a peer, a user or a file system controls, each with its reason.
enum SystemLimits {
  /// Ready descriptors served in one turn: enough to use a wake-up well, few enough that delays and end-of-turn work
  /// are never far off.
  static let eventsPerTurnMax = 64
  /// Delays served in one turn, for the same reason.
  static let delaysPerTurnMax = 256
  /// Messages taken from a mailbox in one turn, for the same reason.
  static let mailboxMessagesPerTurnMax = 256
  /// A compiled zone is 1 to 8 kB today; what is far larger is not one.
  static let zoneFileBytesMax = 256 * 1024
  /// The longest zone name today has 30 bytes.
  static let zoneNameBytesMax = 255
  /// Entries of one directory; a directory of jobs or plugins with more is a mistake worth hearing of.
  static let directoryEntriesMax = 10_000
  /// Connections that may wait to be accepted; the kernel caps it at net.core.somaxconn.
  static let listenBacklog: Int32 = 128
  /// Bytes of a user record; the largest seen in the wild come from directory servers and are far below.
  static let userRecordBytesMax = 1024 * 1024
  /// Users that are listed to find those of a group: a directory of a university has as many, in about a second.
  static let listedUsersMax = 100_000
  /// Arguments, variables and descriptors of a child; the kernel's own bound is in bytes and fails later.
  static let spawnItemsMax = 10_000
  /// Bytes of what `/proc` says of one process in a line; it has about 300, of which the first 40 matter.
  static let processFactsBytesMax = 1024
  /// Rounds of finding descendants and killing them: two are the rule, each takes about a millisecond, and who starts
  /// processes faster than that is stopped by a limit of processes alone.
  static let killRoundsMax = 50
}
