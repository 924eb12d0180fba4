internal import CTimelineSystem

/// The time for which a thread keeps a busy processor before other threads have their turn.
///
/// The share of the thread is the same with each. A thread that wakes up with a short slice has its turn at once.
/// With the usual slice it would have to wait until those of others are over, which takes milliseconds. A thread may
/// choose its slice since Linux 6.12, and only under the usual policy; elsewhere nothing changes. Threads and
/// processes that it starts inherit the slice. The system call is `sched_setattr`; see sched_setattr(2) for the
/// policy and the kernel's sched-eevdf.rst for the rule.
package enum TimeSlice: UInt64 {
  /// The kernel's own, of some milliseconds.
  case usual = 0
  /// The shortest that it allows: a tenth of a millisecond.
  case short = 100_000

  /// Has this thread take turns so from now on.
  package func begin() { _ = timeline_set_time_slice(rawValue) }

  /// Calls `wait`, out of which this thread wakes up with a short slice; afterwards it has the usual one.
  package static func short<Result, Failure: Error>(
    during wait: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let isShort = timeline_set_time_slice(Self.short.rawValue) != 0
    defer { if isShort { Self.usual.begin() } }
    return try wait()
  }

  /// The slice of a thread, 0 for this one, in nanoseconds; 0 where the kernel does not say.
  package static func nanoseconds(ofThread thread: Int32 = 0) -> UInt64 { timeline_time_slice(thread) }
}
