/// Cuts a stream of bytes into lines of text, however it is chopped up.
///
/// Lines end at a line feed, a carriage return before which is dropped. What is longer than the bound is cut there, and the rest of
/// that line is dropped, so that a stream without line feeds costs no memory. Bytes that are not UTF-8 become U+FFFD.
struct LineSplitter {
  private let lengthMax: Int
  private var partial: [UInt8] = []
  private var isSkipping = false
  private var isLost = false

  init(lengthMax: Int) {
    self.lengthMax = lengthMax
  }

  /// Takes the next bytes and hands every line that they complete to `body`.
  mutating func feed(_ bytes: [UInt8], _ body: (String) -> Void) {
    var start = 0
    while start < bytes.count {
      let end = bytes[start...].firstIndex(of: 0x0A)
      take(bytes[start..<(end ?? bytes.count)])
      guard let end else { return }
      finish(body)
      start = end + 1
    }
  }

  /// Hands what is there of a line that has not ended to `body`.
  mutating func flush(_ body: (String) -> Void) {
    guard !partial.isEmpty else { return }
    finish(body)
  }

  /// Drops the line that has begun, of which a part was not fed; nothing until the next line feed is a line.
  mutating func lose() {
    partial.removeAll(keepingCapacity: true)
    isSkipping = false
    isLost = true
  }

  private mutating func take(_ bytes: ArraySlice<UInt8>) {
    guard !isSkipping, !isLost else { return }
    let room = lengthMax - partial.count
    partial.append(contentsOf: bytes.prefix(room))
    isSkipping = bytes.count > room
  }

  private mutating func finish(_ body: (String) -> Void) {
    if isLost {
      isLost = false
      return
    }
    if !isSkipping && partial.last == 0x0D { partial.removeLast() }
    let text = String(decoding: partial, as: UTF8.self)
    body(isSkipping ? text + "... [cut]" : text)
    partial.removeAll(keepingCapacity: true)
    isSkipping = false
  }
}
