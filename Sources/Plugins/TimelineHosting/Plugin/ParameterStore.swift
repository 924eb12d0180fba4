internal import CTimelinePlugin
internal import Synchronization
internal import TimelineJSON

/// A job's parameters in the form in which a plugin reads them: a JSON value, and the C strings that the plugin has read.
/// The C strings live as long as the store. A `timelined_parameters` pointer refers to a store.
@safe final class ParameterStore: Sendable {
  private enum Question: Hashable {
    case json(pointer: String)
    case text(pointer: String)
    case key(pointer: String, index: Int)
  }

  private let root: JSONValue
  /// Addresses of the C strings by request. A plugin makes a handful of different requests, during its `open`.
  private let strings = Mutex<[Question: UInt]>([:])

  init(_ root: JSONValue) {
    self.root = root
  }

  deinit {
    strings.withLock { strings in
      for address in strings.values { unsafe UnsafeMutablePointer<CChar>(bitPattern: address)?.deallocate() }
    }
  }

  func kind(_ pointer: String) -> timelined_kind {
    let kind =
      switch root.value(at: pointer) {
      case nil: TIMELINED_KIND_ABSENT
      case .null: TIMELINED_KIND_NULL
      case .boolean: TIMELINED_KIND_BOOLEAN
      case .integer: TIMELINED_KIND_INTEGER
      case .number: TIMELINED_KIND_NUMBER
      case .string: TIMELINED_KIND_TEXT
      case .array: TIMELINED_KIND_ARRAY
      case .object: TIMELINED_KIND_OBJECT
      }
    return timelined_kind(kind)
  }

  func json(_ pointer: String) -> UnsafePointer<CChar>? {
    unsafe string(.json(pointer: pointer)) { root.value(at: pointer)?.description }
  }

  func text(_ pointer: String) -> UnsafePointer<CChar>? {
    guard case .string(let text) = root.value(at: pointer) else { return nil }
    return unsafe string(.text(pointer: pointer)) { text }
  }

  func integer(_ pointer: String) -> Int64? {
    guard case .integer(let value) = root.value(at: pointer) else { return nil }
    return value
  }

  func number(_ pointer: String) -> Double? {
    switch root.value(at: pointer) {
    case .integer(let value): Double(value)
    case .number(let value): value
    default: nil
    }
  }

  func boolean(_ pointer: String) -> Bool? {
    guard case .boolean(let value) = root.value(at: pointer) else { return nil }
    return value
  }

  func count(_ pointer: String) -> Int {
    switch root.value(at: pointer) {
    case .array(let elements): elements.count
    case .object(let members): members.count
    default: 0
    }
  }

  func key(_ pointer: String, _ index: UInt64) -> UnsafePointer<CChar>? {
    guard case .object(let members) = root.value(at: pointer), let index = Int(exactly: index),
      members.indices.contains(index)
    else { return nil }
    return unsafe string(.key(pointer: pointer, index: index)) { members[index].key }
  }

  private func string(_ question: Question, _ answer: () -> String?) -> UnsafePointer<CChar>? {
    let address = strings.withLock { strings -> UInt? in
      if let known = strings[question] { return known }
      guard let answer = answer() else { return nil }
      let made = unsafe UInt(bitPattern: makeCString(answer))
      strings[question] = made
      return made
    }
    return unsafe address.flatMap { unsafe UnsafePointer(bitPattern: $0) }
  }
}

/// Returns a NUL-terminated copy of `text`, which the caller deallocates.
func makeCString(_ text: String) -> UnsafeMutablePointer<CChar> {
  let bytes = text.utf8CString
  let pointer = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count)
  for (index, byte) in bytes.enumerated() { unsafe (pointer + index).initialize(to: byte) }
  return unsafe pointer
}
