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

  func run(_ jobs: [Job]) {
    guard let now, let crowd = greatest(of: jobs, after: now) else { return }
    let named = crowd.jobs.prefix(Limits.namedJobCountMax).map { "`\($0.name)`" }.joined(separator: ", ")
    let rest = crowd.jobs.count - Limits.namedJobCountMax
    guard let first = crowd.jobs.first, rest > 0 else { return }
    log.warning(
      "\(crowd.jobs.count) jobs fall due at one instant, such as \(crowd.instant): \(named) and \(rest) more",
      at: first.place,
      help: [
        "spread them by `jitter` in their schedules, or by a group that lets a few run at a time"
      ])
  }

  /// The first of the instants with most runs, if there are too many, and its jobs in the order of the configuration.
  private func greatest(of jobs: [Job], after now: WallInstant) -> (instant: WallInstant, jobs: [Job])? {
    let enabled = jobs.filter { $0.isEnabled && !$0.schedule.isClosedLoop && $0.timing.jitter <= .zero }
    guard enabled.count > Limits.crowdJobCountMax else { return nil }
    let alike = Dictionary(grouping: enabled, by: \.schedule)
    let depth = min(Limits.crowdEntryCountMax, max(1, Limits.crowdEntryTotalMax / alike.count))
    var counts: [WallInstant: Int] = [:]
    for (schedule, jobs) in alike {
      var entry = schedule.next(after: now)
      for _ in 0..<depth {
        guard let instant = entry else { break }
        counts[instant, default: 0] += jobs.count
        entry = schedule.next(after: instant)
      }
    }
    // Few instants have many jobs; only these are looked at with their groups.
    let crowds = counts.filter { $0.value > Limits.crowdJobCountMax }.keys.sorted()
      .prefix(Limits.crowdEntryCountMax)
    var best: (instant: WallInstant, runs: Int, jobs: [Job])?
    for instant in crowds {
      let due = alike.filter { $0.key.next(after: instant - .nanoseconds(1)) == instant }.flatMap(\.value)
      let runs = runCount(of: due)
      if runs > best?.runs ?? Limits.crowdJobCountMax { best = (instant, runs, due) }
    }
    guard let best else { return nil }
    let names = Set(best.jobs.map(\.name))
    return (best.instant, enabled.filter { names.contains($0.name) })
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
