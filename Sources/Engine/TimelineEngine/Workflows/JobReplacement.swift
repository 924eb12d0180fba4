import TimelineCore

/// The table of jobs, rebuilt in the order of a list of definitions.
struct JobReplacement {
  /// Definitions of the new jobs.
  let definitions: [JobDefinition]
  /// The plan, with the former job that each new job continues.
  let plan: ReloadPlan
  let now: WallInstant

  /// Makes the table of the new jobs. Queues the entries and runs that go on again.
  func perform(_ dispatch: inout Dispatch, _ pauses: inout Pauses) {
    let former = dispatch.jobs
    let runDeadlines = dispatch.execution.runs.occupied.map { slot in
      (slot: slot, deadline: dispatch.timetable.deadline(of: .run(slot)))
    }
    let dueInstants = former.indices.map { dispatch.timetable.deadline(of: .job($0)) }
    var moved = [Int](repeating: -1, count: former.count)
    dispatch.timetable.removeAllJobs(makingRoomFor: definitions.count)
    for (definition, step) in zip(definitions, plan.steps) {
      var job: JobState
      if let place = step.former {
        moved[place] = dispatch.jobs.count
        job = former[place]
        job.take(definition)
      } else {
        let decided = dispatch.timetable.watermarks.take(definition.name)
        job = JobState(definition, at: now, decided: decided)
        job.noteFormerStart(decided, now)
      }
      // The job goes on with the pause that it had when it was removed.
      if let since = pauses.take(definition.name) {
        job.beginPause(since: since, holdingAfter: now - .nanoseconds(1))
      }
      dispatch.jobs.append(job)
    }
    keepRemoved(plan.removed, of: former, &moved, &dispatch.timetable)
    dispatch.execution.moveRuns(moved, runDeadlines)
    for (place, index) in moved.enumerated() where index >= 0 {
      if dispatch.jobs[index].waitingEntries > 0 { dispatch.jobs.noteWaited(index) }
      let job = dispatch.jobs[index]
      guard job.next != nil || job.leftOutSince != nil, let due = dueInstants[place] else { continue }
      dispatch.timetable.setDeadline(ofEntry: index, due)
    }
    for index in dispatch.jobs.configured {
      if !dispatch.jobs[index].failures.incidents.isEmpty { dispatch.timetable.planReminder(index) }
      // The schedule of the job or its reaction may have changed.
      dispatch.timetable.planLateCheck(index, at: now)
    }
  }

  /// Keeps removed jobs until their runs end. Keeps the watermarks of other removed jobs in case the jobs come back.
  private func keepRemoved(
    _ places: [Int], of former: JobTable, _ moved: inout [Int], _ timetable: inout Timetable
  ) {
    var removed: [(job: JobName, decided: WallInstant)] = []
    for place in places {
      if former[place].runCount > 0 {
        assert(
          former[place].next == nil && former[place].waitingEntries == 0,
          "what it had planned has been let go")
        moved[place] = timetable.jobs.appendRetired(former[place])
      } else if let decided = former[place].watermark.furthest ?? former[place].omissions.through {
        removed.append(
          (former[place].definition.name, max(decided, former[place].omissions.through ?? decided)))
      }
    }
    timetable.watermarks.keep(removed)
  }
}
