internal import CTimelinePlugin
internal import Synchronization
package import TimelineCore
package import TimelineSystem
package import TimelineWire

/// A trusted plugin in C that is called in this process, on the caller's thread: no socket, no change of threads, no
/// protection.
///
/// A crash of the plugin ends this process, and a call that does not return blocks this thread forever. A run cannot be
/// asked to stop, because the only thread that could ask runs the plugin. The plugin is never unloaded.
package final class InProcessPlugin {
  /// Messages of one call that are passed on. A call takes microseconds, so a plugin that logs more is faulty.
  package static let messagesMax = 256
  /// Largest library that is searched for traces of Swift, in bytes; a larger library is refused. Plugins in C have less
  /// than a hundredth of this size.
  private static let libraryBytesMax = 64 * 1024 * 1024

  private let plugin: LoadedPlugin
  private var open: [JobName: PluginInstance] = [:]
  private var lastStore: (text: String, store: ParameterStore)?

  /// The facts of the file that was checked and loaded.
  package let file: FileFacts

  /// Checks and loads the library at `path`. Its constructors and its entry function run in this process.
  package init(path: String) throws(Refusal) {
    let library = try Self.judged(path)
    file = library.facts
    plugin = try LoadedPlugin(library, path: path)
  }

  /// Refuses a library that may not be loaded into this process, without loading it.
  package static func judge(_ path: String) throws(Refusal) { _ = try judged(path) }

  /// The library at `path`, open and checked. The library must be trusted as in a host, and must not contain Swift, because
  /// two copies of Swift's runtime in one process are unsound.
  private static func judged(_ path: String) throws(Refusal) -> LibraryFile {
    // The name service is not used, because this may be the thread that starts all runs, and a name service may hang.
    let library = try LibraryFile.open(at: path, trustingPrivateGroups: false)
    let bytes: [UInt8]
    do {
      bytes = try library.contents(limit: libraryBytesMax)
    } catch {
      throw Refusal(
        file: path, reason: "it cannot be read: \(error.plainReason)",
        remedy: "correct the job's `plugin`, or take out isolation = \"in-process\"")
    }
    for trace in ["swift5_", "libswiftCore.so"] where bytes.hold(trace) {
      throw Refusal(
        file: path, reason: "it has Swift in it, and timelined's process can hold one copy of Swift only",
        remedy: "take out isolation = \"in-process\", which is for plugins in C")
    }
    return library
  }

  /// Closes the instances of the jobs for which `isMeant` returns true.
  package func close(where isMeant: (JobName) -> Bool) {
    for (job, instance) in open.sorted(on: \.key) where isMeant(job) {
      instance.close()
      open[job] = nil
    }
  }

  /// Returns the job's instance for these parameters, and opens one if there is none. `send` receives the plugin's messages
  /// during its open.
  func instance(for opening: OpenRequest, send: @escaping @Sendable (HostMessage) -> Void) throws(OpenFailure)
    -> PluginInstance
  {
    if let known = open[opening.job] {
      if known.request == opening { return known }
      known.close()
      open[opening.job] = nil
    }
    let instance = try PluginInstance(plugin, opening, store: try store(of: opening), send: send)
    open[opening.job] = instance
    return instance
  }

  /// Returns the parameters of a request. Many jobs may have the same text of parameters, so each text is parsed and stored
  /// once; stored parameters never change.
  private func store(of opening: OpenRequest) throws(OpenFailure) -> ParameterStore {
    if let lastStore, lastStore.text == opening.parameters { return lastStore.store }
    let store = try PluginInstance.store(of: opening)
    lastStore = (opening.parameters, store)
    return store
  }
}

extension [UInt8] {
  /// Whether the bytes contain `text`.
  fileprivate func hold(_ text: String) -> Bool {
    let wanted = Array(text.utf8)
    guard let first = wanted.first, count >= wanted.count else { return false }
    return indices.dropLast(wanted.count - 1).contains { index in
      self[index] == first && self[index..<(index + wanted.count)].elementsEqual(wanted)
    }
  }
}
