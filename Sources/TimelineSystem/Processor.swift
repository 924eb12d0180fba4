internal import CTimelineSystem

/// One of the machine's processors.
package struct Processor: Sendable, Hashable {
  /// The kernel's number of it.
  package let number: UInt32

  /// Makes the processor of that number, which need not exist.
  package init(number: UInt32) { self.number = number }

  /// The one that this thread runs on; it may be on another as soon as this returns. The C function is `sched_getcpu`.
  package static var current: Processor {
    Processor(number: UInt32(bitPattern: timeline_processor()))
  }

  /// Has this thread go on on another processor if it runs on this one; whether it is on another one now, which it is not where it
  /// may use no other.
  ///
  /// Afterwards it may use the same ones as before, and none that are switched on or given to its control group later. That takes
  /// as long as the other one takes to wake up, or to be done with somebody else. The C function is `sched_setaffinity`.
  package func leave() -> Bool {
    guard self == .current else { return true }
    timeline_leave_processor()
    return self != .current
  }
}
