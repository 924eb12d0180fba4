import FoundationEssentials
import TimelineCore
import TimelineSystem
import TimelineTrial
import TimelineWire

/// The answers of a plugin that is tried, as they are printed.
final class TrialReport {
  /// The answers, as JSON has them.
  struct Content: Encodable {
    /// A line that was written.
    struct Line: Encodable {
      /// Its severity; `nil` of what was printed to standard output or standard error.
      var level: String?
      var message: String
      var fields: [String: String]?
    }

    /// A report of progress.
    struct Step: Encodable {
      var fraction: Double?
      var text: String
    }

    var status: String?
    var result: String?
    var error: String?
    /// The new cursor as text; `nil` if there is none, or it is not UTF-8.
    var cursor: String?
    var cursorBase64: String?
    var wasCancelled = false
    var tookNanoseconds: UInt64?
    var lines: [Line] = []
    var progress: [Step] = []
    /// Lines and reports beyond the limit.
    var dropped = 0
  }

  /// Lines and reports that are kept for JSON: more than a person reads, and far below what memory holds.
  private static let itemsMax = 10_000

  private(set) var content = Content()
  private let prints: Bool

  /// Makes a report, which prints lines and progress as they come, or keeps them.
  init(prints: Bool) {
    self.prints = prints
  }

  /// Takes in what a plugin has written.
  func take(_ report: TrialHost.Report) {
    switch report {
    case .log(let line):
      let fields = line.fields.map { "\($0.key)=\($0.value)" }
      print("log", ["\(line.level)", line.message] + fields)
      add(
        Content.Line(
          level: "\(line.level)", message: line.message,
          fields: Dictionary(line.fields.map { ($0.key, $0.value) }, uniquingKeysWith: { $1 })))
    case .output(let text):
      for line in text.split(separator: "\n") {
        print("output", [String(line)])
        add(Content.Line(message: String(line)))
      }
    case .progress(let progress):
      let percent = progress.millionths.map { "\($0 / 10_000)%" } ?? "?"
      print("progress", [percent, progress.text])
      guard !prints, hasRoom else { return }
      content.progress.append(
        .init(fraction: progress.millionths.map { Double($0) / 1_000_000 }, text: progress.text))
    }
  }

  /// Takes in the end of a run.
  func end(_ ending: TrialHost.Ending) {
    let end = ending.end
    content.status = end.status.word
    content.wasCancelled = ending.wasCancelled
    content.tookNanoseconds = end.call?.took
    if end.status == .succeeded {
      content.result = end.text.isEmpty ? nil : end.text
    } else {
      content.error = end.text.isEmpty ? nil : end.text
    }
    guard let cursor = end.cursor else { return }
    content.cursor = String(validating: cursor, as: UTF8.self)
    content.cursorBase64 = Data(cursor).base64EncodedString()
  }

  /// Takes in that the plugin did not open.
  func end(_ failure: OpenFailure) {
    content.status = failure.status.word
    content.error = failure.text
  }

  /// Takes in that there is no answer: the run has no status.
  func end(_ fault: TrialHost.Fault) {
    content.error = "\(fault)"
  }

  /// The last lines for people.
  var closingText: String {
    var rows: [(String, String)] = []
    if let result = content.result { rows.append(("result", result)) }
    if let error = content.error { rows.append(("error", error)) }
    if let base64 = content.cursorBase64 { rows.append(("cursor", content.cursor ?? "base64: \(base64)")) }
    if let took = content.tookNanoseconds { rows.append(("took", Words.length(Int64(clamping: took)))) }
    rows.append(("status", (content.status ?? "none") + (content.wasCancelled ? ", asked to stop" : "")))
    return rows.map { Self.line($0, [$1]) }.joined()
  }

  private func print(_ name: String, _ parts: [String]) {
    if prints { CurrentProcess.print(Self.line(name, parts)) }
  }

  /// Width of the first column.
  private static let width = 10

  private static func line(_ name: String, _ parts: [String]) -> String {
    let padding = String(repeating: " ", count: width - name.count)
    return name + padding + parts.joined(separator: "  ").printable.trimmingBlanks + "\n"
  }

  private var hasRoom: Bool {
    let isFull = content.lines.count + content.progress.count >= Self.itemsMax
    if isFull { content.dropped += 1 }
    return !isFull
  }

  private func add(_ line: Content.Line) {
    guard !prints, hasRoom else { return }
    content.lines.append(line)
  }
}

extension RunStatus {
  /// The word for a status of a plugin, as the lines of the plugin `process` have it.
  var word: String {
    switch self {
    case .succeeded: "ok"
    case .failed: "failed"
    case .failedForNow: "retry"
    case .cancelled: "cancelled"
    }
  }
}
