internal import CTimelineSystem

/// The time for which a thread keeps a busy processor before other threads run.
///
/// The slice does not change the thread's share of the processor. A thread that wakes up with a short slice runs at once. With
/// the usual slice it would have to wait until the slices of other threads are over, which takes milliseconds. A thread may
/// choose its slice since Linux 6.12, and only under the usual policy; otherwise the slice has no effect. Threads and processes
/// that it starts inherit the slice. The system call is `sched_setattr`; see sched_setattr(2) for the policy and the kernel's
/// sched-eevdf.rst for the rule.
package enum TimeSlice: UInt64 {
  /// The kernel's default, some milliseconds.
  case usual = 0
  /// The shortest slice that the kernel allows: a tenth of a millisecond.
  case short = 100_000

  /// Applies the slice to this thread from now on.
  package func begin() { _ = timeline_set_time_slice(rawValue) }

  /// Calls `wait` with a short slice, so that this thread runs at once when it wakes up. Restores the usual slice afterwards.
  package static func short<Result, Failure: Error>(
    during wait: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let isShort = timeline_set_time_slice(Self.short.rawValue) != 0
    defer { if isShort { Self.usual.begin() } }
    return try wait()
  }

  /// Returns the slice of `thread` in nanoseconds; 0 if the kernel does not report it. The `thread` 0 is this thread.
  package static func nanoseconds(ofThread thread: Int32 = 0) -> UInt64 { timeline_time_slice(thread) }
}
