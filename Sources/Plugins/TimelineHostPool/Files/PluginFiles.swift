import TimelineCore
import TimelineSystem

/// State of the files that plugin hosts read when they start: plugins, and the machine's users and groups. Credentials and
/// environment files are not included, because each run with such files has a new host.
///
/// The files are never read on the thread of an event loop, because a disk may not answer. A host that was started from an
/// older reading may differ from a new host: its plugin may have been replaced, or may no longer be trusted.
package struct PluginFiles: Sendable {
  /// Facts about the files that the hosts of one kind read.
  struct Reading: Sendable, Equatable {
    fileprivate var plugin: Plugin
    fileprivate var users: [String: FileFacts]
  }

  /// The file of one plugin and all steps of the path to the file. The owners and modes of the steps decide whether the
  /// plugin is trusted.
  fileprivate struct Plugin: Sendable, Equatable {
    var file: FileFacts?
    var steps: [String: FileFacts] = [:]
    /// Whether trust also depends on the machine's groups, because a group may write to a step.
    var dependsOnGroups: Bool { steps.values.contains { $0.mode & 0o020 != 0 } }
  }

  private var readings: [HostSpec: Reading] = [:]
  private var plugins: [String: Plugin] = [:]
  private var objections: [String: HostFailure] = [:]

  init() {}

  /// Reads the facts about the files of hosts of `kinds`; `userFiles` are the files with the machine's users and groups.
  package init(of kinds: some Sequence<HostSpec>, userFiles: [String]) {
    let users = Self.facts(of: userFiles)
    for kind in kinds {
      let path = kind.pluginPath
      let plugin = plugins[path] ?? Plugin(at: path)
      plugins[path] = plugin
      let dependsOnUsers = kind.user != nil || plugin.dependsOnGroups
      readings[Self.key(kind)] = Reading(plugin: plugin, users: dependsOnUsers ? users : [:])
      guard kind.isolation == .inProcess, objections[path] == nil else { continue }
      objections[path] = InProcessPlugins.objection(toFileAt: path)
    }
  }

  /// Merges a later reading; facts that `later` does not contain stay.
  mutating func merge(_ later: PluginFiles) {
    readings.merge(later.readings) { $1 }
    plugins.merge(later.plugins) { $1 }
    for path in later.plugins.keys { objections[path] = later.objections[path] }
  }

  /// Removes the facts about all kinds that are not in `kinds`.
  mutating func keep(only kinds: Set<HostSpec>) {
    let kept = Set(kinds.map(Self.key))
    let paths = Set(kinds.map(\.pluginPath))
    readings = readings.filter { kept.contains($0.key) }
    plugins = plugins.filter { paths.contains($0.key) }
    objections = objections.filter { paths.contains($0.key) }
  }

  /// Returns the reading about hosts of `kind`; `nil` if there is none.
  func reading(of kind: HostSpec) -> Reading? { readings[Self.key(kind)] }

  /// Whether the latest reading for `kind` differs from `former`, so that a new host would differ; false without a reading.
  func differ(from former: Reading?, for kind: HostSpec) -> Bool {
    guard let now = reading(of: kind) else { return false }
    return now != former
  }

  /// Whether the plugin's file at `path` differs from `file` in the latest reading; false if it was not read.
  func differ(from file: FileFacts, at path: String) -> Bool {
    guard let now = plugins[path] else { return false }
    return now.file != file
  }

  /// Returns the reason why the plugin at `path` may not be called in this process; `nil` if the call is allowed or the file
  /// was not read.
  func objection(toCallingPluginAt path: String) -> HostFailure? { objections[path] }

  /// The key of a kind. The identity of an in-process plugin is read by a plugin host, so both isolations share a key.
  private static func key(_ kind: HostSpec) -> HostSpec {
    guard kind.isolation == .inProcess else { return kind }
    var hosted = kind
    hosted.isolation = .host
    return hosted
  }

  private static func facts(of paths: some Sequence<String>) -> [String: FileFacts] {
    var facts: [String: FileFacts] = [:]
    for path in paths { facts[path] = try? FileFacts(at: path) }
    return facts
  }
}

extension PluginFiles.Plugin {
  init(at path: String) {
    file = try? FileFacts(at: path)
    // Both the links of the path and the targets of these links are steps.
    for way in Set([path, CurrentProcess.realPath(path) ?? path]) {
      var names = way.split(separator: "/")
      while true {
        let step = "/" + names.joined(separator: "/")
        steps[step] = (try? FileFacts(ofLinkAt: step))?.withoutContents
        if names.popLast() == nil { break }
      }
    }
  }
}

extension FileFacts {
  /// The facts without size, time of change and link count, which change when a file is created in the directory.
  fileprivate var withoutContents: FileFacts {
    var facts = self
    (facts.size, facts.modified, facts.linkCount) = (0, .init(secondsSinceEpoch: 0), 1)
    return facts
  }
}
