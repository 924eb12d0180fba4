internal import CTimelinePlugin

/// A job's parameters: a JSON value that is read by JSON Pointer (RFC 6901).
///
/// `"/command/0"` is the first element of the array under `command`, and `""` is the whole value; `~1` is a slash in a key
/// and `~0` a tilde. An accessor comes in up to three forms. The first throws a ``Failure`` for an absent value. The second
/// returns a default for an absent value. The third returns `nil` for an absent value; ``optionalTable(_:)`` has only this
/// form. A present value of another kind is always a ``Failure`` with the pointer, the expected kind and the found kind.
///
/// The host keeps the parameters until the job is closed. Do not read them after that.
///
/// Sendable although it holds pointers: the host's table is immutable and lives as long as the process, parameters
/// never change, and the host's functions may be called on any thread (timelined_plugin.h, "Threads").
@safe public struct Parameters: @unchecked Sendable {
  private let host: UnsafePointer<timelined_host>
  private let handle: OpaquePointer?

  init(host: UnsafePointer<timelined_host>, handle: OpaquePointer?) {
    unsafe self.host = host
    unsafe self.handle = handle
  }

  /// The type of a value.
  public enum Kind: Int32, Sendable, Hashable, CaseIterable, CustomStringConvertible {
    /// No value.
    case absent = 0
    /// JSON's `null`.
    case null = 1
    /// `true` or `false`.
    case boolean = 2
    /// A number without a fraction that fits in 64 bits.
    case integer = 3
    /// Any other number, with a fraction or beyond 64 bits.
    case number = 4
    /// A text.
    case text = 5
    /// An array.
    case array = 6
    /// An object.
    case object = 7

    /// The kind with its article, for messages.
    public var description: String {
      switch self {
      case .absent: "nothing"
      case .null: "null"
      case .boolean: "a boolean"
      case .integer: "an integer"
      case .number: "a number"
      case .text: "text"
      case .array: "an array"
      case .object: "an object"
      }
    }
  }

  /// Returns the type of the value at `pointer`.
  public func kind(_ pointer: String) -> Kind {
    Kind(rawValue: unsafe host.pointee.parameter_kind(handle, pointer)) ?? .absent
  }

  /// Returns the value at `pointer` as JSON text; `nil` if it is absent.
  public func json(_ pointer: String = "") -> String? {
    unsafe host.pointee.parameter_json(handle, pointer).map { unsafe String(cString: $0) }
  }

  /// Returns the number of elements of the array, or of keys of the object, at `pointer`; 0 for anything else.
  public func count(_ pointer: String) -> Int {
    Int(clamping: unsafe host.pointee.parameter_count(handle, pointer))
  }

  /// Returns the keys of the object at `pointer`, in order of their bytes; empty for anything else.
  public func keys(_ pointer: String = "") -> [String] {
    guard kind(pointer) == .object else { return [] }
    return (0..<count(pointer)).compactMap { index in
      unsafe host.pointee.parameter_key(handle, pointer, UInt64(index)).map { unsafe String(cString: $0) }
    }
  }
}

extension Parameters {
  /// Returns the text at `pointer`; `nil` if it is absent.
  public func optionalText(_ pointer: String) throws -> String? {
    try value(pointer, "text") {
      unsafe host.pointee.parameter_text(handle, pointer).map { unsafe String(cString: $0) }
    }
  }

  /// Returns the integer at `pointer`; `nil` if it is absent.
  public func optionalInteger(_ pointer: String) throws -> Int64? {
    try value(pointer, "an integer") {
      var value: Int64 = 0
      return unsafe host.pointee.parameter_integer(handle, pointer, &value) ? value : nil
    }
  }

  /// Returns the number at `pointer`, including integers; `nil` if it is absent.
  public func optionalNumber(_ pointer: String) throws -> Double? {
    try value(pointer, "a number") {
      var value = 0.0
      return unsafe host.pointee.parameter_number(handle, pointer, &value) ? value : nil
    }
  }

  /// Returns the boolean at `pointer`; `nil` if it is absent.
  public func optionalBoolean(_ pointer: String) throws -> Bool? {
    try value(pointer, "true or false") {
      var value = false
      return unsafe host.pointee.parameter_boolean(handle, pointer, &value) ? value : nil
    }
  }

  /// Returns the texts of the array at `pointer`; `nil` if it is absent.
  public func optionalTexts(_ pointer: String) throws -> [String]? {
    try value(pointer, "an array of texts") {
      guard kind(pointer) == .array else { return nil }
      return try (0..<count(pointer)).map { try text("\(pointer)/\($0)") }
    }
  }

  /// Returns the texts of the object at `pointer` by their keys; `nil` if it is absent.
  public func optionalTable(_ pointer: String) throws -> [String: String]? {
    try value(pointer, "an object of texts") {
      guard kind(pointer) == .object else { return nil }
      return try Dictionary(
        uniqueKeysWithValues: keys(pointer).map { ($0, try text("\(pointer)/\(Self.escaped($0))")) })
    }
  }

  /// Returns the text at `pointer`.
  public func text(_ pointer: String) throws -> String {
    try required(pointer, "text", optionalText(pointer))
  }
  /// Returns the text at `pointer`, or `absent` if there is none.
  public func text(_ pointer: String, default absent: String) throws -> String {
    try optionalText(pointer) ?? absent
  }
  /// Returns the integer at `pointer`.
  public func integer(_ pointer: String) throws -> Int64 {
    try required(pointer, "an integer", optionalInteger(pointer))
  }
  /// Returns the integer at `pointer`, or `absent` if there is none.
  public func integer(_ pointer: String, default absent: Int64) throws -> Int64 {
    try optionalInteger(pointer) ?? absent
  }
  /// Returns the number at `pointer`, including integers.
  public func number(_ pointer: String) throws -> Double {
    try required(pointer, "a number", optionalNumber(pointer))
  }
  /// Returns the number at `pointer`, including integers, or `absent` if there is none.
  public func number(_ pointer: String, default absent: Double) throws -> Double {
    try optionalNumber(pointer) ?? absent
  }
  /// Returns the boolean at `pointer`.
  public func boolean(_ pointer: String) throws -> Bool {
    try required(pointer, "true or false", optionalBoolean(pointer))
  }
  /// Returns the boolean at `pointer`, or `absent` if there is none.
  public func boolean(_ pointer: String, default absent: Bool) throws -> Bool {
    try optionalBoolean(pointer) ?? absent
  }
  /// Returns the texts of the array at `pointer`.
  public func texts(_ pointer: String) throws -> [String] {
    try required(pointer, "an array of texts", optionalTexts(pointer))
  }
  /// Returns the texts of the array at `pointer`, or `absent` if there is none.
  public func texts(_ pointer: String, default absent: [String]) throws -> [String] {
    try optionalTexts(pointer) ?? absent
  }

  /// Returns `key` in the form in which it is written in a pointer.
  public static func escaped(_ key: String) -> String {
    var text = ""
    for character in key.unicodeScalars {
      switch character {
      case "~": text += "~0"
      case "/": text += "~1"
      default: text.unicodeScalars.append(character)
      }
    }
    return text
  }

  private func value<Value>(_ pointer: String, _ expected: String, _ read: () throws -> Value?) throws
    -> Value?
  {
    if let value = try read() { return value }
    let found = kind(pointer)
    guard found != .absent else { return nil }
    throw Failure(
      "the parameter \(pointer) must be \(expected), and is \(found): correct it in the job's `with`")
  }

  private func required<Value>(_ pointer: String, _ expected: String, _ value: Value?) throws -> Value {
    guard let value else {
      throw Failure("the parameter \(pointer) is missing: give \(expected) in the job's `with`")
    }
    return value
  }
}
