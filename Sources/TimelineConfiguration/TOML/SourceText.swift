/// One file's text by lines, so that a diagnostic can show the line it speaks of.
struct SourceText: Sendable {
  let path: String
  private let bytes: [UInt8]
  private let lineStarts: [Int]
  /// Whether a byte is a character, so that no line has to be taken apart to count them.
  private let isASCII: Bool

  init(_ source: ConfigurationSource) {
    path = source.path
    bytes = source.bytes
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]  // The byte order mark, which is no part of the first line.
    var starts = [bytes.starts(with: mark) ? mark.count : 0]
    for (index, byte) in bytes.enumerated() where byte == UInt8(ascii: "\n") { starts.append(index + 1) }
    lineStarts = starts
    isASCII = !bytes.contains { $0 >= 0x80 }
  }

  /// The number of lines; what follows the last newline is one, empty or not.
  var lineCount: Int { lineStarts.count }

  /// The text of line `line`, from 1, without its end; empty when there is no such line.
  func line(_ line: Int) -> String { String(decoding: slice(line), as: UTF8.self) }

  private func slice(_ line: Int) -> ArraySlice<UInt8> {
    guard (1...lineCount).contains(line) else { return [] }
    let end = line < lineCount ? lineStarts[line] - 1 : bytes.count
    var slice = bytes[lineStarts[line - 1]..<max(end, lineStarts[line - 1])]
    if slice.last == UInt8(ascii: "\r") { slice.removeLast() }
    return slice
  }

  /// The stretch from `begin` to before `end`, or to the end of `begin`'s line when it goes on after it.
  func place(_ begin: TextPosition, _ end: TextPosition? = nil) -> SourcePlace {
    guard begin.line > 0 else { return SourcePlace(wholeOf: path) }
    let bytes = slice(begin.line)
    let scalars = isASCII ? [] : Array(String(decoding: bytes, as: UTF8.self).unicodeScalars)
    let count = isASCII ? bytes.count : scalars.count
    // The parser counts the end of a line as a place on it, and the end of the file as one more.
    let column = min(begin.column, count + 1)
    let stop = end.map { $0.line == begin.line ? $0.column : count + 1 } ?? column + 1
    let offset =
      count <= Limits.excerptScalarCountMax
      ? 0 : max(0, min(column - 1 - Limits.excerptScalarCountMax / 3, count - 1))
    var shown = String.UnicodeScalarView()
    shown.append(contentsOf: scalars.dropFirst(offset).prefix(Limits.excerptScalarCountMax))
    let ascii = bytes.dropFirst(offset).prefix(Limits.excerptScalarCountMax)
    return SourcePlace(
      path: path, line: begin.line, column: column, length: max(1, stop - column),
      lineText: isASCII ? String(decoding: ascii, as: UTF8.self) : String(shown), lineTextOffset: offset)
  }

  /// Where the bytes stop being UTF-8, or `nil` when they all are.
  var firstInvalidPosition: TextPosition? {
    guard String(validating: bytes, as: UTF8.self) == nil else { return nil }
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

  /// The place of `value`.
  func place(of value: TOMLValue) -> SourcePlace { place(value.begin, value.end) }

  /// The place of the key of `entry`.
  func place(ofKey entry: TOMLEntry) -> SourcePlace { place(entry.keyBegin, entry.keyEnd) }
}
