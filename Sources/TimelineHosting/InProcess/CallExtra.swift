internal import CTimelinePlugin
internal import TimelineJSON
internal import TimelineWire

/// The parts of a call besides numbers, which few calls have, in the form that the plugin reads.
@safe final class CallExtra {
  private let previous: UnsafeMutablePointer<CChar>?
  private let bytes: UnsafeMutableBufferPointer<UInt8>
  private let store: ParameterStore?

  /// Returns the parts for the call; `nil` where there are only numbers, for which nothing is allocated.
  static func of(_ request: RunRequest) -> CallExtra? {
    let hasText = request.previous.map { !$0.text.isEmpty } ?? false
    return hasText || !request.cursor.isEmpty || request.upstream != nil ? CallExtra(request) : nil
  }

  private init(_ request: RunRequest) {
    let text = request.previous?.text ?? ""
    unsafe previous = text.isEmpty ? nil : makeCString(text)
    unsafe bytes = .allocate(capacity: request.cursor.count)
    _ = unsafe bytes.initialize(from: request.cursor)
    // The daemon writes it, so it is JSON; without it the plugin is run all the same.
    store = request.upstream.flatMap { try? JSONValue(parsing: $0) }.map(ParameterStore.init)
  }

  deinit {
    unsafe previous?.deallocate()
    unsafe bytes.deallocate()
  }

  /// The result of the job's previous run, or its error.
  var previousText: UnsafePointer<CChar>? { unsafe UnsafePointer(previous) }
  /// The job's cursor.
  var cursor: UnsafeRawPointer? { unsafe bytes.isEmpty ? nil : UnsafeRawPointer(bytes.baseAddress) }
  /// Its length in bytes.
  var cursorLength: Int { unsafe bytes.count }
  /// The end of another job's entry that the run reacts to.
  var upstream: OpaquePointer? { unsafe store.map(PluginInstance.pointer) }
}
