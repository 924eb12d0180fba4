/// Reads JSON text (RFC 8259) strictly. Distinguishes `1` from `1.0`, which decoders of Swift types do not.
struct JSONReader {
  /// Nesting of arrays and objects: far more than a file of jobs has, and far less than the stack holds.
  private static let depthMax = 256

  private let bytes: [UInt8]
  private var place = 0
  private var depth = 0

  private init(_ text: String) {
    bytes = Array(text.utf8)
  }

  /// Returns the value of the whole text.
  static func value(of text: String) throws(JSONError) -> JSONValue {
    var reader = JSONReader(text)
    let value = try reader.value()
    reader.skipBlanks()
    guard reader.place == reader.bytes.count else { throw reader.error("expected the end") }
    return value
  }

  private func error(_ reason: String) -> JSONError {
    JSONError(description: "\(reason) at byte \(place + 1)")
  }

  private var next: UInt8? { place < bytes.count ? bytes[place] : nil }

  private mutating func skipBlanks() {
    while let byte = next, [0x20, 0x09, 0x0A, 0x0D].contains(byte) { place += 1 }
  }

  /// Skips blanks, and `byte` if it is next. Returns whether it was next.
  private mutating func pass(_ byte: Unicode.Scalar) -> Bool {
    skipBlanks()
    guard next == UInt8(ascii: byte) else { return false }
    place += 1
    return true
  }

  private mutating func pass(word: StaticString) -> Bool {
    let wanted = "\(word)".utf8
    guard bytes[place...].starts(with: wanted) else { return false }
    place += wanted.count
    return true
  }

  private mutating func value() throws(JSONError) -> JSONValue {
    skipBlanks()
    switch next {
    case UInt8(ascii: "{"): return try object()
    case UInt8(ascii: "["): return try array()
    case UInt8(ascii: "\""): return .string(try text())
    case UInt8(ascii: "t") where pass(word: "true"): return .boolean(true)
    case UInt8(ascii: "f") where pass(word: "false"): return .boolean(false)
    case UInt8(ascii: "n") where pass(word: "null"): return .null
    case .some(UInt8(ascii: "-")), .some(UInt8(ascii: "0")...UInt8(ascii: "9")): return try number()
    default: throw error("expected a value")
    }
  }

  private mutating func descend() throws(JSONError) {
    place += 1
    depth += 1
    if depth > Self.depthMax { throw error("it nests more than \(Self.depthMax) deep") }
  }

  private mutating func array() throws(JSONError) -> JSONValue {
    try descend()
    defer { depth -= 1 }
    var elements: [JSONValue] = []
    if pass("]") { return .array(elements) }
    repeat { elements.append(try value()) } while pass(",")
    guard pass("]") else { throw error("expected , or ]") }
    return .array(elements)
  }

  private mutating func object() throws(JSONError) -> JSONValue {
    try descend()
    defer { depth -= 1 }
    // Keys are compared by bytes, because Swift's == does not distinguish two spellings of an accent.
    var members: [[UInt8]: JSONValue] = [:]
    if pass("}") { return .object(JSONObject()) }
    repeat {
      skipBlanks()
      guard next == UInt8(ascii: "\"") else { throw error("expected a key in quotes") }
      let key = try text()
      guard pass(":") else { throw error("expected :") }
      members[Array(key.utf8)] = try value()
    } while pass(",")
    guard pass("}") else { throw error("expected , or }") }
    return .object(JSONObject(members))
  }

  private mutating func number() throws(JSONError) -> JSONValue {
    let start = place
    if next == UInt8(ascii: "-") { place += 1 }
    let first = next
    let wholeCount = passDigits()
    guard wholeCount == 1 || wholeCount > 1 && first != UInt8(ascii: "0") else {
      throw error("expected a number without zeros in front")
    }
    var isInteger = true
    if next == UInt8(ascii: ".") {
      place += 1
      isInteger = false
      guard passDigits() > 0 else { throw error("expected a digit") }
    }
    if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
      place += 1
      isInteger = false
      if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { place += 1 }
      guard passDigits() > 0 else { throw error("expected a digit") }
    }
    let digits = String(decoding: bytes[start..<place], as: UTF8.self)
    if isInteger, let value = Int64(digits) { return .integer(value) }
    guard let value = Double(digits), value.isFinite else { throw error("\(digits) is out of range") }
    return .number(value)
  }

  private mutating func passDigits() -> Int {
    let start = place
    while let byte = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { place += 1 }
    return place - start
  }

  private mutating func text() throws(JSONError) -> String {
    place += 1
    var text: [UInt8] = []
    while let byte = next, byte != UInt8(ascii: "\"") {
      place += 1
      switch byte {
      case UInt8(ascii: "\\"): text += String(Character(try escaped())).utf8
      case ..<0x20: throw error("expected no control character in a text")
      default: text.append(byte)
      }
    }
    guard next != nil else { throw error("expected the end of a text") }
    place += 1
    return String(decoding: text, as: UTF8.self)
  }

  private mutating func escaped() throws(JSONError) -> Unicode.Scalar {
    let letter = next
    place += 1
    switch letter {
    case UInt8(ascii: "\""): return "\""
    case UInt8(ascii: "\\"): return "\\"
    case UInt8(ascii: "/"): return "/"
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): return try coded()
    default: throw error("expected an escape of JSON")
    }
  }

  /// Reads a scalar written as four digits, or as a pair of surrogates.
  private mutating func coded() throws(JSONError) -> Unicode.Scalar {
    let unit = try hexadecimal()
    guard unit != 0 else {
      throw JSONError(description: "a text holds U+0000, which a plugin could not be given")
    }
    if let scalar = Unicode.Scalar(unit) { return scalar }
    guard (0xD800..<0xDC00).contains(unit), pass(word: "\\u") else {
      throw error("expected a pair of surrogates")
    }
    let low = try hexadecimal()
    guard (0xDC00..<0xE000).contains(low),
      let scalar = Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00))
    else { throw error("expected a pair of surrogates") }
    return scalar
  }

  private mutating func hexadecimal() throws(JSONError) -> UInt32 {
    let digits = bytes[place...].prefix(4)
    guard digits.count == 4, let unit = UInt32(String(decoding: digits, as: UTF8.self), radix: 16),
      digits.first != UInt8(ascii: "+"), digits.first != UInt8(ascii: "-")
    else { throw error("expected four hexadecimal digits") }
    place += 4
    return unit
  }
}

extension JSONValue {
  /// Parses JSON text. Throws one line with the error. Refuses text with U+0000, because the ABI's strings end with
  /// U+0000.
  package init(parsing text: String) throws(JSONError) {
    self = try JSONReader.value(of: text)
  }
}
