internal import CTimelinePlugin
internal import TimelineCore
internal import TimelineJSON
internal import TimelineSystem
internal import TimelineWire

/// The instance that a plugin made for one job, with the calls that may be made on it.
///
/// Used on one thread: the main thread of a host, or the thread that calls an in-process plugin.
@safe final class PluginInstance {
  let request: OpenRequest
  private let plugin: LoadedPlugin
  private let parameters: ParameterStore
  private let job: UnsafeMutablePointer<CChar>
  /// The pointer that the plugin's open made.
  private var instance: UnsafeMutableRawPointer?
  /// Lead time, learned from earlier wake-ups, by which the process wakes before the time of a run that was sent ahead.
  private var margin = SleepMargin()
  private var isRehearsal: Bool { request.isRehearsal }

  /// Calls the plugin's open, and throws the error that the plugin reports. `store` contains the parameters if they were
  /// parsed before.
  init(
    _ plugin: LoadedPlugin, _ request: OpenRequest, store: ParameterStore? = nil,
    send: @escaping @Sendable (HostMessage) -> Void
  ) throws(OpenFailure) {
    self.request = request
    self.plugin = plugin
    if let store { parameters = store } else { parameters = try Self.store(of: request) }
    unsafe self.job = makeCString(request.job.text)
    guard let open = unsafe plugin.table.open else { return }

    let call = PluginCall(run: nil, send: send)
    let name = CurrentCall.shared.begin(call)
    var opening = unsafe timelined_opening(
      struct_size: UInt32(MemoryLayout<timelined_opening>.size), is_rehearsal: isRehearsal ? 1 : 0,
      host: HostTable.shared.pointer, call: OpaquePointer(bitPattern: name),
      parameters: Self.pointer(to: parameters),
      job: job, data: plugin.table.data)
    let returned = unsafe open(&opening, &instance)
    CurrentCall.shared.end(name)
    let status = RunStatus(returned: returned)
    guard status == .succeeded else {
      throw OpenFailure(status: status, text: call.said.error ?? Self.silence("open", returned))
    }
  }

  /// Returns the parameters of a request in the form in which a plugin reads them.
  static func store(of request: OpenRequest) throws(OpenFailure) -> ParameterStore {
    do {
      return ParameterStore(try JSONValue(parsing: request.parameters))
    } catch {
      throw OpenFailure(
        status: .failed,
        text: "the job's parameters are not JSON that a plugin can be given: \(error.description)")
    }
  }

  deinit {
    unsafe job.deallocate()
  }

  /// Calls the plugin's run and reports the time of the call. `listener` may ask the run to stop meanwhile. If it does, the
  /// call lasts until the killing of leftover processes is done. The plugin is not called if the run is asked to stop
  /// before its instant, or if its latest instant `startBy` has passed.
  func run(
    _ request: RunRequest, listener: (any RunListener)?, send: @escaping @Sendable (HostMessage) -> Void
  ) -> RunEnd {
    guard let run = unsafe plugin.table.run else {
      return RunEnd(run: request.run, failure: "the plugin has no run function")
    }
    let call = PluginCall(run: request.run, mode: CurrentMode(request.mode, request.cadence), send: send)
    var began: MonotonicInstant?
    let name = CurrentCall.shared.begin(call)
    let returned = unsafe withContext(request, name: name) { context -> timelined_status in
      listener?.runBegins(
        unsafe RunningCall(
          run: request.run, name: name, cancel: unsafe plugin.table.cancel, instance: unsafe instance,
          context: context))
      if let instant = request.notBefore {
        SystemTime.wait(
          until: MonotonicInstant(nanosecondsSinceBoot: instant), atMost: Self.waitMax,
          spinning: .nanoseconds(request.spin), margin: &margin)
      }
      guard listener?.runEnters() ?? true, Self.isInTime(request) else {
        listener?.runEnded()
        return timelined_status(TIMELINED_CANCELLED)
      }
      began = SystemTime.monotonic()
      let returned = unsafe run(instance, context)
      listener?.runEnded()
      return returned
    }
    CurrentCall.shared.end(name)
    let ended = SystemTime.monotonic()
    var end = end(of: request.run, returned, call.said)
    end.call = began.map {
      RunEnd.Call(began: $0.nanosecondsSinceBoot, took: UInt64(clamping: (ended - $0).nanoseconds))
    }
    return end
  }

  /// Whether the plugin may still be called. Checked directly before the call, because the process may just have been
  /// stopped for a while.
  private static func isInTime(_ request: RunRequest) -> Bool {
    request.startBy.map { SystemTime.sinceBoot() < .nanoseconds($0) } ?? true
  }

  /// The maximum wait before a call: much longer than the time by which runs are sent ahead.
  private static let waitMax = ElapsedTime.seconds(1)

  /// Calls the plugin's close. No other function may be called after it.
  func close() {
    unsafe plugin.table.close?(instance)
  }

  private func end(of run: UInt64, _ returned: timelined_status, _ said: PluginCall.Answers) -> RunEnd {
    let status = RunStatus(returned: returned)
    let text =
      switch status {
      case .succeeded: said.result ?? ""
      case .cancelled: said.error ?? ""
      case .failed, .failedForNow: said.error ?? Self.silence("run", returned)
      }
    do {
      return try RunEnd(
        run: run, status: status, text: text, cursor: status == .succeeded ? said.cursor : nil)
    } catch {
      return RunEnd(run: run, failure: "\(error)")
    }
  }

  private static func silence(_ function: String, _ returned: timelined_status) -> String {
    let meaning =
      switch Int(returned) {
      case TIMELINED_FAILED: "failure"
      case TIMELINED_RETRY: "a failure that is worth another try"
      case TIMELINED_CANCELLED: "that it was cancelled"
      default: "\(returned), which is no status"
      }
    return
      "the plugin's \(function) returned \(meaning) and did not say why; its author should call set_error"
  }

  /// Returns the pointer by which a plugin refers to a store. The store must live longer than the use of the pointer.
  static func pointer(to store: ParameterStore) -> OpaquePointer {
    unsafe OpaquePointer(Unmanaged.passUnretained(store).toOpaque())
  }

  /// Calls `body` with the plugin's context of a call. The pointers of the context refer to memory of this instance and of
  /// `request`.
  private func withContext<Result>(
    _ request: RunRequest, name: UInt, _ body: (UnsafePointer<timelined_context>) -> Result
  ) -> Result {
    let previousText = request.previous.map(\.text).flatMap { $0.isEmpty ? nil : $0 }
    // The daemon writes valid JSON. If the text is not JSON nevertheless, the plugin is run without it.
    let upstream = request.upstream.flatMap { try? JSONValue(parsing: $0) }.map(ParameterStore.init)
    defer { withExtendedLifetime(upstream) {} }
    let movedFrom = request.movedFrom.map(\.nanosecondsSinceEpoch)
    return unsafe request.runKey.withCString { runKey in
      unsafe withOptionalCString(previousText) { previousText in
        unsafe withBuffers(request.cursor, movedFrom) { cursor, movedFrom in
          var context = unsafe timelined_context(
            struct_size: UInt32(MemoryLayout<timelined_context>.size), attempt: request.attempt,
            host: HostTable.shared.pointer, call: OpaquePointer(bitPattern: name),
            parameters: Self.pointer(to: parameters), job: job,
            run_key: runKey, nominal: request.nominal.nanosecondsSinceEpoch,
            actual: request.actual.nanosecondsSinceEpoch,
            deadline: request.deadline?.nanosecondsSinceEpoch ?? .max, entry_count: request.entryCount,
            cadence: timelined_cadence(request.cadence.rawValue),
            mode: timelined_mode(request.mode),
            is_rehearsal: isRehearsal ? 1 : 0,
            previous_status: request.previous.map { timelined_status($0.status.rawValue) }
              ?? timelined_status(TIMELINED_NO_STATUS),
            previous_result: previousText, cursor: cursor.isEmpty ? nil : cursor.baseAddress,
            cursor_length: UInt64(cursor.count), upstream: upstream.map(Self.pointer),
            fencing_token: request.fencingToken ?? 0,
            moved_from: movedFrom.isEmpty ? nil : movedFrom.baseAddress,
            moved_from_count: UInt64(movedFrom.count))
          return unsafe withUnsafePointer(to: &context) { unsafe body($0) }
        }
      }
    }
  }
}

/// Calls `body` with the elements of two arrays.
private func withBuffers<Result>(
  _ bytes: [UInt8], _ numbers: [Int64],
  _ body: (UnsafeRawBufferPointer, UnsafeBufferPointer<Int64>) -> Result
) -> Result {
  unsafe bytes.withUnsafeBytes { bytes in
    unsafe numbers.withUnsafeBufferPointer { unsafe body(bytes, $0) }
  }
}

/// Calls `body` with `text` as a C string, or with `nil`.
private func withOptionalCString<Result>(_ text: String?, _ body: (UnsafePointer<CChar>?) -> Result) -> Result
{
  guard let text else { return body(nil) }
  return unsafe text.withCString { unsafe body($0) }
}

extension timelined_mode {
  /// Makes the number of a mode in the ABI.
  init(_ mode: ScheduleMode) {
    self.init(mode == .lowFrequency ? TIMELINED_MODE_LOW_FREQUENCY : TIMELINED_MODE_NORMAL)
  }
}

extension RunStatus {
  /// Makes the status that a plugin returned; an unknown number counts as a failure.
  fileprivate init(returned: timelined_status) {
    self = UInt8(exactly: returned).flatMap(RunStatus.init(rawValue:)) ?? .failed
  }
}
