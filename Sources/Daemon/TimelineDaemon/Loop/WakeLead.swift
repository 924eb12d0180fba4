import TimelineCore

/// Lead time: the daemon wakes a little before a deadline, decides which entries are due at that instant, prepares their
/// starts, and sleeps until the deadline. At the deadline only the plugins are left to be called.
///
/// After a long sleep the caches are cold and the processor is in a deep idle state; both cost more than the decision itself.
/// For very many entries of one instant the daemon wakes earlier, by the time needed to prepare each start. Otherwise the last
/// entry would be late by the sum of these times. The daemon does not wake earlier while a run is active, because the end of
/// the run would stay unread for that long. Events between the wake-up and the deadline are handled after the deadline, as if
/// they had come then.
struct WakeLead: Sendable {
  /// Time before a deadline at which the daemon wakes. This time is longer than the sum of the delay of the daemon's wake-up, a
  /// decision, the hand-over to a host and the delay of the host's wake-up, all with cold caches.
  static let lead = ElapsedTime.milliseconds(1)
  /// Time added for each entry that falls due: one and a half times the time to decide on the entry, note it and prepare its
  /// start.
  static let leadPerEntry = ElapsedTime.microseconds(3)
  /// Largest number of entries for which ``lead`` is long enough.
  static let entriesInLead = 32
  /// Largest number of entries whose starts are prepared before their deadline; further starts are prepared after it. The
  /// entries take some 10 MB until the deadline, and occupy the daemon for little more than 0.1 s.
  static let entriesMax = 39_000
  /// The longest time before a deadline at which the daemon wakes.
  static let leadMax = lead + leadPerEntry * Int64(entriesMax)
  /// Divisor for long leads: a lead longer than ``lead`` may take at most the time since the last deadline, divided by this
  /// number.
  static let partsOfGap: Int64 = 10
  /// The shortest time since the last deadline for which the daemon wakes early. If the deadlines are closer, the caches are
  /// still warm, and the loop must not spend more than a tenth of its time without handling other events.
  static let gapMin = ElapsedTime.milliseconds(5)
  /// Time before a deadline for which the daemon spins for a job with `precision = "spin"`; before that it sleeps.
  static let spin = ElapsedTime.microseconds(200)
  /// Time for which the daemon continues to sleep after a deadline at which only hosts call plugins, unless a host reports an
  /// end. A wake-up at the deadline itself, on the processor of a host, would delay the host's call.
  static let handedOver = ElapsedTime.microseconds(50)
  /// Largest number of deadlines per second for which the daemon spins: with ``spin`` at most 2 % of one processor.
  static let spinsPerSecond = 100

  /// The last deadline before which the daemon woke early.
  private var last: WallInstant?
  /// Start of the second in which spins are counted, and their number.
  private var second: (since: WallInstant, spins: Int)?

  /// Returns the time before a deadline of `count` entries at which the daemon wakes.
  static func lead(for count: Int) -> ElapsedTime {
    count <= entriesInLead ? lead : lead + leadPerEntry * Int64(min(count, entriesMax))
  }

  /// Returns the time to wake before `deadline`, at which `count` entries fall due; zero if the daemon is not to wake early.
  func lead(for deadline: WallInstant, count: Int = 1) -> ElapsedTime {
    let lead = Self.lead(for: count)
    guard let last, deadline > last else { return lead }
    let gap = deadline - last
    if gap < Self.gapMin { return .zero }
    return gap < lead * Self.partsOfGap
      ? min(Self.lead, .nanoseconds(gap.nanoseconds / Self.partsOfGap) - Self.handedOver) : lead
  }

  /// Whether messages of runs may be unread at a deadline: several descriptors were ready at once, or the daemon is late by
  /// more than ``lead``, which is longer than a wake-up takes.
  ///
  /// A daemon that slept until one descriptor was ready has read all earlier messages.
  ///
  /// - Parameters:
  ///   - lateness: Time since the deadline; negative before it.
  ///   - readyCount: Number of descriptors that were ready when the iteration of the loop began.
  static func mayHaveUnread(lateness: ElapsedTime, readyCount: Int) -> Bool {
    lateness >= .zero && (readyCount > 1 || lateness > lead)
  }

  /// Notes that the daemon has woken early for `deadline`.
  mutating func begin(_ deadline: WallInstant) { last = deadline }

  /// Returns whether the daemon may spin for the rest of the time to `deadline`. Counts the spin if so.
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
