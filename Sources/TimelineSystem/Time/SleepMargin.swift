package import TimelineCore

/// The time before an instant at which a thread has to be woken to be on time: the usual lateness of this machine's
/// wake-ups, learned from earlier ones.
///
/// A wake-up takes as long as the processor needs to leave its sleep and the thread to be put on it: some 10 us on
/// bare metal, some 100 in a virtual machine, and nobody can tell beforehand. The rest of the time is spun, so the
/// margin is kept small. It follows late wake-ups fast and early ones slowly, which leaves it near the late end of
/// the usual ones. A machine that stalled once moves it no further than any other late wake-up.
package struct SleepMargin: Sendable, Equatable {
  /// The most that is learned: later than this a wake-up is late because of others who use the processor, and what is spun for one
  /// instant stays too little to be seen in a processor's load.
  package static let max = ElapsedTime.microseconds(150)
  /// The part of the difference that a wake-up later than the margin adds: one in so many.
  static let partsUp: Int64 = 4
  /// The part of the difference that a wake-up less late than the margin takes away: one in so many.
  static let partsDown: Int64 = 16

  /// The time before its instant at which the next sleep ends.
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
