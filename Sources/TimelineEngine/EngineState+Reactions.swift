import TimelineCore

/// Jobs that are to hear how the entries of other jobs end.
///
/// A record makes at most one run of the listener, also when it stands for many entries, and a reaction's own end
/// makes none: there are no loops. The run comes under the listener's own overlap policy, whose bounds on what
/// waits are the bound here too.
extension EngineState {
  /// Files the entry's one disposition, and remembers who is to hear of it.
  mutating func file(_ record: consuming EntryRecord, of index: Int, _ effects: inout [EngineEffect]) {
    if record.cause == .reaction {
      stories[record.entry] = nil
      return effects.append(.settle(record))
    }
    let listener: JobName?
    switch record.disposition {
    case .failed, .timedOut, .lost, .unknown:
      jobs[index].hasFailed = true
      listener = jobs[index].definition.policies.reactions.onFailure
    case .missed, .overlapped, .limited:
      listener = jobs[index].definition.policies.reactions.onMissed
    case .succeeded:
      listener = jobs[index].hasFailed ? jobs[index].definition.policies.reactions.onRecovery : nil
      jobs[index].hasFailed = false
    case .cancelled, .superseded, .paused, .excluded, .daylightSavingGap, .daylightSavingFold, .lowFrequency,
      .shutDown:
      listener = nil
    }
    if let listener { toTell.append((listener, copy record)) }
    effects.append(.settle(record))
  }

  /// Makes the runs that are to tell what this event has settled.
  mutating func react(_ now: WallInstant, _ effects: inout [EngineEffect]) {
    let news = toTell
    toTell.removeAll(keepingCapacity: true)
    for (listener, story) in news {
      // A listener that is not configured any more cannot be told.
      guard let index = index(named: listener) else { continue }
      let entry = DueEntry(nominal: instantOfItsOwn(index, now), cause: .reaction)
      guard jobs[index].pause == nil else {
        settle(index, entry, .paused, Reason.paused, now, &effects)
        continue
      }
      stories[key(index, entry.nominal)] = story
      take(index, entry, nil, now, &effects)
    }
  }
}
