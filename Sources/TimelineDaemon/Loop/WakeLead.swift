import TimelineCore

/// Wake-up before a deadline: the daemon wakes a little early, decides what is to be done at that very instant, makes
/// everything ready, and sleeps the short rest. At the deadline only the call is left.
///
/// A thread that has slept for long finds its code and data in no cache and its processor in a deep sleep, and both
/// cost more than the decision itself. For very many entries of one instant it wakes earlier by the time that each of
/// them takes to be made ready, so that the last of them is not late by the time that all of them take. It does not do
/// so while a run is active, whose end would be left unread so long. Events in between are handled after the deadline,
/// as if they had come then.
struct WakeLead: Sendable {
  /// Time before a deadline at which the daemon wakes. It is longer than the delay of its own wake-up, a decision, the
  /// hand-over and the delay of a host's wake-up together, all at their coldest.
  static let lead = ElapsedTime.milliseconds(1)
  /// Time added for each entry that falls due: to decide on it, note it and make it ready, and half of that again.
  static let leadPerEntry = ElapsedTime.microseconds(3)
  /// The entries that ``lead`` is long enough for.
  static let entriesInLead = 32
  /// The entries that are made ready before their deadline; further ones are made ready after it. They take some 10 MB until it has
  /// come, and keep the daemon from all else for little more than a tenth of a second.
  static let entriesMax = 39_000
  /// The longest time before a deadline at which the daemon wakes.
  static let leadMax = lead + leadPerEntry * Int64(entriesMax)
  /// Largest part of the time since the last deadline that a lead longer than ``lead`` may take: one part in so many.
  static let partsOfGap: Int64 = 10
  /// The shortest time between two deadlines that are come up to. Closer ones are waited for as they are: everything is
  /// still warm, and the loop must not spend more than a tenth of its time looking at nothing else.
  static let gapMin = ElapsedTime.milliseconds(5)
  /// Part of the rest that is spun for a job with `precision = "spin"`; before that the daemon sleeps.
  static let spin = ElapsedTime.microseconds(200)
  /// Time for which the daemon sleeps on after a deadline at which only hosts have something to call, unless one of
  /// them reports its end: to wake at that very instant on the processor of a host would delay its call.
  static let handedOver = ElapsedTime.microseconds(50)
  /// Deadlines that may be spun for in a second: with ``spin`` 2 % of one processor at most.
  static let spinsPerSecond = 100

  /// The deadline that was come up to last.
  private var last: WallInstant?
  /// Start of the second in which spins are counted, and their number.
  private var second: (since: WallInstant, spins: Int)?

  /// Returns the time before a deadline of `count` entries at which the daemon wakes.
  static func lead(for count: Int) -> ElapsedTime {
    count <= entriesInLead ? lead : lead + leadPerEntry * Int64(min(count, entriesMax))
  }

  /// Returns the time to wake before `deadline`, at which `count` entries fall due; zero not to wake early.
  func lead(for deadline: WallInstant, count: Int = 1) -> ElapsedTime {
    let lead = Self.lead(for: count)
    guard let last, deadline > last else { return lead }
    let gap = deadline - last
    if gap < Self.gapMin { return .zero }
    return gap < lead * Self.partsOfGap
      ? min(Self.lead, .nanoseconds(gap.nanoseconds / Self.partsOfGap) - Self.handedOver) : lead
  }

  /// Whether messages of runs may wait unread at a deadline: several descriptors were ready at once, or the daemon is later than a wake-up is.
  ///
  /// A daemon that slept until one descriptor was ready has read all that was sent before.
  ///
  /// - Parameters:
  ///   - lateness: Time since the deadline; negative before it.
  ///   - readyCount: Number of descriptors that were ready when the turn of the loop began.
  static func mayHaveUnread(lateness: ElapsedTime, readyCount: Int) -> Bool {
    lateness >= .zero && (readyCount > 1 || lateness > lead)
  }

  /// Notes that the daemon has woken for `deadline` before its time.
  mutating func begin(_ deadline: WallInstant) { last = deadline }

  /// Whether the rest of the time to `deadline` may be spun; counts it if so.
  mutating func maySpin(to deadline: WallInstant) -> Bool {
    if let second, deadline >= second.since, deadline - second.since < .seconds(1) {
      guard second.spins < Self.spinsPerSecond else { return false }
      self.second = (second.since, second.spins + 1)
    } else {
      second = (deadline, 1)
    }
    return true
  }
}
