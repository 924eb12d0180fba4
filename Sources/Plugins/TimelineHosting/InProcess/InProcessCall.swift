package import TimelineSystem
package import TimelineWire

/// One call of a plugin in this process. It is prepared before its time, then made; ``end`` has the result.
package struct InProcessCall {
  private let request: RunRequest
  private let opened: Result<PluginInstance, OpenFailure>
  private let saidInOpen = Said(countMax: InProcessPlugin.messagesMax)
  private let said = Said(countMax: InProcessPlugin.messagesMax)
  /// End of the call; `nil` before ``make()`` was called.
  package private(set) var end: RunEnd?

  /// Prepares the call of `plugin` for `request`. If the job has no instance for these parameters, opens one first.
  package init(_ request: RunRequest, _ opening: OpenRequest, of plugin: InProcessPlugin) {
    self.request = request
    let said = saidInOpen
    opened = Result { () throws(OpenFailure) in
      try plugin.instance(for: opening) { said.add($0) }
    }
  }

  /// Calls the plugin and returns the instant of the call. Afterwards ``end`` has the result, or the reason why the
  /// instance could not be opened.
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

  /// Messages of the plugin during its open and the call, in order.
  package var messages: [HostMessage] { saidInOpen.all + said.all }
}
