internal import CTimelinePlugin
internal import TimelineCore
internal import TimelineWire

/// The host's side of the ABI: the table of functions that plugins call, made once for the process.
///
/// Sendable although it holds a pointer: the target of the pointer is written here before it is shared, and never changed
/// or freed.
@safe struct HostTable: @unchecked Sendable {
  /// The only table of this process.
  static let shared = HostTable()

  /// The pointer to the table that plugins receive.
  let pointer: UnsafePointer<timelined_host>

  private init() {
    let table = UnsafeMutablePointer<timelined_host>.allocate(capacity: 1)
    unsafe table.initialize(
      to: timelined_host(
        struct_size: UInt32(MemoryLayout<timelined_host>.size), abi_oldest: UInt32(TIMELINED_ABI_OLDEST),
        abi_newest: UInt32(TIMELINED_ABI_NEWEST), reserved: 0,
        log: { unsafe HostTable.log($0, $1, $2, $3) },
        report_progress: { unsafe call($0)?.report(fraction: $1, text: text($2) ?? "") },
        is_cancelled: { CurrentCall.shared.isCancelled(UInt(bitPattern: $0)) },
        set_result: { unsafe call($0)?.setResult(text($1)) },
        set_error: { unsafe call($0)?.setError(text($1)) },
        set_cursor: { unsafe HostTable.setCursor($0, $1, $2) },
        parameter_kind: { unsafe store($0)?.kind(text($1) ?? "") ?? timelined_kind(TIMELINED_KIND_ABSENT) },
        parameter_json: { unsafe store($0)?.json(text($1) ?? "") },
        parameter_text: { unsafe store($0)?.text(text($1) ?? "") },
        parameter_integer: { unsafe write(store($0)?.integer(text($1) ?? ""), to: $2) },
        parameter_number: { unsafe write(store($0)?.number(text($1) ?? ""), to: $2) },
        parameter_boolean: { unsafe write(store($0)?.boolean(text($1) ?? ""), to: $2) },
        parameter_count: { unsafe UInt64(store($0)?.count(text($1) ?? "") ?? 0) },
        parameter_key: { unsafe store($0)?.key(text($1) ?? "", $2) },
        current_mode: { unsafe HostTable.writeCurrentMode(of: $0, $1, $2) }))
    unsafe pointer = UnsafePointer(table)
  }

  private static func log(
    _ name: OpaquePointer?, _ level: timelined_level, _ message: UnsafePointer<CChar>?,
    _ fields: UnsafePointer<UnsafePointer<CChar>?>?
  ) {
    guard let call = unsafe call(name) else { return }
    var pairs: [LogLine.Field] = []
    if var next = unsafe fields {
      while pairs.count < WireLimits.fieldsMax, let key = unsafe text(next.pointee) {
        pairs.append(LogLine.Field(key: key, value: unsafe text(next[1]) ?? ""))
        unsafe next += 2
      }
    }
    let line = LogLine(
      run: call.run, level: UInt8(exactly: level).flatMap(LogLine.Level.init(rawValue:)) ?? .info,
      message: unsafe text(message) ?? "", fields: pairs)
    call.send(.log(line))
  }

  private static func writeCurrentMode(
    of name: OpaquePointer?, _ mode: UnsafeMutablePointer<timelined_mode>?,
    _ cadence: UnsafeMutablePointer<timelined_cadence>?
  ) -> Bool {
    guard let current = unsafe call(name)?.currentMode, let mode = unsafe mode, let cadence = unsafe cadence
    else {
      return false
    }
    unsafe mode.pointee = timelined_mode(current.mode)
    unsafe cadence.pointee = timelined_cadence(current.cadence.rawValue)
    return true
  }

  private static func setCursor(
    _ name: OpaquePointer?, _ bytes: UnsafeRawPointer?, _ length: UInt64
  ) -> Bool {
    guard let call = unsafe call(name), length <= UInt64(WireLimits.cursorMax),
      unsafe bytes != nil || length == 0
    else { return false }
    return call.setCursor(unsafe Array(UnsafeRawBufferPointer(start: bytes, count: Int(length))))
  }
}

private func call(_ name: OpaquePointer?) -> PluginCall? {
  CurrentCall.shared.call(UInt(bitPattern: name))
}

private func store(_ parameters: OpaquePointer?) -> ParameterStore? {
  unsafe parameters.map {
    unsafe Unmanaged<ParameterStore>.fromOpaque(UnsafeRawPointer($0)).takeUnretainedValue()
  }
}

/// The text of a C string, with U+FFFD for bytes that are not UTF-8.
private func text(_ pointer: UnsafePointer<CChar>?) -> String? {
  unsafe pointer.map { unsafe String(cString: $0) }
}

private func write<Value>(_ value: Value?, to target: UnsafeMutablePointer<Value>?) -> Bool {
  guard let value, let target = unsafe target else { return false }
  unsafe target.pointee = value
  return true
}
