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
    let depth = min(Limits.crowdEntryCountMax, max(1, Limits.crowdEntryTotalMax / alike.count))
    var entries: [(instant: WallInstant, jobCount: Int)] = []
    entries.reserveCapacity(alike.count * depth)
    for group in alike {
      var entry = jobs[group[0]].schedule.next(after: now)
      for _ in 0..<depth {
        guard let instant = entry else { break }
        entries.append((instant, group.count))
        entry = jobs[group[0]].schedule.next(after: instant)
      }
    }
    var best: (instant: WallInstant, runs: Int, jobs: [Int])?
    for instant in Self.crowds(in: entries, atMost: depth) {
      let due = alike.filter { jobs[$0[0]].schedule.next(after: instant - .nanoseconds(1)) == instant }
        .flatMap(\.self)
      let runs = runCount(of: due.map { jobs[$0] })
      if runs > best?.runs ?? Limits.crowdJobCountMax { best = (instant, runs, due) }
    }
    return best.map { ($0.instant, $0.jobs.sorted()) }
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

  /// The instants with the most jobs, if too many, in order: few have many, and only these are looked at with their groups.
  private static func crowds(
    in entries: [(instant: WallInstant, jobCount: Int)], atMost countMax: Int
  ) -> [WallInstant] {
    let sorted = entries.sorted { $0.instant < $1.instant }
    var crowds: [(instant: WallInstant, jobCount: Int)] = []
    var sum = 0
    for index in sorted.indices {
      sum += sorted[index].jobCount
      if index + 1 < sorted.count, sorted[index + 1].instant == sorted[index].instant { continue }
      if sum > Limits.crowdJobCountMax { crowds.append((sorted[index].instant, sum)) }
      sum = 0
    }
    return crowds.sorted { ($1.jobCount, $0.instant) < ($0.jobCount, $1.instant) }.prefix(countMax)
      .map(\.instant).sorted()
  }

  /// How many runs these jobs start at once, each job in the tightest of its groups.
  private func runCount(of jobs: [Job]) -> Int {
    var free = 0
    var counts: [GroupName: Int] = [:]
    for job in jobs {
      let tightest = job.policies.groups.filter { groups[$0] != nil }
        .min { (groups[$0] ?? .max, $0) < (groups[$1] ?? .max, $1) }
      if let tightest { counts[tightest, default: 0] += 1 } else { free += 1 }
    }
    return free + counts.reduce(0) { $0 + min($1.value, groups[$1.key] ?? .max) }
  }
}
