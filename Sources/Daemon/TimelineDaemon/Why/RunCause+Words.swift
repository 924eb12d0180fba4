import TimelineCore
import TimelineEngine

extension RunCause {
  /// Returns the cause of a run in words.
  func words(_ policies: JobPolicies) -> String {
    switch self {
    case .schedule: "its entry fell due"
    case .missed: "its entry was missed; catch-up: \(policies.missed.words)"
    case .trigger: "an operator triggered it"
    case .rerun: "an operator requested another run of an entry"
    case .backfill: "an operator requested a backfill, which runs past entries again"
    case .reaction: "it reacts to an entry of another job"
    case .recovery: "a daemon ended before it had: \(policies.delivery.words)"
    }
  }
}
