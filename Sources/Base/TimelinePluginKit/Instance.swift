internal import CTimelinePlugin

/// The box that the host holds: a plugin's object and the data of its runs.
final class Instance {
  private let plugin: any TimelinePlugin
  private let cancellation = Cancellation()

  private init(_ plugin: any TimelinePlugin) {
    self.plugin = plugin
  }

  static func open(
    _ opening: UnsafePointer<timelined_opening>?, _ result: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
  ) -> timelined_status {
    guard let opening = unsafe opening?.pointee, let result = unsafe result, let host = unsafe opening.host,
      let data = unsafe opening.data
    else { return timelined_status(TIMELINED_FAILED) }
    let type = unsafe data.assumingMemoryBound(to: (any TimelinePlugin.Type).self).pointee
    let call = unsafe HostCall(host: host, call: opening.call)
    do {
      let instance = unsafe Instance(
        try type.init(
          Opening(
            job: unsafe string(opening.job) ?? "",
            parameters: Parameters(host: host, handle: opening.parameters),
            isRehearsal: unsafe opening.is_rehearsal != 0, call: call)))
      unsafe result.pointee = Unmanaged.passRetained(instance).toOpaque()
      return timelined_status(TIMELINED_OK)
    } catch {
      return status(of: error, to: call)
    }
  }

  static func run(
    _ instance: UnsafeMutableRawPointer?, _ context: UnsafePointer<timelined_context>?
  ) -> timelined_status {
    guard let instance = unsafe instance, let context = unsafe context.map({ unsafe known(of: $0) }),
      let host = unsafe context.host
    else { return timelined_status(TIMELINED_FAILED) }
    let box = unsafe Unmanaged<Instance>.fromOpaque(instance).takeUnretainedValue()
    let call = unsafe HostCall(host: host, call: context.call)
    defer { box.cancellation.reset() }
    do {
      let values = unsafe RunContext(context, host: host, call: call, cancellation: box.cancellation)
      if let result = try box.plugin.run(values) { call.setResult(result) }
      return timelined_status(TIMELINED_OK)
    } catch {
      return status(of: error, to: call)
    }
  }

  static func cancel(_ instance: UnsafeMutableRawPointer?) {
    guard let instance = unsafe instance else { return }
    unsafe Unmanaged<Instance>.fromOpaque(instance).takeUnretainedValue().cancellation.cancel()
  }

  static func close(_ instance: UnsafeMutableRawPointer?) {
    guard let instance = unsafe instance else { return }
    unsafe Unmanaged<Instance>.fromOpaque(instance).release()
  }

  private static func status(of error: any Error, to call: HostCall) -> timelined_status {
    switch error {
    case is CancellationError:
      return timelined_status(TIMELINED_CANCELLED)
    case let failure as RetryableFailure:
      call.setError(failure.description)
      return timelined_status(TIMELINED_RETRY)
    default:
      call.setError(String(describing: error))
      return timelined_status(TIMELINED_FAILED)
    }
  }
}

extension RunContext {
  fileprivate init(
    _ context: timelined_context, host: UnsafePointer<timelined_host>, call: HostCall,
    cancellation: Cancellation
  ) {
    unsafe self.init(
      job: string(context.job) ?? "", runKey: string(context.run_key) ?? "",
      parameters: Parameters(host: host, handle: context.parameters), nominal: context.nominal,
      actual: context.actual, deadline: context.deadline == .max ? nil : context.deadline,
      attempt: Int(context.attempt), entryCount: Int(clamping: context.entry_count),
      cadence: Cadence(rawValue: context.cadence) ?? .live,
      isLowFrequency: context.mode == TIMELINED_MODE_LOW_FREQUENCY, isRehearsal: context.is_rehearsal != 0,
      previous: PreviousRun.Status(rawValue: context.previous_status).map {
        unsafe PreviousRun(status: $0, text: string(context.previous_result))
      },
      cursor: context.cursor.map {
        unsafe Array(UnsafeRawBufferPointer(start: $0, count: Int(clamping: context.cursor_length)))
      } ?? [],
      upstream: context.upstream.map { unsafe Parameters(host: host, handle: $0) },
      fencingToken: context.fencing_token == 0 ? nil : context.fencing_token,
      movedFrom: context.moved_from.map {
        unsafe Array(UnsafeBufferPointer(start: $0, count: Int(clamping: context.moved_from_count)))
      } ?? [], call: call, cancellation: cancellation)
  }
}

/// A copy of a context with the members that the host supports; newer members are zero.
private func known(of context: UnsafePointer<timelined_context>) -> timelined_context {
  var copy = unsafe timelined_context()
  let size = Int(unsafe context.pointee.struct_size)
  unsafe withUnsafeMutableBytes(of: &copy) { target in
    unsafe target.copyMemory(from: UnsafeRawBufferPointer(start: context, count: min(size, target.count)))
  }
  return unsafe copy
}

private func string(_ pointer: UnsafePointer<CChar>?) -> String? {
  unsafe pointer.map { unsafe String(cString: $0) }
}
