import TimelineCore
import TimelineLedger

/// The actions of operators that paused jobs, including jobs that are not configured.
final class PauseActions {
  private var byJob: [JobName: OperatorAction]

  /// Continues with the actions under earlier daemons.
  init(_ byJob: [JobName: OperatorAction]) { self.byJob = byJob }

  /// The action that paused a job; `nil` if the job is not paused, or no operator paused it.
  subscript(job: JobName) -> OperatorAction? { byJob[job] }

  /// Notes the action that has paused a job.
  func note(_ action: OperatorAction, on job: JobName) { byJob[job] = action }

  /// Forgets the action on a job whose pause has ended.
  func forget(_ job: JobName) { byJob[job] = nil }
}
