import TimelineConfiguration
import TimelinePlugins

/// The libraries that the jobs of one configuration name as their plugins, found or not.
///
/// They are looked for before plugins are inspected, on any thread: the directories may lie on a disk that does not answer.
package struct PluginPlaces: Sendable {
  private var paths: [String: Result<String, HostFailure>] = [:]

  /// Looks for the plugin of each job of `configuration` in `search`'s directories.
  init(of configuration: Configuration, in search: PluginSearch) {
    for job in configuration.jobs where paths[job.plugin.text] == nil {
      paths[job.plugin.text] = Result { () throws(HostFailure) in try search.path(of: job.plugin.text) }
    }
  }

  /// The path of the job's plugin. Throws a sentence that lists the directories searched.
  func path(of job: Job) throws(HostFailure) -> String {
    guard let found = paths[job.plugin.text] else {
      preconditionFailure("the job is of another configuration than the plugins that were looked for")
    }
    return try found.get()
  }
}
