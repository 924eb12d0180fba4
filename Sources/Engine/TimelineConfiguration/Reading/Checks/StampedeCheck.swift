import TimelineCore

/// Finds an instant at which many jobs fall due together, and reports it once.
///
/// Jobs with the same schedule are searched together. A group counts with at most its limit of runs, because it
/// distributes its jobs over time. Jobs with jitter do not count, because jitter distributes them.
struct StampedeCheck {
  let log: DiagnosticLog
  let groups: [GroupName: Int]
  /// Start of the search; `nil` for no search.
  let now: WallInstant?

  func run(_ jobs: [Job], _ sites: [JobSourceLocation]) {
    guard let now, let crowd = greatest(of: jobs, after: now) else { return }
    let named = crowd.jobs.prefix(ConfigurationLimits.namedJobCountMax).map { "`\(jobs[$0].name)`" }.joined(
      separator: ", ")
    let rest = crowd.jobs.count - ConfigurationLimits.namedJobCountMax
    guard let first = crowd.jobs.first, rest > 0 else { return }
    log.warning(
      "\(crowd.jobs.count) jobs fall due at one instant, such as \(crowd.instant): \(named) and \(rest) more",
      at: sites[first].place,
      help: [
        "spread them by `jitter` in their schedules, or by a group that lets a few run at a time"
      ])
  }

  /// Returns the first of the instants with the most runs, with its jobs as ascending indexes of `jobs`; `nil` if no
  /// instant has too many runs.
  private func greatest(of jobs: [Job], after now: WallInstant) -> (instant: WallInstant, jobs: [Int])? {
    let enabled = jobs.indices.filter { index in
      let job = jobs[index]
      return job.isEnabled && !job.schedule.isClosedLoop && job.timing.jitter <= .zero
    }
    guard enabled.count > ConfigurationLimits.crowdJobCountMax else { return nil }
    let alike = Alike(enabled, of: jobs, after: now)
    // Reading a job's rule takes longer than evaluating the rule.
    let rules = alike.groups.map { jobs[$0.first].schedule }
    let depth = min(
      ConfigurationLimits.crowdEntryCountMax, max(1, ConfigurationLimits.crowdEntryTotalMax / rules.count))
    let (entries, ends) = Self.entries(of: rules, from: alike.groups, atMost: depth)
    var best: (instant: WallInstant, runs: Int, jobs: [Int])?
    for crowd in Self.crowds(in: entries, of: alike.groups, atMost: depth) {
      let instant = entries[crowd.lowerBound].instant
      // The search of these rules ended before this instant, so they are evaluated at this instant.
      let others = rules.indices.filter {
        ends[$0] < instant && rules[$0].next(after: instant - .nanoseconds(1)) == instant
      }
      let due = (entries[crowd].map { Int($0.rule) } + others).flatMap { alike.jobs(of: alike.groups[$0]) }
      let runs = runCount(of: due, among: jobs)
      if runs > best?.runs ?? ConfigurationLimits.crowdJobCountMax { best = (instant, runs, due) }
    }
    return best.map { ($0.instant, $0.jobs.sorted()) }
  }

  /// An entry of one of the rules.
  private struct Entry {
    var instant: WallInstant
    var rule: Int32
  }

  /// Returns the first `depth` entries of each group's rule, sorted by time. Also returns, for each rule, the instant
  /// up to which its entries were computed.
  private static func entries(
    of rules: [ScheduleRule], from groups: [Alike.Group], atMost depth: Int
  ) -> (entries: [Entry], ends: [WallInstant]) {
    var entries: [Entry] = []
    entries.reserveCapacity(rules.count * depth)
    var ends = [WallInstant](repeating: .max, count: rules.count)
    var block: [WallInstant] = []
    for (index, rule) in rules.enumerated() {
      guard let first = groups[index].entry else { continue }
      guard depth > 1 else {
        entries.append(Entry(instant: first, rule: Int32(index)))
        ends[index] = first
        continue
      }
      block.removeAll(keepingCapacity: true)
      var following: WallInstant?
      block.append(addingCapacity: depth) { following = rule.append(from: first, through: .max, to: &$0) }
      for instant in block { entries.append(Entry(instant: instant, rule: Int32(index))) }
      if following != nil, let last = block.last { ends[index] = last }
    }
    keepCrowded(&entries, of: groups)
    entries.sort { $0.instant < $1.instant }
    return (entries, ends)
  }

  /// Removes the entries of instants that cannot have too many jobs. Nearly all instants are removed, and sorting
  /// them would take longer than counting.
  ///
  /// Instants with the same hash are counted together, so a few entries too many may remain. Even for instants chosen
  /// to collide, this takes no longer than sorting all entries.
  private static func keepCrowded(_ entries: inout [Entry], of groups: [Alike.Group]) {
    let places = 1 << (Int.bitWidth - entries.count.leadingZeroBitCount + 1)
    let shift = UInt64.bitWidth - places.trailingZeroBitCount
    let place = { (entry: Entry) in
      // Multiplication with the golden ratio spreads values that differ only in a few bits.
      Int((UInt64(bitPattern: entry.instant.nanosecondsSinceEpoch) &* 0x9E37_79B9_7F4A_7C15) >> shift)
    }
    var counts = [Int](repeating: 0, count: places)
    for entry in entries { counts[place(entry)] += groups[Int(entry.rule)].count }
    entries.removeAll { counts[place($0)] <= ConfigurationLimits.crowdJobCountMax }
  }

  /// Returns the ranges in `entries` of at most `countMax` instants with too many jobs: the instants with the most
  /// jobs, in order of time. Only groups of these few instants are evaluated.
  private static func crowds(
    in entries: [Entry], of groups: [Alike.Group], atMost countMax: Int
  ) -> [Range<Int>] {
    var crowds: [(entries: Range<Int>, jobCount: Int)] = []
    var (start, sum) = (0, 0)
    for index in entries.indices {
      sum += groups[Int(entries[index].rule)].count
      if index + 1 < entries.count, entries[index + 1].instant == entries[index].instant { continue }
      if sum > ConfigurationLimits.crowdJobCountMax { crowds.append((start..<index + 1, sum)) }
      (start, sum) = (index + 1, 0)
    }
    return crowds.sorted {
      ($1.jobCount, $0.entries.lowerBound) < ($0.jobCount, $1.entries.lowerBound)
    }.prefix(countMax).map(\.entries).sorted(on: \.lowerBound)
  }

  /// Returns the number of runs that the jobs at `indexes` start at once. A job in several groups counts in the group
  /// with the lowest limit.
  private func runCount(of indexes: [Int], among jobs: [Job]) -> Int {
    if groups.isEmpty { return indexes.count }
    var free = 0
    var counts: [GroupName: Int] = [:]
    for index in indexes {
      let tightest = jobs[index].policies.groups.filter { groups[$0] != nil }
        .min { (groups[$0] ?? .max, $0) < (groups[$1] ?? .max, $1) }
      if let tightest { counts[tightest, default: 0] += 1 } else { free += 1 }
    }
    return free + counts.reduce(0) { $0 + min($1.value, groups[$1.key] ?? .max) }
  }
}

/// Jobs grouped by their schedules.
private struct Alike {
  /// The jobs with one schedule.
  struct Group {
    /// The first and the last job, as indexes.
    var first: Int
    var last: Int
    var count = 1
    /// The first entry of the schedule.
    var entry: WallInstant?
  }

  private(set) var groups: [Group] = []
  /// By the index of a job, the index of the next job with the same schedule; -1 for none.
  private var followers: [Int32]

  /// Schedules with the same first entry that are compared one by one.
  private static let fewAlike = 8

  /// Groups the jobs at `indexes`.
  init(_ indexes: [Int], of jobs: [Job], after now: WallInstant) {
    followers = Array(repeating: -1, count: jobs.count)
    groups.reserveCapacity(indexes.count)
    var places: [Int: Int] = [:]
    places.reserveCapacity(indexes.count)
    for index in indexes {
      let schedule = jobs[index].schedule
      let entry = schedule.next(after: now)
      // Hashing a whole rule takes long, so the key is the rule's first entry, which is needed in any case. If many
      // rules have the same first entry, the key is a hash of the whole rule. Only rules with equal keys are
      // compared.
      var (key, others) = (entry.hashValue, 0)
      while let place = places[key],
        groups[place].entry != entry || jobs[groups[place].first].schedule != schedule
      {
        others += 1
        key = others == Self.fewAlike ? schedule.hashValue : key &+ 1
      }
      if let place = places[key] {
        followers[groups[place].last] = Int32(truncatingIfNeeded: index)
        groups[place].last = index
        groups[place].count += 1
      } else {
        places[key] = groups.count
        groups.append(Group(first: index, last: index, entry: entry))
      }
    }
  }

  /// Returns the group's jobs as ascending indexes.
  func jobs(of group: Group) -> [Int] {
    Array(sequence(first: group.first) { followers[$0] < 0 ? nil : Int(followers[$0]) })
  }
}
