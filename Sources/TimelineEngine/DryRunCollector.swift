import TimelineCore

/// Puts what a simulation settles in order, and counts.
///
/// Rows become complete nearly in order, so they are appended and only what is out of order is sorted, a batch at a time.
struct DryRunCollector {
  /// What has been counted so far.
  private(set) var summary: DryRunSummary
  /// How many runs of its jobs are in flight.
  private(set) var runningInAll = 0

  /// Where each job of the engine stands in ``summary``; `nil` when it is not shown.
  private let orders: [Int?]
  private let isCounted: [Bool]
  private let keepsRows: Bool
  private var running: [Int]

  /// Complete rows, the first ``inOrder`` of them in order.
  private var entries: [DryRunEntry] = []
  private var inOrder = 0
  /// Complete minutes, in order.
  private var minutes: [DryRunMinute] = []
  /// The minutes of each counted job that may still grow, ascending.
  private var growing: [[DryRunMinute]]
  /// Where each counted job is in ``growing``.
  private let growingPlaces: [Int?]

  private let batch: Int
  private var worthFlushingAt: Int

  /// Makes a collector for an engine of `jobs`.
  ///
  /// - Parameters:
  ///   - named: The jobs that are shown, none of which is counted by the minute; empty for all.
  ///   - keepsRows: Whether there are to be rows.
  init(
    jobs all: [JobDefinition], named: Set<JobName>, from: WallInstant, until: WallInstant, keepsRows: Bool
  ) {
    var jobs: [JobDefinition] = []
    orders = all.map { job in
      guard named.isEmpty || named.contains(job.name) else { return nil }
      jobs.append(job)
      return jobs.count - 1
    }
    isCounted = jobs.map { named.isEmpty && $0.schedule.firesMoreThanOncePerSecond }
    summary = DryRunSummary(
      from: from, until: until, jobs: jobs.map { DryRunSummary.Job(name: $0.name) })
    self.keepsRows = keepsRows
    running = jobs.map { _ in 0 }
    growing = []
    var places = [Int?](repeating: nil, count: jobs.count)
    for order in jobs.indices where isCounted[order] {
      places[order] = growing.count
      growing.append([])
    }
    growingPlaces = places
    // A flush looks at every job once: with this many rows that costs a row next to nothing.
    batch = max(512, 4 * jobs.count)
    worthFlushingAt = batch
  }

  /// Whether enough rows wait that putting them in order is worth its cost.
  var isWorthFlushing: Bool { entries.count >= worthFlushingAt }

  /// A run has begun.
  mutating func started(_ entry: EntryKey) {
    guard let order = order(of: entry) else { return }
    running[order] += 1
    runningInAll += 1
    summary.jobs[order].peak = max(summary.jobs[order].peak, running[order])
    summary.peak = max(summary.peak, runningInAll)
  }

  private func order(of entry: EntryKey) -> Int? {
    guard let index = entry.place.index else { preconditionFailure("the engine says where its jobs stand") }
    return orders[index]
  }

  /// An entry has its disposition.
  mutating func settled(_ record: EntryRecord) {
    guard let order = order(of: record.entry) else { return }
    if record.run != nil {
      running[order] -= 1
      runningInAll -= 1
    }
    summary.entries += record.entryCount
    summary.jobs[order].dispositions.add(record.entryCount, of: record.disposition)
    guard keepsRows else { return }
    if isCounted[order] {
      count(record, order)
    } else {
      entries.append(DryRunEntry(record, job: order))
    }
  }

  private mutating func count(_ record: EntryRecord, _ order: Int) {
    guard let place = growingPlaces[order] else { return }
    let minute = record.entry.nominal.startOfMinute
    var position = growing[place].count
    while position > 0, growing[place][position - 1].minute > minute { position -= 1 }
    if position == 0 || growing[place][position - 1].minute != minute {
      // The first minute may have begun before the dry run did; its row may not.
      let entry = max(minute, summary.from)
      growing[place].insert(DryRunMinute(job: order, minute: minute, entry: entry), at: position)
      position += 1
    }
    growing[place][position - 1].dispositions.add(record.entryCount, of: record.disposition)
  }

  /// Hands over, in order, every row before `bound`, before which nothing is open; all of them when it `isOver`.
  mutating func flush<Failure: Error>(
    before bound: WallInstant, isOver: Bool, _ body: (DryRunRow) throws(Failure) -> Void
  ) throws(Failure) {
    let bound = takeMinutes(before: bound, isOver: isOver)
    putEntriesInOrder()
    var (entry, minute) = (0, 0)
    while entry < entries.count, isOver || entries[entry].entry < bound {
      while minute < minutes.count, minutes[minute].precedes(entries[entry]) {
        try body(.minute(minutes[minute]))
        minute += 1
      }
      try body(.entry(entries[entry]))
      entry += 1
    }
    while minute < minutes.count, isOver || minutes[minute].entry < bound {
      try body(.minute(minutes[minute]))
      minute += 1
    }
    entries.removeFirst(entry)
    inOrder = entries.count
    minutes.removeFirst(minute)
    worthFlushingAt = max(batch, 2 * entries.count)
  }

  /// Sorts from where the first of the new rows belongs.
  private mutating func putEntriesInOrder() {
    var earliest = inOrder
    var isInOrder = true
    for index in entries.indices.dropFirst(max(1, inOrder)) {
      if entries[index].precedes(entries[index - 1]) { isInOrder = false }
      if entries[index].precedes(entries[earliest]) { earliest = index }
    }
    defer { inOrder = entries.count }
    guard !isInOrder else { return }
    var (low, high) = (0, inOrder)
    while low < high {
      let middle = (low + high) / 2
      if entries[earliest].precedes(entries[middle]) { high = middle } else { low = middle + 1 }
    }
    entries[low...].sort { $0.precedes($1) }
  }

  /// Takes in the minutes that are complete, and returns the bound that those which are not leave.
  private mutating func takeMinutes(before bound: WallInstant, isOver: Bool) -> WallInstant {
    var result = bound
    let former = minutes.count
    for place in growing.indices where !growing[place].isEmpty {
      let complete = growing[place].prefix { isOver || $0.minute + .minutes(1) <= bound }
      minutes += complete
      growing[place].removeFirst(complete.count)
      if let first = growing[place].first { result = min(result, first.entry) }
    }
    if minutes.count > former { minutes.sort { ($0.entry, $0.job) < ($1.entry, $1.job) } }
    return result
  }
}

extension DryRunMinute {
  fileprivate func precedes(_ other: DryRunEntry) -> Bool {
    entry == other.entry ? job < other.job : entry < other.entry
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
