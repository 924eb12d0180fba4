import TimelineCore
import TimelineLedger

/// The actions by which operators paused jobs, including jobs that are not configured.
final class PauseActions {
  private var byJob: [JobName: OperatorAction]

  /// Starts with the actions that were recorded under earlier daemons.
  init(_ byJob: [JobName: OperatorAction]) { self.byJob = byJob }

  /// The action that paused a job; `nil` if the job is not paused, or no operator paused it.
  subscript(job: JobName) -> OperatorAction? { byJob[job] }

  /// Records the action that has paused a job.
  func note(_ action: OperatorAction, on job: JobName) { byJob[job] = action }

  /// Removes the action of a job whose pause has ended.
  func forget(_ job: JobName) { byJob[job] = nil }
}
