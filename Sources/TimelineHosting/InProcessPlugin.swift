internal import CTimelinePlugin
internal import Synchronization
package import TimelineCore
internal import TimelineSystem
package import TimelineWire

/// A trusted plugin in C that is called in this process, on the thread that asks: no socket, no hop, no protection.
///
/// A crash of it ends this process, and a call that does not return holds this thread for ever: nothing can ask a run to
/// stop while its thread is the one that would ask. It is never unloaded.
package final class InProcessPlugin {
  private struct Open {
    let request: OpenRequest
    let instance: PluginInstance
  }

  /// Messages of one call that are passed on; a plugin that says more in a call that is to take microseconds is broken.
  private static let messagesMax = 256
  /// Bytes of a library that are looked through for Swift's traces; plugins in C have less than a hundredth of it.
  private static let libraryBytesMax = 64 * 1024 * 1024

  private let plugin: LoadedPlugin
  private var open: [JobName: Open] = [:]

  /// Judges and loads the library at `path`; what its constructors and its entry function do, they do to this process.
  package init(path: String) throws(Refusal) {
    try Self.judge(path)
    plugin = try LoadedPlugin(path: path)
  }

  /// Refuses a library that may not be loaded into this process, without loading it.
  ///
  /// It must be root's or this process's own user's, who could do the same by other means, and hold no Swift: a second copy
  /// of Swift's runtime in one process is not sound.
  package static func judge(_ path: String) throws(Refusal) {
    let contents: FileContents
    do {
      contents = try FileContents.read(path, limit: libraryBytesMax)
    } catch {
      throw Refusal(
        file: path, reason: "it cannot be read: \(error.reason)",
        remedy: "correct the job's `plugin`, or take out isolation = \"in-process\"")
    }
    guard [0, CurrentProcess.effectiveUser].contains(contents.facts.owner) else {
      throw Refusal(
        file: path,
        reason:
          "it belongs to user \(contents.facts.owner), and in timelined's own process it could do what root may",
        remedy: "run chown root \(path), or take out isolation = \"in-process\"")
    }
    for trace in ["swift5_", "libswiftCore.so"] where contents.bytes.hold(trace) {
      throw Refusal(
        file: path, reason: "it has Swift in it, and timelined's process can hold one copy of Swift only",
        remedy: "take out isolation = \"in-process\", which is for plugins in C")
    }
  }

  /// A call of which all is done that can be done before its time.
  package struct ReadyCall {
    fileprivate let instance: Result<PluginInstance, OpenFailure>
    fileprivate let request: RunRequest
    fileprivate let said: Said
    fileprivate let call: PluginCall
  }

  /// What came of a call, not yet in words.
  package struct Outcome {
    fileprivate let returned: Int32?
  }

  /// Makes a call ready, which opens the job's instance first if it has none for these parameters.
  package func ready(_ opening: OpenRequest, _ request: RunRequest) -> ReadyCall {
    let said = Said()
    let call = PluginCall(run: request.run) { said.add($0) }
    do throws(OpenFailure) {
      let instance = try self.instance(for: opening) { said.add($0) }
      return ReadyCall(instance: .success(instance), request: request, said: said, call: call)
    } catch {
      return ReadyCall(instance: .failure(error), request: request, said: said, call: call)
    }
  }

  /// Calls the plugin for one run; `mark` is the last thing before that. What it said and how it ended is for ``end(_:_:)`` to
  /// tell, so that the next of many calls does not wait for that.
  package func call(_ ready: borrowing ReadyCall, before mark: () -> Void = {}) -> Outcome {
    switch ready.instance {
    case .success(let instance):
      let returned = instance.call(ready.request, as: ready.call, listener: nil, before: mark)
      return Outcome(returned: returned.map { Int32($0) })
    case .failure:
      mark()
      return Outcome(returned: nil)
    }
  }

  /// How a call ended, and what the plugin said meanwhile in its order.
  package func end(_ ready: ReadyCall, _ outcome: Outcome) -> (end: RunEnd, said: [HostMessage]) {
    let (request, said) = (ready.request, ready.said)
    switch ready.instance {
    case .success(let instance):
      let returned = outcome.returned.map { timelined_status($0) }
      return (instance.end(of: request.run, returned, ready.call), said.all)
    case .failure(let error):
      let end =
        (try? RunEnd(run: request.run, status: error.status, text: error.text))
        ?? RunEnd(run: request.run, failure: error.text)
      return (end, said.all)
    }
  }

  /// Closes the instances of the jobs that are meant.
  package func close(where isMeant: (JobName) -> Bool) {
    for (job, entry) in open.sorted(by: { $0.key < $1.key }) where isMeant(job) {
      entry.instance.close()
      open[job] = nil
    }
  }

  private func instance(
    for opening: OpenRequest, _ send: @escaping @Sendable (HostMessage) -> Void
  ) throws(OpenFailure) -> PluginInstance {
    if let entry = open[opening.job] {
      if entry.request == opening { return entry.instance }
      entry.instance.close()
      open[opening.job] = nil
    }
    let instance = try PluginInstance(plugin, opening, send: send)
    open[opening.job] = Open(request: opening, instance: instance)
    return instance
  }

  /// What a plugin says in a call, perhaps on threads of its own.
  fileprivate final class Said: Sendable {
    private let messages = Mutex<[HostMessage]>([])

    var all: [HostMessage] { messages.withLock { $0 } }

    func add(_ message: HostMessage) {
      messages.withLock { if $0.count < InProcessPlugin.messagesMax { $0.append(message) } }
    }
  }
}

extension [UInt8] {
  /// Whether `text` is somewhere in it.
  fileprivate func hold(_ text: String) -> Bool {
    let wanted = Array(text.utf8)
    guard let first = wanted.first, count >= wanted.count else { return false }
    return indices.dropLast(wanted.count - 1).contains { index in
      self[index] == first && self[index..<(index + wanted.count)].elementsEqual(wanted)
    }
  }
}
