import Glibc

/// Splits the output of a command into lines.
struct Lines {
  /// Largest length of a line in bytes. Longer lines are split into pieces.
  private let lengthMax: Int
  /// Number of bytes that are read at once, so that one stream does not hold up the other.
  private static let chunk = 65_536
  /// The maximum number of bytes that are read after the command has ended. This is the largest capacity that a process
  /// without privileges can give to a pipe, so the command's own output is never longer. Further bytes come from a process
  /// that the command has left behind.
  private static let lastBytesMax = 1 << 20

  private var partial: [UInt8] = []
  /// The last line that was not empty.
  private(set) var last = ""

  /// Makes a splitter. At the default length, 4,096 bytes, the host cuts a line of the log.
  init(lengthMax: Int = 4096) {
    self.lengthMax = lengthMax
  }

  /// Reads the available bytes and passes the complete lines to `body`.
  mutating func read(_ descriptor: Int32, isLast: Bool, _ body: (String) -> Void) {
    for _ in 0..<(isLast ? Self.lastBytesMax / Self.chunk : 1) {
      let bytes = [UInt8](unsafeUninitializedCapacity: Self.chunk) { buffer, count in
        count = max(0, Glibc.read(descriptor, buffer.baseAddress, buffer.count))
      }
      guard !bytes.isEmpty else { return }
      feed(Self.readable(bytes)[...], body)
    }
  }

  /// Returns the bytes with U+FFFD in place of each NUL, because a NUL would end the line in C.
  private static func readable(_ bytes: [UInt8]) -> [UInt8] {
    guard memchr(bytes, 0, bytes.count) != nil else { return bytes }
    return bytes.flatMap { $0 == 0 ? Array("\u{FFFD}".utf8) : [$0] }
  }

  /// Passes a last line without a line end to `body`.
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

  /// Removes and returns the bytes of an incomplete character at the end of a piece.
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
    // In the text, each byte that is not UTF-8 has become a U+FFFD of three bytes, so it may be too long again.
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
