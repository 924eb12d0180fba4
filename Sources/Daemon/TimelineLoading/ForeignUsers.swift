import TimelineConfiguration
import TimelineSystem

/// The users of jobs, except the user of this process.
///
/// Such a user may be the author of the job's plugin, and controls the plugin's host, its working directory and its
/// home. So this user may be the cause if the plugin cannot be inspected, or if its schema rejects the job. Such a
/// fault affects only the user's own job. The plugin of a job without a user must belong to this process's user or to
/// root, and its faults are the responsibility of the configuration's author.
struct ForeignUsers: Sendable {
  private var isForeign: [String: Bool] = [:]

  /// Looks up the job's user. May wait for the name service.
  mutating func add(_ job: Job) {
    guard let user = job.user, isForeign[user] == nil else { return }
    do throws(SystemError) {
      isForeign[user] = try UserRecord(named: user).user != CurrentProcess.effectiveUser
    } catch {
      // A missing user is a mistake in the configuration. A failure of the name service is not.
      isForeign[user] = !error.isMissing
    }
  }

  /// Whether the job runs as one of these users.
  func have(_ job: Job) -> Bool { job.user.map { isForeign[$0] == true } ?? false }
}
