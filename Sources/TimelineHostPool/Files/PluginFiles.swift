import TimelineCore
import TimelineSystem

/// The files that plugin hosts take something from when they start, as they were at one time: plugins, and the machine's users and
/// groups. Credentials and environment files are not among them: each run has a new host for these.
///
/// It is read on any thread but an event loop's, because a disk may not answer. A host that was started by another reading than the
/// latest is not what a new host would be: its plugin may have been replaced, or may no longer be trusted.
package struct PluginFiles: Sendable {
  /// All that the hosts of one kind take from files.
  struct Reading: Sendable, Hashable {
    fileprivate var plugin: Plugin
    fileprivate var users: [String: FileFacts]
  }

  /// One plugin's file, and each step on the way to it: who owns and may write them decides whether it is trusted.
  fileprivate struct Plugin: Sendable, Hashable {
    var file: FileFacts?
    var steps: [String: FileFacts] = [:]
    /// Whether the machine's groups decide too, because a group may write a step.
    var dependsOnGroups: Bool { steps.values.contains { $0.mode & 0o020 != 0 } }
  }

  private var readings: [HostSpec: Reading] = [:]
  private var plugins: [String: Plugin] = [:]
  private var objections: [String: HostFailure] = [:]

  /// Nothing read yet.
  init() {}

  /// Reads what hosts of these kinds take from files; `userFiles` are those that hold the machine's users and groups.
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

  /// Takes in a later reading; what it has nothing about stays.
  mutating func merge(_ later: PluginFiles) {
    readings.merge(later.readings) { $1 }
    plugins.merge(later.plugins) { $1 }
    for path in later.plugins.keys { objections[path] = later.objections[path] }
  }

  /// Forgets what is about other kinds than these.
  mutating func keep(only kinds: Set<HostSpec>) {
    let kept = Set(kinds.map(Self.key))
    let paths = Set(kinds.map(\.pluginPath))
    readings = readings.filter { kept.contains($0.key) }
    plugins = plugins.filter { paths.contains($0.key) }
    objections = objections.filter { paths.contains($0.key) }
  }

  /// The reading about hosts of that kind; `nil` when there is none.
  func reading(of kind: HostSpec) -> Reading? { readings[Self.key(kind)] }

  /// Whether a host of that kind that was started by `former` is not what a new one would be.
  func differ(from former: Reading?, for kind: HostSpec) -> Bool {
    guard let now = reading(of: kind) else { return false }
    return now != former
  }

  /// Whether the plugin's file is not the one with these facts, as far as it was read.
  func differ(from file: FileFacts, at path: String) -> Bool {
    guard let now = plugins[path] else { return false }
    return now.file != file
  }

  /// The reason why the plugin at that path may not be called in this process; `nil` when it may, as far as it was read.
  func objection(toCallingPluginAt path: String) -> HostFailure? { objections[path] }

  /// A plugin that is called in this process is asked who it is in a host.
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
    // Links on the way are steps, and so is what they lead to.
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
  /// The facts but for what changes with each file that is made in a directory.
  fileprivate var withoutContents: FileFacts {
    var facts = self
    (facts.size, facts.modified, facts.linkCount) = (0, .init(secondsSinceEpoch: 0), 1)
    return facts
  }
}
