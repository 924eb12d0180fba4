import TimelineCore
import TimelineEngine
import TimelineHostPool
import TimelineLedger
import TimelineSystem

/// Record of an active run.
struct ActiveRun {
  var attempt: Attempt
  /// Progress from 0 to 1,000,000; `nil` if the plugin has not reported it.
  var progressMillionths: UInt32?
  /// Text of the plugin's last progress report.
  var progressText = ""
  /// Instant at which the first attempt was started, by the daemon's clock. At the end of that attempt it is replaced by the
  /// instant of the plugin's call, if the host has reported the call.
  private(set) var startedAt: WallInstant
  /// Whether this daemon, and not an earlier daemon, decided on the first attempt.
  private let isOwn: Bool
  /// Whether the run waits for a plugin host: the plugin of the latest attempt has not been called.
  var isWaiting = false
  /// Instant at which the engine decided on the latest attempt.
  private var attemptDecidedAt: WallInstant
  /// Reading of the clocks just after the start of the latest attempt; `nil` for a run that an earlier daemon began.
  private var clocks: DaemonClock.Reading?
  /// Instant at which the latest attempt ended, if the host has reported it.
  private var endedAt: WallInstant?
  /// Time for which the latest attempt has waited for a host so far, and ``clockMoved`` at the start of that attempt.
  private var waited = ElapsedTime.zero
  private var clockMovedBefore: ElapsedTime
  /// Reason and instant of the first request to the latest attempt to stop.
  private var stop: (reason: StopReason, at: MonotonicInstant)?
  /// Sum of the clock steps since the start of the first attempt.
  var clockMoved = ElapsedTime.zero
  /// The last output lines of all attempts.
  var output: OutputTail
  /// The cursor that the plugin returned with the end of the latest attempt; `nil` for none.
  var cursor: [UInt8]?

  /// Makes a run with its first attempt, or with a further attempt of the `former` state of the run.
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
    cursor = former?.cursor
  }

  /// Whether the latest attempt was asked to stop.
  var isAskedToStop: Bool { stop != nil }

  /// Records the request to the latest attempt to stop; only the first request counts.
  mutating func wasAskedToStop(_ reason: StopReason, at moment: MonotonicInstant) {
    stop = stop ?? (reason, moment)
  }

  /// Whether the latest attempt had ended before the request to stop; `call` has the instants of the attempt.
  func endedBeforeStop(_ call: CallInstants) -> Bool { stop.map { call.ended < $0.at } ?? false }

  /// Records that the plugin of the latest attempt is called at `instant`, after a wait; `clocks` is a current reading.
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

  /// Records a clock step.
  mutating func clockWasMoved(by step: ElapsedTime) { clockMoved = clockMoved + step }

  /// Updates the time for which the latest attempt has waited for a host. Returns the increase.
  mutating func waited(until now: WallInstant) -> ElapsedTime {
    let known = waited
    waited = max(known, now - attempt.startedAt - (clockMoved - clockMovedBefore))
    return waited - known
  }

  /// Returns the time for which the run has been active, not affected by clock steps.
  func elapsed(at now: WallInstant) -> ElapsedTime { now - startedAt - clockMoved }

  /// Records the instants at which the plugin was called and had returned; the host reports them with the end of the attempt.
  ///
  /// The instant of the call is computed from a reading at the start of the attempt, the instant of the return from `now`.
  /// Two readings are used because the clock may have been set in between (see ``clockMoved``). A suspend of the machine
  /// counts as a clock step.
  ///
  /// A timeout counts from the daemon's start of the attempt. So the daemon's instants are kept for an attempt that timed out,
  /// because by the host's instants the attempt may have lasted less than the timeout.
  mutating func take(_ call: CallInstants, _ now: DaemonClock.Reading) {
    if stop?.reason == .timeout, !endedBeforeStop(call) { return }
    var ended = now.instant(at: call.ended)
    if let clocks {
      let moved = clockMoved - clockMovedBefore
      // The clock of a rehearsal may have been paused meanwhile; then the extrapolated instant is too late.
      let began = min(clocks.instant(at: call.began), now.instant - moved)
      // A small correction of the clock meanwhile may make the instant too early.
      attempt.startedAt = max(attemptDecidedAt, began)
      ended = max(ended, attempt.startedAt + moved)
      if attempt.number == 1 { startedAt = attempt.startedAt }
    }
    endedAt = ended
  }

  /// Returns the instant at which the latest attempt ended, or `now` if that instant is not known.
  func attemptEnd(knownAt now: WallInstant) -> WallInstant { endedAt.map { min($0, now) } ?? now }

  /// Returns the record of the run's end with the instant at which the plugin was called. If the run `endedByItself`, not
  /// during a back-off, the record also has the instant at which the plugin returned.
  ///
  /// If the clock was stepped by ``correctionMax`` or more during the run, the reason includes the step and the elapsed time.
  /// The difference of the record's instants is not the elapsed time then.
  func completing(_ record: EntryRecord, endedByItself: Bool) -> EntryRecord {
    var record = record
    if endedByItself { record.endedAt = attemptEnd(knownAt: record.endedAt) }
    // For a run that an earlier daemon began, the engine has the start.
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
