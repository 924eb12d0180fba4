/// Facts about a job that take one bit each.
struct JobFlags: OptionSet, Sendable {
  var rawValue: UInt32

  static let hasNext = JobFlags(rawValue: 1)
  static let hasDecided = JobFlags(rawValue: 1 << 1)
  static let hasOmitted = JobFlags(rawValue: 1 << 2)
  static let isRetired = JobFlags(rawValue: 1 << 3)
  static let isListedAsWaiting = JobFlags(rawValue: 1 << 4)
  static let hasWaited = JobFlags(rawValue: 1 << 5)
  static let hasFailed = JobFlags(rawValue: 1 << 6)
  static let hasPrevious = JobFlags(rawValue: 1 << 7)
  static let previousSucceeded = JobFlags(rawValue: 1 << 8)
  static let previousFailed = JobFlags(rawValue: 1 << 9)
  static let previousWasWorthRetrying = JobFlags(rawValue: 1 << 10)
  static let mayOmit = JobFlags(rawValue: 1 << 11)
  static let isClosedLoop = JobFlags(rawValue: 1 << 12)
  static let isExact = JobFlags(rawValue: 1 << 13)
  static let isCounted = JobFlags(rawValue: 1 << 14)
  static let takesAnyLateness = JobFlags(rawValue: 1 << 15)
  static let hasTimeout = JobFlags(rawValue: 1 << 16)
  static let isExpectedToLast = JobFlags(rawValue: 1 << 17)
  static let hasDecidedAhead = JobFlags(rawValue: 1 << 18)
  static let decidesAnew = JobFlags(rawValue: 1 << 19)

  @inline(__always)
  subscript(flag: JobFlags) -> Bool {
    get { rawValue & flag.rawValue != 0 }
    set { rawValue = newValue ? rawValue | flag.rawValue : rawValue & ~flag.rawValue }
  }
}
