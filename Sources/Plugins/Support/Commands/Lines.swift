import Glibc

/// Cuts what a command prints into lines.
struct Lines {
  /// The longest line in bytes; what is longer comes in pieces.
  private let lengthMax: Int
  /// Bytes taken at once, so that one stream does not hold up the other.
  private static let chunk = 65_536
  /// The maximum number of bytes read after the command has ended: the capacity of a pipe whose writer has made it as
  /// large as is possible without privileges. More comes from a process that the command has left behind.
  private static let lastBytesMax = 1 << 20

  private var partial: [UInt8] = []
  /// The last line that was not blank.
  private(set) var last = ""

  /// Makes a cutter; the host cuts a line of the log at 4,096 bytes.
  init(lengthMax: Int = 4096) {
    self.lengthMax = lengthMax
  }

  /// Reads what is there and hands on whole lines.
  mutating func read(_ descriptor: Int32, isLast: Bool, _ body: (String) -> Void) {
    for _ in 0..<(isLast ? Self.lastBytesMax / Self.chunk : 1) {
      let bytes = [UInt8](unsafeUninitializedCapacity: Self.chunk) { buffer, count in
        count = max(0, Glibc.read(descriptor, buffer.baseAddress, buffer.count))
      }
      guard !bytes.isEmpty else { return }
      feed(Self.readable(bytes)[...], body)
    }
  }

  /// The same with U+FFFD for each NUL, which would be the end of its line in C.
  private static func readable(_ bytes: [UInt8]) -> [UInt8] {
    guard memchr(bytes, 0, bytes.count) != nil else { return bytes }
    return bytes.flatMap { $0 == 0 ? Array("\u{FFFD}".utf8) : [$0] }
  }

  /// Hands on what is left of a line without an end.
  mutating func flush(_ body: (String) -> Void) {
    if !partial.isEmpty { finish(body) }
  }

  private mutating func feed(_ bytes: ArraySlice<UInt8>, _ body: (String) -> Void) {
    for piece in bytes.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
      if piece.offset > 0 { finish(body) }
      var rest = piece.element
      while partial.count + rest.count > lengthMax {
        let room = lengthMax - partial.count
        partial.append(contentsOf: rest.prefix(room))
        rest = rest.dropFirst(room)
        let dangling = takeDanglingBytes()
        finish(body)
        partial = dangling
      }
      partial.append(contentsOf: rest)
    }
  }

  /// Takes out the bytes at the end of a piece that begin a character and do not complete it.
  private mutating func takeDanglingBytes() -> [UInt8] {
    for back in 1...3 {
      let byte = partial[partial.count - back]
      if byte & 0xC0 == 0x80 { continue }
      let length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1
      guard length > back else { return [] }
      let dangling = Array(partial.suffix(back))
      partial.removeLast(back)
      return dangling
    }
    return []
  }

  private mutating func finish(_ body: (String) -> Void) {
    if partial.last == 0x0D { partial.removeLast() }
    var rest = String(decoding: partial, as: UTF8.self)[...]
    partial.removeAll(keepingCapacity: true)
    // What is no text has become longer: each of its bytes is a U+FFFD.
    while rest.utf8.count > lengthMax {
      var end = rest.utf8.index(rest.startIndex, offsetBy: lengthMax)
      while rest.utf8[end] & 0xC0 == 0x80 { end = rest.utf8.index(before: end) }
      body(String(rest[..<end]))
      rest = rest[end...]
    }
    let text = String(rest)
    if !text.isEmpty { last = text }
    body(text)
  }
}
