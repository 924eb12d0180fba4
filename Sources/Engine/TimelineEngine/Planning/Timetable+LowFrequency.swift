import TimelineCore

/// Entries that low-frequency mode leaves out: the entries of closed loops.
///
/// A loop that the mode stops has no next entry and no wake-up. Its entries would have come an interval apart. They are counted
/// by arithmetic and settled in one record when the stretch ends: at a change of the mode, the job, the clock or the daemon, or
/// at a run of the job.
extension Timetable {
  /// Begins to leave out entries of a closed loop, the first of them at `nominal`.
  mutating func leaveOut(_ index: Int, from nominal: WallInstant) {
    guard jobs[index].leftOutSince == nil, isBeforeHorizon(nominal) else { return }
    jobs[index].leaveOut(from: nominal)
    // A timeline that ends has no later event. The entries are settled at its last instant.
    if let horizon { setDeadline(ofEntry: index, horizon - .nanoseconds(1)) }
  }

  /// Returns the entries of a job before `end` that are left out, and stops leaving entries out; `nil` for none.
  mutating func takeLeftOut(_ index: Int, before end: WallInstant) -> MissedRange? {
    guard jobs[index].leftOutSince != nil else { return nil }
    removeDeadline(of: .job(index))
    guard let range = jobs[index].takeLeftOut(before: end) else { return nil }
    jobs[index].watermark.move(to: range.latest)
    return range
  }

  /// Returns the earliest nominal instant of a record about left-out entries that is made at `end` or later; `nil` for none.
  func earliestLeftOut(settledFrom end: WallInstant) -> WallInstant? {
    guard mode == .lowFrequency else { return nil }
    return jobs.configured.lazy.compactMap { jobs[$0].leftOut(before: end)?.latest }.min()
  }
}
