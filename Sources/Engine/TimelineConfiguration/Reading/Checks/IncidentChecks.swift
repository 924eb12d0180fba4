import TimelineCore

/// Warnings about incidents that never open, because too few entries of the schedule are within the window.
struct IncidentChecks {
  let reading: FileReading
  let fields: Fields
  let reactions: Reactions
  let schedule: ScheduleRule

  func run() {
    check("on-failure", reactions.failureIncidents)
    check("on-missed", reactions.missedIncidents)
    check("on-late", reactions.lateIncidents)
  }

  private func check(_ key: String, _ policy: IncidentPolicy?) {
    guard let policy, let within = policy.within, let now = reading.context.now,
      case .table(let entries)? = fields[key]?.value.content,
      let entry = entries.first(where: { $0.key == "within" }),
      let shortest = schedule.shortestSpan(ofEntries: policy.after, after: now), shortest > within
    else { return }
    reading.log.warning(
      "`\(key)` never opens an incident: \(policy.after) entries of the schedule take \(shortest.approximateText) at least",
      at: entry.value.place,
      help: ["make `within` at least \"\(shortest)\", make `after` smaller, or leave `within` out"])
  }
}

extension ScheduleRule {
  /// Returns the shortest time that contains `count` consecutive entries; `nil` if there are fewer entries, or if
  /// entries follow the ends of runs.
  fileprivate func shortestSpan(ofEntries count: Int, after instant: WallInstant) -> ElapsedTime? {
    if isClosedLoop { return nil }
    var (latest, entry, shortest) = ([WallInstant](), instant, ElapsedTime?.none)
    for _ in 0..<ConfigurationLimits.gapEntryCountMax + count {
      guard let next = next(after: entry) else { break }
      entry = next
      latest = (latest + [next]).suffix(count)
      if let first = latest.first, latest.count == count { shortest = min(shortest ?? .max, next - first) }
    }
    return shortest
  }
}
