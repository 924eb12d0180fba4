import TimelineConfiguration
import TimelineHostPool

/// The plugin libraries of one configuration's jobs, found or not.
///
/// Plugins are searched before they are inspected, on any thread, because a disk may not answer.
package struct PluginPlaces: Sendable {
  private var paths: [String: Result<String, HostFailure>] = [:]
  private var foreignUsers = ForeignUsers()
  /// State of the files that the hosts of all jobs depend on.
  let files: PluginFiles

  /// Searches each job's plugin in the directories of `search`, and reads the state of the files that its host
  /// depends on. `userFiles` are the files with the machine's users and groups.
  init(of configuration: Configuration, in search: PluginSearch, userFiles: [String]) {
    var kin: Set<ObjectIdentifier> = []
    var kinds: Set<HostSpec> = []
    for job in configuration.jobs where kin.insert(job.kin).inserted {
      let name = job.plugin.text
      let found =
        paths[name] ?? Result { () throws(HostFailure) in try search.path(of: job.plugin.text) }
      paths[name] = found
      foreignUsers.add(job)
      guard case .success(let path) = found else { continue }
      kinds.insert(HostSpec(pluginPath: path, user: job.user, setup: job.setup, isolation: job.isolation))
    }
    files = PluginFiles(of: kinds, userFiles: userFiles)
  }

  /// Whether another user may have caused a fault of the job's plugin.
  func isOfOthers(_ job: Job) -> Bool { foreignUsers.have(job) }

  /// Returns the path of the job's plugin. Throws a message with the searched directories.
  func path(of job: Job) throws(HostFailure) -> String {
    guard let found = paths[job.plugin.text] else {
      preconditionFailure("the job is of another configuration than the plugins that were looked for")
    }
    return try found.get()
  }
}
