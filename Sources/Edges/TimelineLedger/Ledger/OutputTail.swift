/// The last lines of a run's output, bounded in bytes and in lines.
package struct OutputTail: Sendable, Equatable {
  /// Limit in bytes, enough for the end of a stack trace. A thousand entries in one answer take 4 MiB.
  package static let byteCountMax = 4_096
  /// Limit in lines: one screen.
  package static let lineCountMax = 40

  private var lines: [String] = []
  private var byteCount = 0
  /// Index of the first line that is kept. Lines before it are removed in batches.
  private var head = 0

  package init() {}

  /// Adds a line and drops the oldest lines beyond the limits. Only the end of an overlong line is kept.
  package mutating func append(_ line: String) {
    let kept = line.utf8.count < Self.byteCountMax ? line : Self.end(of: line)
    lines.append(kept)
    byteCount += kept.utf8.count + 1
    while byteCount > Self.byteCountMax || lines.count - head > Self.lineCountMax {
      byteCount -= lines[head].utf8.count + 1
      head += 1
    }
    if head > Self.lineCountMax {
      lines.removeFirst(head)
      head = 0
    }
  }

  /// The lines, joined by line ends.
  package var text: String { lines[head...].joined(separator: "\n") }

  /// Whether there are no lines.
  package var isEmpty: Bool { head == lines.count }

  private static func end(of line: String) -> String {
    var start = line.utf8.index(line.endIndex, offsetBy: 1 - byteCountMax)
    while start < line.endIndex, UTF8.isContinuation(line.utf8[start]) {
      start = line.utf8.index(after: start)
    }
    return String(line[start...])
  }
}
