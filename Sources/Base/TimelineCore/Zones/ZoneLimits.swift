/// Limits of a zone file, in memory and time; every real file stays far below.
enum ZoneLimits {
  /// The largest file in bytes: the biggest of the zone database in its fat form has 4 KiB.
  static let fileSizeMax = 128 * 1_024
  /// The longest table of transitions: the long-standing limit of the C library's readers.
  static let transitionCountMax = 2_000
  /// The most local times: the table refers to them by one byte.
  static let localTimeCountMax = 256
  /// The most bytes of abbreviations: ten times as much as any zone has.
  static let abbreviationBytesMax = 512
  /// The longest footer in bytes: the longest of the zone database has 45.
  static let footerLengthMax = 128
  /// The longest name in bytes: it becomes a path.
  static let nameLengthMax = 128
  /// The offsets that a reader may require by RFC 8536 section 3.2: more than -25 hours, less than 26.
  static let offsets = -89_999...93_599
}
