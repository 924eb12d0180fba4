import TimelineCore
import TimelineEngine
import TimelineHostPool

extension Daemon {
  /// State of an iteration of the loop.
  struct LoopIteration {
    private(set) var phase = LoopPhase.sleeping
    /// Events that the engine has not handled.
    var inbox = Queue<EngineEvent>()
    /// Effects of the current event.
    var effects: [EngineEffect] = []
    /// Instant of each start among the effects, in their order.
    var startedAt = Queue<WallInstant>()
    /// The runs among the starts that wait for a plugin host.
    var runsWithoutHost: Set<RunID> = []
    /// Entries settled by the current effects, to be reported when all of them are performed.
    var settled = Queue<EntryRecord>()
    /// Reports of plugins that arrived while effects were performed.
    var reports: [PluginEvent] = []
    /// The deadline for which the daemon woke early; `nil` once it is reached. Until then only starts are prepared.
    var ahead: DeadlineAhead?
    /// Instant for which the clock was last armed.
    var armedAt: WallInstant?
    /// The manual trigger that a client waits for.
    var trigger: PendingTrigger?
    /// Counts of held entries, collected while a pause ends.
    var resumption: Resumption?

    /// Largest number of effects for which memory is kept. The memory for a wake-up with more entries is released.
    static let effectsKept = 1_000

    /// Goes on to the next phase.
    mutating func move(_ step: LoopPhase.Step) {
      guard let next = phase.after(step) else { preconditionFailure("no \(step) while \(phase)") }
      phase = next
    }

    /// A deadline for which the daemon woke early.
    struct DeadlineAhead {
      var deadline: WallInstant
      /// Whether the thread spins for the rest of the time to the deadline.
      var isSpun = false
    }

    /// A manual trigger, by its entry.
    struct PendingTrigger {
      let entry: EntryKey
      /// State of the trigger; `nil` as long as its entry waits.
      var outcome: Triggered?
    }

    /// The end of a job's pause, with the number of held entries and the number of held entries that end without a run.
    struct Resumption {
      var job: JobName
      var heldCount: Int
      var droppedCount = 0

      /// Counts an entry that ended without a run. Entries that the job's rule leaves out do not count, because the pause did
      /// not hold them.
      mutating func note(_ record: EntryRecord) {
        guard record.entry.job == job, record.startedAt == nil, record.cause.isOfSchedule else { return }
        switch record.outcome.decider {
        case .schedule, .mode: return
        case .run, .timeout, .delivery, .overlap, .limit, .missed, .pause, .cron, .stop:
          droppedCount += record.entryCount
        }
      }
    }
  }
}
