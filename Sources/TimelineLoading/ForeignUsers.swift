import TimelineConfiguration
import TimelineSystem

/// The users of jobs who are not the user of this process.
///
/// Such a user may be the author of the job's plugin, and is master of the host that loads it, of its working directory and of its home. So
/// it may be their mistake when the plugin cannot be asked who it is, or when its schema refuses the job: that costs the job alone. A plugin
/// of a job without a user has to belong to this process's user or to root, and is the mistake of the configuration's author.
struct ForeignUsers: Sendable {
  private var isForeign: [String: Bool] = [:]

  /// Looks the job's user up, which waits for the name service.
  mutating func add(_ job: Job) {
    guard let user = job.user, isForeign[user] == nil else { return }
    do throws(SystemError) {
      isForeign[user] = try UserRecord(named: user).user != CurrentProcess.effectiveUser
    } catch {
      // A user who is not there is a mistake of the configuration; a name service that does not answer is none.
      isForeign[user] = !error.isMissing
    }
  }

  /// Whether the job runs as one of them.
  func have(_ job: Job) -> Bool { job.user.map { isForeign[$0] == true } ?? false }
}
