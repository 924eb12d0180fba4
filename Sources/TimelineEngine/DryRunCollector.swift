import TimelineCore

/// Puts what a simulation settles in order, and counts.
struct DryRunCollector {
  /// What has been counted so far.
  private(set) var summary: DryRunSummary

  private let orders: [JobName: Int]
  /// The order looked up last: effects of one job often follow one another.
  private var found: (job: JobName, order: Int)?
  private let isCounted: [Bool]
  private var running: [Int]
  /// How many runs of its jobs are in flight.
  private(set) var runningInAll = 0
  /// Complete rows, not in order.
  private var rows: [(order: Int, row: DryRunRow)] = []
  /// The minutes of each counted job that may still grow, ascending.
  private var minutes: [[DryRunMinute]]
  private var worthFlushingAt = Self.batch

  private static let batch = 512

  /// Makes a collector; `jobs` in order, each with whether it is counted by the minute.
  init(jobs: [(name: JobName, isCounted: Bool)], from: WallInstant, until: WallInstant) {
    self.summary = DryRunSummary(
      from: from, until: until, jobs: jobs.map { DryRunSummary.Job(name: $0.name) })
    self.orders = Dictionary(uniqueKeysWithValues: jobs.indices.map { (jobs[$0].name, $0) })
    self.isCounted = jobs.map(\.isCounted)
    self.running = jobs.map { _ in 0 }
    self.minutes = jobs.map { _ in [] }
  }

  /// Whether enough rows wait that putting them in order is worth its cost.
  var isWorthFlushing: Bool { rows.count >= worthFlushingAt }

  /// A run has begun.
  mutating func started(_ job: JobName) {
    guard let order = order(of: job) else { return }
    running[order] += 1
    runningInAll += 1
    summary.jobs[order].peak = max(summary.jobs[order].peak, running[order])
    summary.peak = max(summary.peak, runningInAll)
  }

  private mutating func order(of job: JobName) -> Int? {
    if let found, found.job == job { return found.order }
    guard let order = orders[job] else { return nil }
    found = (job, order)
    return order
  }

  /// An entry has its disposition.
  mutating func settled(_ record: EntryRecord) {
    guard let order = order(of: record.entry.job) else { return }
    if record.run != nil {
      running[order] -= 1
      runningInAll -= 1
    }
    summary.entries += record.entryCount
    summary.jobs[order].dispositions.add(record.entryCount, of: record.disposition)
    if isCounted[order] {
      count(record, order)
    } else {
      rows.append((order, .entry(DryRunEntry(record))))
    }
  }

  private mutating func count(_ record: EntryRecord, _ order: Int) {
    let minute = record.entry.nominal.startOfMinute
    var position = minutes[order].count
    while position > 0, minutes[order][position - 1].minute > minute { position -= 1 }
    if position == 0 || minutes[order][position - 1].minute != minute {
      // The first minute may have begun before the dry run did; its row may not.
      let entry = max(minute, summary.from)
      minutes[order].insert(DryRunMinute(job: record.entry.job, minute: minute, entry: entry), at: position)
      position += 1
    }
    minutes[order][position - 1].dispositions.add(record.entryCount, of: record.disposition)
  }

  /// Hands over, in order, every row before `bound`, before which nothing is open; all of them when it `isOver`.
  mutating func flush(before bound: WallInstant, isOver: Bool, _ body: (DryRunRow) -> Void) {
    var bound = bound
    for order in minutes.indices where !minutes[order].isEmpty {
      let complete = minutes[order].prefix { isOver || $0.minute + .minutes(1) <= bound }
      for minute in complete { rows.append((order, .minute(minute))) }
      minutes[order].removeFirst(complete.count)
    }
    for growing in minutes {
      if let first = growing.first { bound = min(bound, first.entry) }
    }
    rows.sort { ($0.row.entry, $0.order) < ($1.row.entry, $1.order) }
    let ready = isOver ? rows.count : (rows.firstIndex { $0.row.entry >= bound } ?? rows.count)
    for (_, row) in rows[..<ready] { body(row) }
    rows.removeFirst(ready)
    worthFlushingAt = max(Self.batch, 2 * rows.count)
  }
}

extension WallInstant {
  /// The start of the UTC minute that is running at this instant, saturating.
  fileprivate var startOfMinute: WallInstant {
    let minute: Int64 = 60_000_000_000
    let start = nanosecondsSinceEpoch.flooredQuotient(by: minute).multipliedSaturating(by: minute)
    return WallInstant(nanosecondsSinceEpoch: start)
  }
}
