import TimelineCore
import TimelineEngine

/// Sorts and counts the outcomes of a simulation.
///
/// Rows become complete nearly in order: they are appended, and only rows out of order are sorted, a batch at a time.
struct DryRunCollector {
  /// Number of active runs of the shown jobs.
  private(set) var runningInAll = 0
  /// Number of entries of the shown jobs that have an outcome.
  private(set) var entryCount = 0

  /// A summary with counts of zero.
  private let nothing: DryRunSummary
  private let keepsRows: Bool
  /// Counts of each job of the engine.
  private var tallies: [Tally]
  private var peak = 0

  /// Counts of one job.
  private struct Tally {
    /// Index of the job in the summary; -1 for a job that is not shown.
    var order: Int32
    var running: Int32 = 0
    var peak: Int32 = 0
    /// Whether the job has a row for each minute instead of a row for each entry.
    var isCounted: Bool
    /// Outcome of the last ``count`` entries. The entries of most jobs have one outcome only.
    var outcome = Outcome.succeeded
    var count = 0
    /// Counts of the earlier entries.
    var former = OutcomeCounts()

    mutating func begin() {
      running += 1
      peak = max(peak, running)
    }

    mutating func end(_ brief: EndBrief) {
      if brief.startedAt != nil { running -= 1 }
      if brief.outcome != outcome { turn(to: brief.outcome) }
      count += brief.entryCount
    }

    private mutating func turn(to outcome: Outcome) {
      former = outcomes
      (self.outcome, count) = (outcome, 0)
    }

    var outcomes: OutcomeCounts {
      var all = former
      if count > 0 { all.add(count, of: outcome) }
      return all
    }
  }

  /// Complete rows. The first ``inOrder`` rows are sorted.
  private var entries: [DryRunEntry] = []
  private var inOrder = 0
  /// Complete minutes, in order.
  private var minutes: [DryRunMinute] = []
  /// Minutes of each counted job that may still grow, ascending.
  private var growing: [[DryRunMinute]]
  /// Index of each counted job in ``growing``; `nil` for any other job.
  private let growingPlaces: [Int?]

  private let batch: Int
  private var worthFlushingAt: Int

  /// Makes a collector for an engine of `jobs`.
  ///
  /// - Parameters:
  ///   - named: The jobs to show, with a row for each entry; empty for all.
  ///   - keepsRows: Whether rows are collected.
  init(
    jobs all: [JobDefinition], named: Set<JobName>, from: WallInstant, until: WallInstant, keepsRows: Bool
  ) {
    var shown: [JobName] = []
    tallies = all.map { job in
      guard named.isEmpty || named.contains(job.name) else { return Tally(order: -1, isCounted: false) }
      shown.append(job.name)
      return Tally(
        order: Int32(shown.count - 1), isCounted: named.isEmpty && job.schedule.hasMoreThanOneEntryPerSecond)
    }
    nothing = DryRunSummary(from: from, until: until, jobs: shown.map { DryRunSummary.Job(name: $0) })
    self.keepsRows = keepsRows
    growing = []
    var places = [Int?](repeating: nil, count: shown.count)
    for tally in tallies where tally.isCounted {
      places[Int(tally.order)] = growing.count
      growing.append([])
    }
    growingPlaces = places
    // A flush visits every job once. With this many rows its cost per row is negligible.
    batch = max(512, 4 * shown.count)
    worthFlushingAt = batch
  }

  /// Counts so far; O(jobs).
  var summary: DryRunSummary {
    var summary = nothing
    for tally in tallies where tally.order >= 0 {
      summary.jobs[Int(tally.order)].outcomes = tally.outcomes
      summary.jobs[Int(tally.order)].peak = Int(tally.peak)
    }
    summary.entries = entryCount
    summary.peak = peak
    return summary
  }

  /// Whether enough rows wait to make sorting worth its cost.
  var isWorthFlushing: Bool { entries.count >= worthFlushingAt }

  /// Passes on, in order, all rows before `bound`, because no entry before `bound` is open. Passes on all rows if `isOver`.
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

  /// Sorts the rows from the position of the earliest new row on.
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

  /// Collects the complete minutes. Returns `bound`, or the entry of the first incomplete minute if this entry is earlier.
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

extension DryRunCollector: EffectSink {
  /// Records the start of a run, if it is the first attempt.
  mutating func start(_ brief: StartBrief, _ attempt: @autoclosure () -> Attempt) {
    guard brief.number == 1, tallies[brief.job].order >= 0 else { return }
    tallies[brief.job].begin()
    runningInAll += 1
    peak = max(peak, runningInAll)
  }

  /// Records the outcome of an entry.
  mutating func settle(_ brief: EndBrief, _ record: @autoclosure () -> EntryRecord) {
    // A removed job is not counted.
    guard brief.job >= 0, tallies[brief.job].order >= 0 else { return }
    tallies[brief.job].end(brief)
    if brief.startedAt != nil { runningInAll -= 1 }
    entryCount += brief.entryCount
    guard keepsRows else { return }
    let order = Int(tallies[brief.job].order)
    // Entries that low-frequency mode leaves out are one record for the whole time.
    if tallies[brief.job].isCounted, brief.outcome != .lowFrequency {
      count(brief, order)
    } else {
      entries.append(DryRunEntry(brief, job: order, firstEntry: record().firstNominal))
    }
  }

  /// Ignores all other effects.
  mutating func append(_ effect: EngineEffect) {}

  private mutating func count(_ end: EndBrief, _ order: Int) {
    guard let place = growingPlaces[order] else { return }
    let minute = end.nominal.startOfMinute
    var position = growing[place].count
    while position > 0, growing[place][position - 1].minute > minute { position -= 1 }
    if position == 0 || growing[place][position - 1].minute != minute {
      // The first minute may begin before the dry run, but its row must not.
      let entry = max(minute, nothing.from)
      growing[place].insert(DryRunMinute(job: order, minute: minute, entry: entry), at: position)
      position += 1
    }
    growing[place][position - 1].outcomes.add(end.entryCount, of: end.outcome)
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
