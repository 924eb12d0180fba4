import TimelineCore

/// The next entries of each job of a rehearsal. The job's rule computes a block of entries at a time. Per entry, this costs a
/// fraction of a separate computation.
///
/// A daemon computes one entry at a time: it has enough time between two entries, and memory matters more.
struct EntryLookahead: Sendable {
  /// Last instant of the lookahead.
  private let end: WallInstant
  /// ``room`` instants for each job: the entry of the last request, and the entries after it.
  private var instants: [WallInstant] = []
  private var rows: [Row] = []
  private var block: [WallInstant] = []

  private struct Row: Sendable {
    /// Position of the entry whose successor is requested next.
    var place: UInt8 = 0
    var count: UInt8 = 0
  }

  private static let room = 16
  /// Maximum number of jobs. Their instants take at most 2 MiB and stay in a core's cache.
  private static let jobsMax = 16_384

  /// Makes room for `count` jobs; `nil` if there are too many.
  init?(of count: Int, before end: WallInstant) {
    guard count <= Self.jobsMax else { return nil }
    self.end = end - .nanoseconds(1)
    instants = Array(repeating: .min, count: count * Self.room)
    rows = Array(repeating: Row(), count: count)
    block.reserveCapacity(Self.room)
  }

  /// Returns the entry after `entry` of the job at `index`; `nil` if unknown.
  mutating func known(after entry: WallInstant, of index: Int) -> WallInstant? {
    let row = rows[index]
    let place = index * Self.room + Int(row.place)
    guard row.place + 1 < row.count, instants[place] == entry else { return nil }
    rows[index].place = row.place + 1
    return instants[place + 1]
  }

  /// Returns the entry after `entry` of the job at `index`, which has this schedule. `entry` must be one of the job's entries.
  mutating func next(after entry: WallInstant, of index: Int, _ schedule: ScheduleRule) -> WallInstant? {
    guard entry <= end else { return schedule.next(after: entry) }
    block.removeAll(keepingCapacity: true)
    var rest: WallInstant?
    block.append(addingCapacity: Self.room) { span in
      rest = schedule.append(from: entry, through: end, to: &span)
    }
    for place in block.indices { instants[index * Self.room + place] = block[place] }
    rows[index] = Row(place: 1, count: UInt8(block.count))
    return block.count > 1 ? block[1] : rest
  }
}
