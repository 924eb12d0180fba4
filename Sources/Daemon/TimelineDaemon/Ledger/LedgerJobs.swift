import TimelineConfiguration
import TimelineCore
import TimelineEngine
import TimelineLedger
import TimelineLoading

// Configuration values for the ledger.
extension LedgerRetention {
  /// Makes the retention from the settings.
  init(_ settings: LedgerSettings) {
    self.init(age: settings.retention, entriesPerJob: settings.entriesPerJobMax)
  }
}

extension DamagedLedgerPolicy {
  /// Makes the policy for a damaged file from the settings.
  init(_ damaged: DamagedLedger) {
    switch damaged {
    case .setAside: self = .setAside
    case .refuse: self = .refuse
    }
  }
}

extension LoadedConfiguration {
  /// Data of the enabled jobs for the ledger.
  var ledgerJobs: [LedgerJob] { ledgerJobs { _ in true } }

  /// Returns the data of the enabled jobs for which `isMeant` returns `true`.
  func ledgerJobs(where isMeant: (JobName) -> Bool) -> [LedgerJob] {
    let suspended = Set(configuration.faults.map(\.job))
    return configuration.jobs.compactMap { job in
      guard job.isEnabled, isMeant(job.name) else { return nil }
      return LedgerJob(
        name: job.name, schedule: job.schedule.identity, delivery: job.policies.delivery,
        isCounted: job.schedule.hasMoreThanOneEntryPerSecond,
        isSuspended: !suspended.isEmpty && suspended.contains(job.name))
    }
  }
}

extension ScheduleRule {
  /// A text that two schedules share only if they have the same entries. The ledger detects a changed schedule by this text.
  ///
  /// Descriptions omit dates and policies, so a digest of these is added.
  var identity: String {
    let parts = undescribedParts
    guard !parts.isEmpty else { return description }
    var hash = StableHash()
    for part in parts { hash.combine(field: part) }
    return "\(description); \(String(hash.digest, radix: 16))"
  }
}
