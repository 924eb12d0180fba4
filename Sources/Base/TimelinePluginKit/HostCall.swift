internal import CTimelinePlugin

/// The host's table together with the active call.
///
/// Sendable although it holds pointers. The table is immutable and lives as long as the process. The call is a number and
/// not an address, and the host ignores it after the call has returned. The host's functions may be called on any thread
/// (timelined_plugin.h, "Threads").
@safe struct HostCall: @unchecked Sendable {
  private let host: UnsafePointer<timelined_host>
  private let call: OpaquePointer?

  init(host: UnsafePointer<timelined_host>, call: OpaquePointer?) {
    unsafe self.host = host
    unsafe self.call = call
  }

  func log(_ message: String, level: LogLevel, fields: some Collection<(key: String, value: String)>) {
    guard !fields.isEmpty else {
      unsafe host.pointee.log(call, level.rawValue, message, nil)
      return
    }
    let texts = unsafe fields.flatMap { unsafe [copy($0.key), copy($0.value)] }
    defer { unsafe texts.forEach { unsafe $0?.deallocate() } }
    unsafe host.pointee.log(call, level.rawValue, message, texts + [nil])
  }

  func report(progress fraction: Double?, _ text: String?) {
    unsafe host.pointee.report_progress(call, fraction ?? .nan, text)
  }

  var isCancelled: Bool { unsafe host.pointee.is_cancelled(call) }

  /// The daemon's mode and cadence at present; `nil` if the host is older than the functions that return them.
  var present: (isLowFrequency: Bool, cadence: RunContext.Cadence)? {
    let end = unsafe MemoryLayout<timelined_host>.offset(of: \.current_mode).map {
      $0 + MemoryLayout<UInt>.size
    }
    guard let end, unsafe Int(host.pointee.struct_size) >= end, let ask = unsafe host.pointee.current_mode
    else { return nil }
    var mode = timelined_mode(TIMELINED_MODE_NORMAL)
    var cadence = timelined_cadence(TIMELINED_CADENCE_LIVE)
    guard unsafe ask(call, &mode, &cadence) else { return nil }
    return (mode == TIMELINED_MODE_LOW_FREQUENCY, RunContext.Cadence(rawValue: cadence) ?? .live)
  }

  func setResult(_ text: String) {
    unsafe host.pointee.set_result(call, text)
  }

  func setError(_ text: String) {
    unsafe host.pointee.set_error(call, text)
  }

  func setCursor(_ bytes: [UInt8]) -> Bool {
    unsafe host.pointee.set_cursor(call, bytes, UInt64(bytes.count))
  }
}

/// Returns a NUL-terminated copy of `text`, which the caller deallocates.
func copy(_ text: String) -> UnsafePointer<CChar>? {
  let bytes = text.utf8CString
  let buffer = UnsafeMutableBufferPointer<CChar>.allocate(capacity: bytes.count)
  _ = unsafe buffer.initialize(from: bytes)
  return unsafe UnsafePointer(buffer.baseAddress)
}
