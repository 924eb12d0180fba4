import TimelineCore

/// When the next entry of a job falls due, as it is sorted: 16 bytes, no two alike, and the order is that of the numbers.
struct DeadlineRecord: Sendable, Equatable {
  /// When it falls due: nanoseconds since the epoch with the sign turned, so that they ascend as unsigned numbers.
  var moment: UInt64
  /// The tie break, then the index of the job, which is its order in the configuration.
  var key: UInt64

  init(moment: UInt64, key: UInt64) {
    self.moment = moment
    self.key = key
  }

  init(_ deadline: WallInstant, _ tie: TieBreak, _ index: Int) {
    moment = UInt64(bitPattern: deadline.nanosecondsSinceEpoch) ^ 1 << 63
    key = UInt64(tie.rank) << 32 | UInt64(UInt32(truncatingIfNeeded: index))
  }

  /// When it falls due.
  var deadline: WallInstant { Self.instant(at: moment) }
  /// The index of the job.
  var index: Int { Int(truncatingIfNeeded: key & 0xFFFF_FFFF) }

  static func instant(at moment: UInt64) -> WallInstant {
    WallInstant(nanosecondsSinceEpoch: Int64(bitPattern: moment ^ 1 << 63))
  }

  /// Whether it is to be dealt with before `other`.
  @inline(__always)
  func precedes(_ other: DeadlineRecord) -> Bool {
    moment == other.moment ? key < other.key : moment < other.moment
  }
}
