package import TimelineCore

/// How much before an instant a thread has to let itself be woken to be there in time: what this machine's wake-ups are late by,
/// learned from those that were.
///
/// A wake-up takes as long as the processor needs to leave its sleep and the thread to be put on it: some 10 us on bare metal,
/// some 100 in a virtual machine, and nobody can tell beforehand. The rest of the time is spun, so the margin is kept small: it
/// follows late wake-ups fast and early ones slowly, which leaves it near the late end of the usual ones, and a machine that
/// stalled once moves it no further than any other late one.
package struct SleepMargin: Sendable, Equatable {
  /// The most that is learned: later than this a wake-up is late because of others who use the processor, and what is spun for one
  /// instant stays too little to be seen in a processor's load.
  package static let max = ElapsedTime.microseconds(150)
  /// What a wake-up that was later than the margin adds of the difference: one part in so many.
  static let partsUp: Int64 = 4
  /// What one that was less late takes away of it: one part in so many.
  static let partsDown: Int64 = 16

  /// How long before its instant the next sleep is to end.
  package private(set) var length = ElapsedTime.zero
  private var hasLearned = false

  /// Nothing learned: a first sleep ends at its instant.
  package init() {}

  /// Takes in how late a sleep ended after the instant that was asked for.
  package mutating func learn(_ late: ElapsedTime) {
    let late = min(Swift.max(late, .zero), Self.max)
    guard hasLearned else {
      hasLearned = true
      return length = late
    }
    let difference = (late - length).nanoseconds
    length = length + .nanoseconds(difference / (difference > 0 ? Self.partsUp : Self.partsDown))
  }
}
