import TimelineCore

/// The end of this node's ownership of jobs: its lease has ended, or it gives them up.
///
/// The next owner goes on from the cluster's store. The store has the claimed entries, and the schedule brings the others.
/// None of these entries is settled or withdrawn here. All other entries end here, with a reason that names the loss of the
/// job.
struct HandOver {
  let names: Set<JobName>
  /// Whether the node gives the jobs up, and with them the claims of entries that were not started.
  let isGivenUp: Bool
  let now: WallInstant

  /// Removes the jobs. Jobs with active runs are kept until these runs have ended.
  func perform(_ dispatch: inout Dispatch, _ pauses: inout Pauses, _ effects: inout some EffectSink) {
    let indices = dispatch.jobs.configured.filter { names.contains(dispatch.jobs[$0].definition.name) }
    if indices.isEmpty { return }
    // First for all jobs, so that the end of one job starts no entry of another.
    for index in indices { giveUp(index, &dispatch, &effects) }
    for slot in Array(dispatch.execution.runs.occupied)
    where indices.contains(dispatch.execution.runs[slot].job) {
      dispatch.execution.handOver(slot, now, &effects)
    }
    let limits = dispatch.execution.groupGate.limits
    let rest = dispatch.jobs.configured.map { dispatch.jobs[$0].definition }.filter {
      !names.contains($0.name)
    }
    let plan = ReloadPlan(from: dispatch.jobs, to: rest)
    JobReplacement(definitions: rest, plan: plan, now: now).perform(&dispatch, &pauses)
    dispatch.execution.setGroups(limits)
    // The places of these jobs in queues are free for others.
    dispatch.execution.startWaitingInGroups(now, &effects)
  }

  /// Gives up the planned and the waiting entries of a job.
  private func giveUp(_ index: Int, _ dispatch: inout Dispatch, _ effects: inout some EffectSink) {
    dispatch.outcomes.settleLeftOut(index, before: now, now, &effects)
    if let next = dispatch.jobs[index].next { dispatch.timetable.leaveUnasked(index, next) }
    dispatch.jobs[index].setNext(nil)
    dispatch.jobs[index].endPause()
    let unanswered = dispatch.jobs[index].waiting.unclaimed
    for entry in dispatch.jobs[index].waiting.takeAll() {
      dispatch.timetable.leaveUnasked(index, entry.nominal)
      let isClaimed = dispatch.timetable.isClaimed(index) && !unanswered.contains(entry)
      // Another node may have started the entry, and its end is unknown. The claim stays in the store, so that the next owner
      // runs it again.
      if entry.cause == .recovery { continue }
      let isKnownHereAlone = !entry.cause.isOfSchedule || dispatch.jobs[index].isClosedLoop
      if !isKnownHereAlone, dispatch.execution.comesAgain(entry, of: index) { continue }
      if isKnownHereAlone || isClaimed && isGivenUp {
        dispatch.outcomes.settle(index, entry, .missed, Reason.handedOver(entry.cause), now, &effects)
      } else if !isClaimed {
        dispatch.outcomes.settle(index, entry, .missed, Reason.unanswered, now, &effects)
      }
    }
    dispatch.outcomes.dropIncidents(of: index, for: nil, &effects)
    dispatch.jobs[index].handOver(isGivenUp: isGivenUp)
  }
}
