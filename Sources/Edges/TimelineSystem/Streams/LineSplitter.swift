/// Cuts a stream of bytes into lines of text, independent of the boundaries of its pieces.
///
/// Lines end at a line feed; a carriage return before it is dropped. A line that is longer than the limit comes in pieces, so
/// that a stream without line feeds costs no memory and loses nothing here. Bytes that are not UTF-8 become U+FFFD.
package struct LineSplitter {
  private let lengthMax: Int
  private var partial: [UInt8] = []
  /// Whether a piece of the current line has been passed on.
  private var hasPiece = false

  package init(lengthMax: Int) {
    self.lengthMax = lengthMax
  }

  /// Adds the next bytes and passes every line that they complete to `body`.
  package mutating func feed(_ bytes: [UInt8], _ body: (String) -> Void) {
    var start = 0
    while start < bytes.count {
      let end = bytes[start...].firstIndex(of: 0x0A)
      take(bytes[start..<(end ?? bytes.count)], body)
      guard let end else { return }
      finish(body)
      start = end + 1
    }
  }

  /// Passes the part of an unfinished line that has arrived to `body`.
  package mutating func flush(_ body: (String) -> Void) {
    if !partial.isEmpty { finish(body) }
  }

  /// Drops the current line, because the bytes after it are lost. Returns the number of dropped bytes.
  package mutating func lose() -> Int {
    defer {
      partial.removeAll(keepingCapacity: true)
      hasPiece = false
    }
    return partial.count
  }

  private mutating func take(_ bytes: ArraySlice<UInt8>, _ body: (String) -> Void) {
    var rest = bytes
    while partial.count + rest.count > lengthMax {
      let room = lengthMax - partial.count
      partial.append(contentsOf: rest.prefix(room))
      rest = rest.dropFirst(room)
      // The cut is between two characters, unless the piece has no complete character.
      let length = partial.count - partial.danglingBytes
      let dangling = Array(partial[(length > 0 ? length : partial.count)...])
      partial.removeLast(dangling.count)
      hand(body)
      partial = dangling
      hasPiece = true
    }
    partial.append(contentsOf: rest)
  }

  private mutating func finish(_ body: (String) -> Void) {
    if partial.last == 0x0D { partial.removeLast() }
    // A line that ended with a piece is complete already.
    if !partial.isEmpty || !hasPiece { hand(body) }
    hasPiece = false
  }

  private mutating func hand(_ body: (String) -> Void) {
    var rest = String(decoding: partial, as: UTF8.self)[...]
    partial.removeAll(keepingCapacity: true)
    // Bytes that are not UTF-8 have become longer.
    while rest.utf8.count > lengthMax {
      let end = rest.index(ofBytes: lengthMax)
      body(String(rest[..<end]))
      rest = rest[end...]
    }
    body(String(rest))
  }
}

extension Substring {
  /// Returns the end of the longest prefix of whole scalars in at most `count` bytes; the substring must have more bytes.
  fileprivate func index(ofBytes count: Int) -> Index {
    var index = utf8.index(startIndex, offsetBy: count)
    while utf8[index] & 0xC0 == 0x80, index > startIndex { index = utf8.index(before: index) }
    return index > startIndex ? index : unicodeScalars.index(after: startIndex)
  }
}

extension [UInt8] {
  /// Number of bytes at the end that begin a UTF-8 character and do not complete it.
  fileprivate var danglingBytes: Int {
    for back in 1...4 where back <= count {
      let byte = self[count - back]
      if byte & 0xC0 == 0x80 { continue }
      let length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1
      return length > back ? back : 0
    }
    return 0
  }
}
