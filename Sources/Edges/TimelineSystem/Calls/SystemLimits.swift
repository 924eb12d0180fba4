/// Bounds on everything that a peer, a user or a file system controls, each with its reason.
enum SystemLimits {
  /// Ready descriptors served in one iteration of the loop: enough to use a wake-up well, and few enough that delays and the work
  /// at the end of an iteration are soon served.
  static let eventsPerTurnMax = 64
  /// Delays served in one iteration of the loop, for the same reason.
  static let delaysPerTurnMax = 256
  /// Messages taken from a mailbox in one iteration of the loop, for the same reason.
  static let mailboxMessagesPerTurnMax = 256
  /// A compiled zone has 1 to 8 kB today; a far larger file is not a zone.
  static let zoneFileBytesMax = 256 * 1024
  /// The longest zone name today has 30 bytes.
  static let zoneNameBytesMax = 255
  /// Entries of one directory. More in a directory of jobs or plugins is a mistake, and reported as an error.
  static let directoryEntriesMax = 10_000
  /// Connections that may wait to be accepted; the kernel caps it at net.core.somaxconn.
  static let listenBacklog: Int32 = 128
  /// Bytes of a user record; the largest known ones come from directory servers and are far below.
  static let userRecordBytesMax = 1024 * 1024
  /// Users that are listed to find the members of a group: a university directory has this many, listed in about a second.
  static let listedUsersMax = 100_000
  /// Arguments, variables and descriptors of a child; the kernel's own bound is in bytes and fails later.
  static let spawnItemsMax = 10_000
  /// Bytes that are read of `/proc/PID/stat`, one line of about 300 bytes. The last field in use is 22, the start time.
  static let processFactsBytesMax = 1024
  /// Rounds of finding descendants and killing them. Two rounds are usual, and each takes about a millisecond. A process
  /// that starts others faster than that is stopped only by a limit of processes.
  static let killRoundsMax = 50
}
