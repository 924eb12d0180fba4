import TimelineCore

/// A switch of the daemon's mode. Closed loops stop in low-frequency mode and go on after it. Everything else keeps its
/// entries.
struct ModeSwitch {
  let mode: ScheduleMode
  let now: WallInstant

  /// Plans every closed loop again, and settles the entries that were left out of the loop until now.
  func perform(_ dispatch: inout Dispatch, _ effects: inout some EffectSink) {
    guard mode != dispatch.timetable.mode else { return }
    dispatch.timetable.mode = mode
    for index in dispatch.jobs.indices where dispatch.jobs[index].isClosedLoop {
      dispatch.outcomes.settleLeftOut(index, before: now, now, &effects)
      dispatch.timetable.replan(index, since: now, now)
    }
  }
}
