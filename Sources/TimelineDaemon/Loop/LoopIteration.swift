import TimelineCore
import TimelineEngine
import TimelineHostPool

extension Daemon {
  /// State of a loop iteration.
  struct LoopIteration {
    private(set) var phase = LoopPhase.sleeping
    /// Events that the engine has not taken in.
    var inbox = Queue<EngineEvent>()
    /// Effects of the event at hand.
    var effects: [EngineEffect] = []
    /// Instant of each start among the effects, in their order.
    var startedAt = Queue<WallInstant>()
    /// The runs among them that wait for a plugin host.
    var runsWithoutHost: Set<RunID> = []
    /// Entries settled by the effects at hand, to be reported when all of them are performed.
    var settled = Queue<EntryRecord>()
    /// Reports of plugins that came while effects were being performed.
    var reports: [PluginEvent] = []
    /// The deadline before which the daemon has woken; `nil` when it has come. Until then starts are made ready and nothing else is
    /// done.
    var ahead: DeadlineAhead?
    /// Instant for which the clock was last armed.
    var armedAt: WallInstant?
    /// The manual trigger that a client waits for.
    var trigger: PendingTrigger?
    /// Counts of the entries that a pause held, when it ends.
    var resumption: Resumption?

    /// The effects that memory is kept for, so that what one wake of very many entries needed is not kept for those of a few.
    static let effectsKept = 1_000

    /// Goes on to the next phase.
    mutating func move(_ step: LoopPhase.Step) {
      guard let next = phase.after(step) else { preconditionFailure("no \(step) while \(phase)") }
      phase = next
    }

    /// A deadline before which the daemon has woken.
    struct DeadlineAhead {
      var deadline: WallInstant
      /// Whether the last of the time to it is spun.
      var isSpun = false
    }

    /// A manual trigger, by its entry.
    struct PendingTrigger {
      let entry: EntryKey
      /// State of the trigger; `nil` as long as its entry waits.
      var outcome: Triggered?
    }

    /// The end of a job's pause: how many entries it held, and how many of these end without a run.
    struct Resumption {
      var job: JobName
      var heldCount: Int
      var droppedCount = 0

      /// Takes in the end of an entry; what the job's rule leaves out was never held.
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
