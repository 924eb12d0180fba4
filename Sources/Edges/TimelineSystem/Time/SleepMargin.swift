package import TimelineCore

/// The time before an instant at which a thread has to be woken to be on time: the usual lateness of this machine's
/// wake-ups, learned from earlier ones.
///
/// A wake-up takes the time that the processor needs to leave its sleep and the scheduler to run the thread: some 10 us on bare
/// metal, some 100 us in a virtual machine. It cannot be computed beforehand. The thread spins for the rest of the time, so the
/// margin is kept small. The margin follows late wake-ups fast and early ones slowly, so it stays near the late end of the usual
/// ones. A machine that stalled once moves it no further than any other late wake-up.
package struct SleepMargin: Sendable, Equatable {
  /// The largest margin. A later wake-up is caused by other users of the processor. The time spun for one instant stays too short
  /// to show in the processor's load.
  package static let max = ElapsedTime.microseconds(150)
  /// A wake-up later than the margin adds the difference divided by this number.
  static let partsUp: Int64 = 4
  /// A wake-up less late than the margin subtracts the difference divided by this number.
  static let partsDown: Int64 = 16

  /// The time before its instant at which the next sleep ends.
  package private(set) var length = ElapsedTime.zero
  private var hasLearned = false

  /// Makes a margin of zero: the first sleep ends at its instant.
  package init() {}

  /// Adjusts the margin to a sleep that ended `late` after its instant.
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
