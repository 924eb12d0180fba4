package import TimelineSystem
package import TimelineWire

/// One call of a plugin in this process: prepared before its time, made, and then asked for what came of it.
package struct InProcessCall {
  private let request: RunRequest
  private let opened: Result<PluginInstance, OpenFailure>
  private let saidInOpen = Said(countMax: InProcessPlugin.messagesMax)
  private let said = Said(countMax: InProcessPlugin.messagesMax)
  /// End of the call; `nil` before ``make()``.
  package private(set) var end: RunEnd?

  /// Prepares the call of `plugin` for `request`, which opens the job's instance first if it has none for these parameters.
  package init(_ request: RunRequest, _ opening: OpenRequest, of plugin: InProcessPlugin) {
    self.request = request
    let said = saidInOpen
    opened = Result { () throws(OpenFailure) in
      try plugin.instance(for: opening) { said.add($0) }
    }
  }

  /// Calls the plugin and returns when; what it returned, or why it could not be opened, is in ``end`` from then on.
  package mutating func make() -> MonotonicInstant {
    let began = SystemTime.monotonic()
    switch opened {
    case .success(let instance):
      let said = said
      let end = instance.run(request, listener: nil) { said.add($0) }
      self.end = end
      return end.call.map { MonotonicInstant(nanosecondsSinceBoot: $0.began) } ?? began
    case .failure(let failure):
      end =
        (try? RunEnd(run: request.run, status: failure.status, text: failure.text))
        ?? RunEnd(run: request.run, failure: failure.text)
      return began
    }
  }

  /// Messages of the plugin in its open and in the call, in their order.
  package var messages: [HostMessage] { saidInOpen.all + said.all }
}
