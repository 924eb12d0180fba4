import Synchronization

/// The text of one file, split into lines for diagnostics.
///
/// All values of the file share one object, so a value needs only a reference for its diagnostics. The starts of
/// lines are computed when a place is first requested, which never happens in a file without an error.
final class SourceText: Sendable {
  let path: String
  let bytes: [UInt8]
  private let origin: SourcePlace?
  private let isPrivate: Bool
  private let lines = Mutex<Lines?>(nil)

  private struct Lines {
    let starts: [Int]
    /// Whether all characters are one byte long. Then the bytes of a line need not be decoded to count its
    /// characters.
    let isASCII: Bool

    init(_ bytes: [UInt8]) {
      let mark: [UInt8] = [0xEF, 0xBB, 0xBF]  // The byte order mark, which is no part of the first line.
      var starts = [bytes.starts(with: mark) ? mark.count : 0]
      for (index, byte) in bytes.enumerated() where byte == UInt8(ascii: "\n") { starts.append(index + 1) }
      self.starts = starts
      isASCII = !bytes.contains { $0 >= 0x80 }
    }
  }

  init(_ source: ConfigurationSource) {
    path = source.path
    bytes = source.bytes
    origin = source.origin
    isPrivate = source.isPrivate
  }

  private func found() -> Lines {
    lines.withLock { lines in
      if let lines { return lines }
      let found = Lines(bytes)
      lines = found
      return found
    }
  }

  private var lineStarts: [Int] { found().starts }
  private var isASCII: Bool { found().isASCII }

  /// The text after the last newline counts as a line, even if it is empty.
  var lineCount: Int { lineStarts.count }

  /// Returns the text of line `line`, from 1, without its end; empty if there is no such line.
  func line(_ line: Int) -> String { String(decoding: slice(line), as: UTF8.self) }

  private func slice(_ line: Int) -> ArraySlice<UInt8> {
    let (lineStarts, lineCount) = (lineStarts, lineCount)
    guard (1...lineCount).contains(line) else { return [] }
    let end = line < lineCount ? lineStarts[line] - 1 : bytes.count
    var slice = bytes[lineStarts[line - 1]..<max(end, lineStarts[line - 1])]
    if slice.last == UInt8(ascii: "\r") { slice.removeLast() }
    return slice
  }

  /// Returns the place from `begin` to before `end`. If `end` is on a later line, the place ends with the line of
  /// `begin`.
  func place(_ begin: TextPosition, _ end: TextPosition? = nil) -> SourcePlace {
    if let origin { return origin }
    guard begin.line > 0 else { return SourcePlace(wholeOf: path) }
    let (bytes, isASCII) = (slice(begin.line), isASCII)
    let scalars = isASCII ? [] : Array(String(decoding: bytes, as: UTF8.self).unicodeScalars)
    let count = isASCII ? bytes.count : scalars.count
    // The parser counts the end of a line as a position of this line, and the end of the file as a further position.
    let column = min(begin.column, count + 1)
    let stop = end.map { $0.line == begin.line ? $0.column : count + 1 } ?? column + 1
    let offset =
      count <= ConfigurationLimits.excerptScalarCountMax
      ? 0 : max(0, min(column - 1 - ConfigurationLimits.excerptScalarCountMax / 3, count - 1))
    var shown = String.UnicodeScalarView()
    shown.append(contentsOf: scalars.dropFirst(offset).prefix(ConfigurationLimits.excerptScalarCountMax))
    let ascii = bytes.dropFirst(offset).prefix(ConfigurationLimits.excerptScalarCountMax)
    var place = SourcePlace(
      path: path, line: begin.line, column: column, length: max(1, stop - column),
      lineText: isASCII ? String(decoding: ascii, as: UTF8.self) : String(shown), lineTextOffset: offset)
    place.isPrivate = isPrivate
    return place
  }

  /// `nil` if all bytes are valid UTF-8.
  var firstInvalidPosition: TextPosition? {
    guard String(validating: bytes, as: UTF8.self) == nil else { return nil }
    let (lineStarts, lineCount) = (lineStarts, lineCount)
    for line in 1...lineCount {
      let end = line < lineCount ? lineStarts[line] : bytes.count
      let slice = bytes[lineStarts[line - 1]..<end]
      guard String(validating: slice, as: UTF8.self) == nil else { continue }
      var good = 0
      var decoder = UTF8()
      var iterator = slice.makeIterator()
      while case .scalarValue = decoder.decode(&iterator) { good += 1 }
      return TextPosition(line: line, column: good + 1)
    }
    return nil
  }
}
