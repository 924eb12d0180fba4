import TimelineCore
import TimelineEngine

/// Low-frequency mode leaves out the entries of closed loops, and nothing else.
extension Invariants {
  /// Records the mode, and the instant at which it changed.
  mutating func changed(_ mode: ScheduleMode, _ now: WallInstant) {
    if mode != self.mode { (self.mode, modeChangedAt) = (mode, now) }
  }

  /// Checks that a loop starts nothing by its schedule while the mode is low-frequency.
  ///
  /// An entry that was due before, or by a former schedule, may have waited. After a clock step or a crash this cannot be checked.
  mutating func checkMode(_ attempt: Attempt, _ schedule: ScheduleRule) {
    guard schedule.isClosedLoop, !wentBack, crashes == 0, upcoming.isEmpty,
      jobs[attempt.entry.job]?.hasChanged == false
    else { return }
    let isDueBefore = attempt.entry.nominal <= modeChangedAt
    require(mode == .normal || isDueBefore, "\(attempt.entry) started in low-frequency mode")
  }

  /// Checks that a record of left-out entries belongs to a loop, and to a time of low-frequency mode.
  mutating func checkLeftOut(_ record: EntryRecord, _ now: WallInstant) {
    let isLoop = jobs[record.entry.job]?.definition.schedule.isClosedLoop ?? false
    require(isLoop, "\(record.entry) of no loop was left out by the mode")
    let ends = modeChangedAt == now && mode == .normal
    require(mode == .lowFrequency || ends, "\(record.entry) was left out in normal mode")
    if mode == .lowFrequency, !wentBack, crashes == 0 {
      require(record.firstNominal >= modeChangedAt, "\(record) begins before the mode")
    }
  }
}
