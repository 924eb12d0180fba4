import TimelineCore

/// Finds an instant at which many jobs fall due together, and says so once.
///
/// Jobs of one schedule are searched as one. A group counts for no more runs than it allows, because it spreads its
/// jobs by itself. A job with jitter is spread already.
struct CrowdCheck {
  let log: DiagnosticLog
  let groups: [GroupName: Int]
  /// `nil` when nothing is to be judged by the time.
  let now: WallInstant?

  func run(_ jobs: [Job], _ sites: [JobSite]) {
    guard let now, let crowd = greatest(of: jobs, after: now) else { return }
    let named = crowd.jobs.prefix(Limits.namedJobCountMax).map { "`\(jobs[$0].name)`" }.joined(
      separator: ", ")
    let rest = crowd.jobs.count - Limits.namedJobCountMax
    guard let first = crowd.jobs.first, rest > 0 else { return }
    log.warning(
      "\(crowd.jobs.count) jobs fall due at one instant, such as \(crowd.instant): \(named) and \(rest) more",
      at: sites[first].place,
      help: [
        "spread them by `jitter` in their schedules, or by a group that lets a few run at a time"
      ])
  }

  /// The first of the instants with most runs, if there are too many, and its jobs by their indexes in `jobs`, in order.
  private func greatest(of jobs: [Job], after now: WallInstant) -> (instant: WallInstant, jobs: [Int])? {
    let enabled = jobs.indices.filter {
      jobs[$0].isEnabled && !jobs[$0].schedule.isClosedLoop && jobs[$0].timing.jitter <= .zero
    }
    guard enabled.count > Limits.crowdJobCountMax else { return nil }
    let alike = Self.grouped(enabled, of: jobs)
    // To ask a job for its rule costs more than the rule takes to answer.
    let rules = alike.map { jobs[$0[0]].schedule }
    let depth = min(Limits.crowdEntryCountMax, max(1, Limits.crowdEntryTotalMax / alike.count))
    let (entries, ends) = Self.entries(of: rules, atMost: depth, after: now)
    var best: (instant: WallInstant, runs: Int, jobs: [Int])?
    for crowd in Self.crowds(in: entries, of: alike, atMost: depth) {
      let instant = entries[crowd.lowerBound].instant
      // Those whose entries were not followed so far are asked.
      let others = rules.indices.filter {
        ends[$0] < instant && rules[$0].next(after: instant - .nanoseconds(1)) == instant
      }
      let due = (entries[crowd].map { Int($0.rule) } + others).flatMap { alike[$0] }
      let runs = runCount(of: due, among: jobs)
      if runs > best?.runs ?? Limits.crowdJobCountMax { best = (instant, runs, due) }
    }
    return best.map { ($0.instant, $0.jobs.sorted()) }
  }

  /// An entry of one of the rules.
  private struct Entry {
    var instant: WallInstant
    var rule: Int32
  }

  /// The first `depth` entries of each rule, all in the order of time, and through when each rule was followed.
  private static func entries(
    of rules: [ScheduleRule], atMost depth: Int, after now: WallInstant
  ) -> (entries: [Entry], ends: [WallInstant]) {
    var entries: [Entry] = []
    entries.reserveCapacity(rules.count * depth)
    var ends = [WallInstant](repeating: .max, count: rules.count)
    var block: [WallInstant] = []
    for (index, rule) in rules.enumerated() {
      guard let first = rule.next(after: now) else { continue }
      block.removeAll(keepingCapacity: true)
      var following: WallInstant?
      block.append(addingCapacity: depth) { following = rule.append(from: first, through: .max, to: &$0) }
      for instant in block { entries.append(Entry(instant: instant, rule: Int32(index))) }
      if following != nil, let last = block.last { ends[index] = last }
    }
    entries.sort { $0.instant < $1.instant }
    return (entries, ends)
  }

  /// The jobs at `indexes` by their schedules.
  private static func grouped(_ indexes: [Int], of jobs: [Job]) -> [[Int]] {
    // A rule is many words: its hash stands for it, and the rules are looked at only where two of them are one.
    var groups: [[Int]] = []
    var places: [Int: Int] = [:]
    places.reserveCapacity(indexes.count)
    for index in indexes {
      var key = jobs[index].schedule.hashValue
      while let place = places[key], jobs[groups[place][0]].schedule != jobs[index].schedule { key &+= 1 }
      if let place = places[key] {
        groups[place].append(index)
      } else {
        places[key] = groups.count
        groups.append([index])
      }
    }
    return groups
  }

  /// Where in `entries` those of the instants with the most jobs are, if too many, in order: few have many, and only these are
  /// looked at with their groups.
  private static func crowds(
    in entries: [Entry], of alike: [[Int]], atMost countMax: Int
  ) -> [Range<Int>] {
    var crowds: [(entries: Range<Int>, jobCount: Int)] = []
    var (start, sum) = (0, 0)
    for index in entries.indices {
      sum += alike[Int(entries[index].rule)].count
      if index + 1 < entries.count, entries[index + 1].instant == entries[index].instant { continue }
      if sum > Limits.crowdJobCountMax { crowds.append((start..<index + 1, sum)) }
      (start, sum) = (index + 1, 0)
    }
    return crowds.sorted {
      ($1.jobCount, $0.entries.lowerBound) < ($0.jobCount, $1.entries.lowerBound)
    }.prefix(countMax).map(\.entries).sorted { $0.lowerBound < $1.lowerBound }
  }

  /// How many runs the jobs at `indexes` start at once, each in the tightest of its groups.
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
