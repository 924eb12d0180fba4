import TimelineConfiguration
import TimelineCore
import TimelineEngine

/// Entries that the current effects have settled; they are reported after all effects are performed. Also the results that
/// operators wait for meanwhile: the state of a manual trigger or a rerun, and the entries of a pause that ends.
final class SettledEntries {
  /// A manual trigger or a rerun, with its entry. The state is `nil` as long as the entry waits.
  private var trigger: (entry: EntryKey, state: Triggered?)?
  /// The end of a job's pause, with the number of held entries and the number of held entries that end without a run.
  private var resumption: (job: JobName, held: Int, dropped: Int)?
  private var records = Queue<EntryRecord>()
  private let jobs: LoadedJobs
  private let runs: RunBoard
  private let announcer: Announcer
  private let subscribers: EventSubscribers

  init(jobs: LoadedJobs, runs: RunBoard, announcer: Announcer, subscribers: EventSubscribers) {
    (self.jobs, self.runs, self.announcer, self.subscribers) = (jobs, runs, announcer, subscribers)
  }

  /// Adds an entry that was settled.
  func add(_ record: EntryRecord) {
    countDropped(record)
    tellTrigger(of: record.entry, .settled(record))
    records.append(record)
  }

  /// Reports the next settled entry.
  func tellNext() {
    guard let record = records.popFirst() else { return }
    let announcement = jobs.settle(record, in: jobs.settings.zone)
    if let announcement { announcer.announce(announcement) }
    subscribers.tell(.settled(record))
    if let announcement, jobs.isSummarized(record.entry.job) {
      subscribers.tell(.busy(record.entry.job, announcement.text))
    }
    runs.tellObservers(of: record.entry, .end(record))
  }
}

// Operators who wait.
extension SettledEntries {
  /// Forgets a trigger whose state was not taken.
  func forgetTrigger() { trigger = nil }

  /// Begins a manual trigger or a rerun with the entry that the engine has made for `event`, if there is one.
  func noteRequest(_ event: EngineEvent, _ state: EngineState, _ effects: [EngineEffect]) {
    switch event {
    case .trigger(let job): trigger = state.latestOfItsOwn(job).map { ($0, nil) }
    case .rerun:
      for case .noteRerun(let entry, _) in effects { trigger = (entry, nil) }
    default: break
    }
  }

  /// Sets the state of the manual trigger, if `entry` is its entry.
  func tellTrigger(of entry: EntryKey, _ state: Triggered) {
    if entry == trigger?.entry { trigger?.state = state }
  }

  /// Returns the state of the manual trigger and ends it; `nil` if there is none.
  func takeTrigger() -> Triggered? { trigger.take().map { $0.state ?? .waiting($0.entry) } }

  /// Begins to count the entries of a pause that ends.
  func resume(_ job: JobName, held: Int) { resumption = (job, held, 0) }

  /// Returns the counts of a pause that has ended.
  func takeResumption() -> (held: Int, dropped: Int) {
    resumption.take().map { ($0.held, $0.dropped) } ?? (0, 0)
  }

  /// Counts an entry that ended without a run. Entries that the job's rule leaves out do not count, because the pause did not
  /// hold them.
  private func countDropped(_ record: EntryRecord) {
    guard record.entry.job == resumption?.job, record.startedAt == nil, record.cause.isOfSchedule else {
      return
    }
    switch record.outcome.decider {
    case .schedule, .mode: return
    case .run, .timeout, .delivery, .overlap, .limit, .missed, .pause, .cron, .stop:
      resumption?.dropped += record.entryCount
    }
  }
}
