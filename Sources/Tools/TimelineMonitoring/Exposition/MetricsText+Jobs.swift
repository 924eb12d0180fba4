import TimelineControl
import TimelineCore

// Families with one or more samples for each job. A job that runs on another node has only counts, because the other
// node reports the job's state.
extension MetricsText {
  /// Outcomes that are shown with 0 before they first occur, so that a monitor sees the first one as an increase.
  private static let outcomesFromZero: [Outcome] = [.succeeded, .failed, .missed, .limited]

  mutating func addEntries() {
    exposition.begin("entries", .counter, "Entries by their outcome.")
    for job in reply.jobs {
      var counts = job.outcomes
      for outcome in Self.outcomesFromZero { counts[outcome.rawValue] = counts[outcome.rawValue] ?? 0 }
      for (outcome, count) in counts.sorted(by: <) {
        exposition.add(count, [("job", job.job), ("outcome", outcome)])
      }
    }
    exposition.begin("attempts", .counter, "Calls of plugins by their result.")
    for job in reply.jobs {
      for (result, count) in job.attempts.sorted(by: <) {
        exposition.add(count, [("job", job.job), ("result", result)])
      }
    }
  }

  mutating func addBackfills() {
    if let count = reply.daemon.openBackfillCount {
      exposition.begin("backfills_open", .gauge, "Backfills with entries to run.")
      exposition.add(count)
    }
    let jobs = reply.jobs.filter { $0.backfillOutcomes != nil }
    guard !jobs.isEmpty else { return }
    exposition.begin("backfill_entries", .counter, "Entries that backfills have run, by their outcome.")
    for job in jobs {
      for (outcome, count) in (job.backfillOutcomes ?? [:]).sorted(by: <) {
        exposition.add(count, [("job", job.job), ("outcome", outcome)])
      }
    }
  }

  mutating func addDurations() {
    exposition.begin(
      "start_lateness_seconds", .histogram, "Delays of starts after the instant that the schedule gives.")
    for job in reply.jobs { if let lateness = job.lateness { add(lateness, job: job.job) } }
    exposition.begin(
      "run_duration_seconds", .histogram, "Durations of runs from the first attempt to the end.")
    for job in reply.jobs { if let duration = job.duration { add(duration, job: job.job) } }
  }

  mutating func addStates() {
    let jobs = reply.jobs.filter { !$0.isElsewhere }
    add("runs_in_progress", "Active runs.", of: jobs) { "\($0.runningCount)" }
    add("entries_waiting", "Due entries that wait.", of: jobs) { "\($0.waitingCount)" }
    add("job_next_entry_timestamp_seconds", "The next entry.", of: jobs) { $0.next?.seconds }
    add("job_last_entry_timestamp_seconds", "The last entry that ended.", of: jobs) { $0.lastEntry?.seconds }
    add("job_last_success_timestamp_seconds", "End of the last success.", of: jobs) {
      $0.lastSuccess?.seconds
    }
    add("job_consecutive_failures", "Failed entries since the last success.", of: jobs) {
      "\($0.consecutiveFailures)"
    }
    add("job_paused", "1 while the job is paused.", of: jobs) { $0.isPaused ? "1" : "0" }
    add(
      "job_overdue", "1 while an entry should have begun some time ago and has not.", of: jobs
    ) { $0.overdueEntry == nil ? "0" : "1" }
  }

  private mutating func add(
    _ name: String, _ help: String, of jobs: [JobMetrics], _ value: (JobMetrics) -> String?
  ) {
    exposition.begin(name, .gauge, help)
    for job in jobs {
      if let value = value(job) { exposition.add(value, [("job", job.job)]) }
    }
  }
}
