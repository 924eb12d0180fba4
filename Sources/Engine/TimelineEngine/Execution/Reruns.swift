import TimelineCore

/// Repetitions that wait or run, by their own entries, with the entries that they repeat.
struct Reruns: Sendable {
  private var ofEntries: [EntryKey: RerunOrigin] = [:]

  init() {}

  /// The entry that a repetition repeats; `nil` if unknown, or if the repetition has ended.
  subscript(entry: EntryKey) -> RerunOrigin? {
    get { ofEntries.isEmpty ? nil : ofEntries[entry] }
    set { ofEntries[entry] = newValue }
  }

  /// Whether a repetition of the job's entry at `nominal` waits or runs; O(reruns).
  func areActive(of nominal: WallInstant, of job: JobName) -> Bool {
    ofEntries.contains { $1.of == nominal && $0.job == job }
  }
}

extension Execution {
  /// Returns the reason why the job's entry at `nominal` cannot be repeated; `nil` if it can.
  func rerunRefusal(_ index: Int, of nominal: WallInstant, _ now: WallInstant) -> RerunRefusal? {
    let job = jobs[index]
    return RerunRefusal(
      RerunRefusal.Facts(
        isClosedLoop: job.isClosedLoop, isCounted: job.isCounted, isOfSchedule: job.hasEntry(at: nominal),
        isUndecided: isUndecided(index, nominal, now),
        isActive: outcomes.reruns.areActive(of: nominal, of: job.definition.name)))
  }

  /// Whether the outcome of an entry of the schedule is still to come: the entry lies ahead, is not due yet, waits or runs.
  private func isUndecided(_ index: Int, _ nominal: WallInstant, _ now: WallInstant) -> Bool {
    let job = jobs[index]
    if nominal > now { return true }
    if job.waiting.all.contains(where: { $0.nominal == nominal && $0.cause.isOfSchedule }) { return true }
    let isRunning = runs.occupied.contains { slot in
      runs[slot].job == index && runs[slot].nominal == nominal && runs[slot].cause.isOfSchedule
    }
    if isRunning || job.watermark.contains(nominal) { return isRunning }
    // Entries from before the first start of a daemon are decided: nothing is known of them.
    return job.watermark.decided.map { nominal > $0 } ?? (nominal >= timetable.missedBefore(index))
  }

  /// Whether the run in `slot` can have another attempt: the upstream entry of a reaction and the entry that a
  /// repetition repeats are known.
  func isRepeatable(_ slot: Int) -> Bool {
    let entry = jobs.key(runs[slot].job, runs[slot].nominal)
    return switch runs[slot].cause {
    case .reaction: outcomes[upstreamOf: entry] != nil
    case .rerun, .backfill: outcomes.reruns[entry] != nil
    case .schedule, .missed, .trigger, .recovery: true
    }
  }
}
