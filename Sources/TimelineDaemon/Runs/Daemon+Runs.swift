import TimelineCore
import TimelineEngine
import TimelineLedger
import TimelineHostPool
import TimelineSystem

// The daemon's data on active runs, and its reports on them.
extension Daemon {
  /// An active run.
  struct ActiveRun {
    /// Its latest attempt.
    var attempt: Attempt
    /// Progress from 0 to 1,000,000; `nil` when the plugin has not reported it.
    var progressMillionths: UInt32?
    /// Text of the plugin's last progress report.
    var progressText = ""
    /// Instant at which its first attempt was started: when the daemon made the start, and from the end of that attempt
    /// on when the plugin was called, if its host has reported that.
    private(set) var startedAt: WallInstant
    /// Whether this daemon decided on its first attempt.
    private let isOwn: Bool
    /// Whether it waits for a plugin host: the plugin of its latest attempt has not been called.
    var isWaiting = false
    /// Instant at which the engine decided on its latest attempt.
    private var attemptDecidedAt: WallInstant
    /// Reading of the clocks when that attempt had been made; `nil` for a run that an earlier daemon began.
    private var clocks: DaemonClock.Reading?
    /// Instant at which its latest attempt was over, if its host has reported it.
    private var endedAt: WallInstant?
    /// Time for which its latest attempt is known to have waited for a host, and the clock's movement before that
    /// attempt.
    private var waited = ElapsedTime.zero
    private var clockMovedBefore: ElapsedTime
    /// Reason and instant of the first request to its latest attempt to stop.
    private var stop: (reason: StopReason, at: MonotonicInstant)?
    /// Movement of the clock since the start.
    var clockMoved = ElapsedTime.zero
    /// The last lines it wrote, in all attempts.
    var output: OutputTail

    /// Makes a run of its first attempt, or of a further one of the run as it was so far.
    init(
      _ attempt: Attempt, decidedAt: WallInstant? = nil, clocks: DaemonClock.Reading? = nil,
      following former: ActiveRun? = nil
    ) {
      self.attempt = attempt
      self.clocks = clocks
      attemptDecidedAt = decidedAt ?? attempt.startedAt
      startedAt = former?.startedAt ?? attempt.startedAt
      isOwn = former?.isOwn ?? (attempt.number == 1)
      clockMoved = former?.clockMoved ?? .zero
      clockMovedBefore = clockMoved
      output = former?.output ?? OutputTail()
    }

    /// Whether its latest attempt was asked to stop.
    var isAskedToStop: Bool { stop != nil }

    /// Takes in that its latest attempt is asked to stop.
    mutating func wasAskedToStop(_ reason: StopReason, at moment: MonotonicInstant) {
      stop = stop ?? (reason, moment)
    }

    /// Whether its latest attempt, which lasted as `call` says, had ended before it was asked to stop.
    func endedBeforeStop(_ call: CallInstants) -> Bool { stop.map { call.ended < $0.at } ?? false }

    /// Records that the plugin of its latest attempt is called at `instant`, after a wait; `clocks` are a reading of just now.
    mutating func begin(at instant: WallInstant, by clocks: DaemonClock.Reading) {
      self.clocks = clocks
      attemptDecidedAt = instant
      attempt.deadline = attempt.deadline.map { instant + ($0 - attempt.startedAt) }
      attempt.startedAt = instant
      if attempt.number == 1 {
        startedAt = instant
        clockMoved = .zero
      }
      clockMovedBefore = clockMoved
    }

    /// Takes in that the clock was moved.
    mutating func clockWasMoved(by step: ElapsedTime) { clockMoved = clockMoved + step }

    /// Updates the time for which its latest attempt has waited for a host; returns the increase.
    mutating func waited(until now: WallInstant) -> ElapsedTime {
      let known = waited
      waited = max(known, now - attempt.startedAt - (clockMoved - clockMovedBefore))
      return waited - known
    }

    /// Returns the time for which it has been active, not affected by clock steps.
    func elapsed(at now: WallInstant) -> ElapsedTime { now - startedAt - clockMoved }

    /// Takes in the instants at which the plugin was called and had returned; the host reports them with the end of the
    /// attempt.
    ///
    /// The first is computed from a reading at the start of the run, the other from `now`: in between the clock may
    /// have been set (see ``clockMoved``), and a machine that slept counts as that.
    ///
    /// A timeout counts from the daemon's start of the attempt. So for an attempt that was stopped by it the daemon's
    /// instants are kept: by its host's it may have lasted less.
    mutating func take(_ call: CallInstants, _ now: DaemonClock.Reading) {
      if stop?.reason == .timeout, !endedBeforeStop(call) { return }
      var ended = now.instant(at: call.ended)
      if let clocks {
        let moved = clockMoved - clockMovedBefore
        // A rehearsal's clock that was paused meanwhile has not come as far as the reading says.
        let began = min(clocks.instant(at: call.began), now.instant - moved)
        // By as little as a clock is corrected meanwhile it may seem to have been too early.
        attempt.startedAt = max(attemptDecidedAt, began)
        ended = max(ended, attempt.startedAt + moved)
        if attempt.number == 1 { startedAt = attempt.startedAt }
      }
      endedAt = ended
    }

    /// Returns the instant at which its latest attempt was over, as far as it is known at `now`.
    func attemptEnd(knownAt now: WallInstant) -> WallInstant { endedAt.map { min($0, now) } ?? now }

    /// The record of its end, with the instants at which the plugin was called and, if it `endedByItself` and not in the pause
    /// after an attempt, at which it had returned.
    ///
    /// It says by how much the clock was moved if that is more than corrections of a clock are: the instants of the record do
    /// not tell how long it took.
    func completing(_ record: EntryRecord, endedByItself: Bool) -> EntryRecord {
      var record = record
      if endedByItself { record.endedAt = attemptEnd(knownAt: record.endedAt) }
      // Of a run that an earlier daemon began the engine knows more.
      if record.startedAt != nil, isOwn { record.startedAt = startedAt }
      record.clockMoved = clockMoved
      guard clockMoved >= Self.correctionMax || clockMoved <= .zero - Self.correctionMax,
        let elapsed = record.elapsed
      else { return record }
      let direction = clockMoved > .zero ? "ahead" : "back"
      let length = (clockMoved > .zero ? clockMoved : .zero - clockMoved).approximateText
      record.reason += record.reason.isEmpty ? "" : "; "
      record.reason += "the clock went \(length) \(direction) meanwhile, it took \(elapsed.approximateText)"
      return record
    }

    private static let correctionMax = ElapsedTime.milliseconds(100)
  }

  /// Events for an observer of an entry.
  enum EntryEvent {
    /// Its run was started.
    case started(RunID)
    /// Progress of the run, in millionths, and its text.
    case progress(RunID, UInt32?, String)
    /// It is over; nothing follows.
    case end(EntryRecord)
    /// This daemon ends before it is over, and the next one goes on with it; nothing follows.
    case kept
    /// It has had its outcome before; nothing follows.
    case taken

    /// Whether nothing follows.
    var isLast: Bool {
      switch self {
      case .started, .progress: false
      case .end, .kept, .taken: true
      }
    }
  }

  /// State of a trigger when the engine has taken it in.
  enum Triggered {
    /// A run was started.
    case started(EntryKey, RunID)
    /// The job's policies did not let it run, or it is over already.
    case settled(EntryRecord)
    /// It waits for its turn.
    case waiting(EntryKey)
    /// An entry of the same instant has had its outcome before.
    case taken

    /// The entry of the trigger, if one was made.
    var entry: EntryKey? {
      switch self {
      case .started(let entry, _), .waiting(let entry): entry
      case .settled(let record): record.entry
      case .taken: nil
      }
    }
  }
}
