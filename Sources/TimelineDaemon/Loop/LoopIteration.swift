import TimelineCore
import TimelineEngine
import TimelineHostPool

extension Daemon {
  /// State of a turn of the loop.
  struct LoopIteration {
    /// Events that the engine has not taken in.
    var inbox = Queue<EngineEvent>()
    /// The run whose attempt has ended by the event at hand.
    var ended: RunID?
    /// The entry of the last manual trigger, and the state of that trigger.
    var asked: EntryKey?
    var answer: Triggered?
    /// Counts of the entries that a pause held, when it ends.
    var resumption: Resumption?
    /// Effects of the event at hand.
    var effects: [EngineEffect] = []
    /// Instant of each start among the effects, in their order.
    var startedAt = Queue<WallInstant>()
    /// The runs among them that wait for a plugin host.
    var waits: Set<RunID> = []
    /// Entries settled by the effects at hand, to be reported when all of them are performed.
    var settled = Queue<(record: EntryRecord, upstream: EntryKey?)>()
    /// Reports of plugins that came while effects were being performed.
    var reports: [PluginEvent] = []
    /// Whether effects are being performed.
    var isPerforming = false
    /// Whether the inbox is being emptied.
    var isTaking = false
    /// Whether the end of the loop's turn has something to do, and whether that follows from an effect.
    var hasEnd = false
    var hadEffects = false
    /// The deadline that is come up to: nothing but what makes starts ready is done before it.
    var ahead: WallInstant?
    /// Whether the last of the time to it is spun.
    var isSpun = false
    /// Whether it has been told that more is to be spun for than may be.
    var hasToldOfSpins = false
    /// Instant for which the clock was last armed, and about how many entries fall due then, at most
    /// ``WakeLead/entriesMax``.
    var armedAt: WallInstant?
    var armedCount = 0

    /// The end of a job's pause: how many entries it held, and how many of these end without a run.
    struct Resumption {
      var job: JobName
      var heldCount: Int
      var droppedCount = 0

      /// Takes in the end of an entry; what the job's rule leaves out was never held.
      mutating func note(_ record: EntryRecord) {
        guard record.entry.job == job, record.startedAt == nil, record.cause.isOfSchedule else { return }
        switch record.outcome {
        case .excluded, .daylightSavingGap, .daylightSavingFold, .lowFrequency: return
        default: droppedCount += record.entryCount
        }
      }
    }

    /// Makes room at once for what follows from a wake of very many entries: to find it effect by effect moves those that are there
    /// again and again to memory that nobody has used yet, which takes longer than to decide on them. More may fall due than
    /// were counted, and room that is not used is none.
    mutating func makeRoom() {
      if armedCount > Self.effectsKept { effects.reserveCapacity(3 * armedCount) }
    }

    /// The effects that room is kept for, so that what one wake of very many entries needed is not kept for those of a few.
    static let effectsKept = 1_000
  }
}
