import FoundationEssentials
import TimelineCore
import TimelineSystem
import TimelineTrial
import TimelineWire

/// The answers of a plugin in a trial run, for printing.
final class TrialReport {
  /// The answers as JSON.
  struct Content: Encodable {
    /// A line of the log or of the plugin's output.
    struct Line: Encodable {
      /// The severity of a log line; `nil` for a line on standard output or standard error.
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
    /// Number of lines and progress reports that were left out because of ``bytesMax``.
    var dropped = 0
  }

  /// Maximum bytes of the lines and progress reports in the JSON: more than a person reads.
  private static let bytesMax = 16 << 20
  /// Bytes that JSON adds to each line or progress report.
  private static let framing = 64

  private var byteCount = 0
  private(set) var content = Content()
  private let prints: Bool

  /// Makes a report. With `prints`, lines and progress are printed as they come; otherwise they are collected.
  init(prints: Bool) {
    self.prints = prints
  }

  /// Adds a line or a progress report of the plugin.
  func take(_ report: TrialHost.Report) {
    switch report {
    case .log(let line):
      let fields = line.fields.map { "\($0.key)=\($0.value)" }
      print("log", ["\(line.level)", line.message] + fields)
      add(
        Content.Line(
          level: "\(line.level)", message: line.message,
          fields: Dictionary(line.fields.map { ($0.key, $0.value) }, uniquingKeysWith: { $1 })))
    case .output(let line):
      print("output", [line])
      add(Content.Line(message: line))
    case .progress(let progress):
      let percent = progress.millionths.map { "\($0 / 10_000)%" } ?? "?"
      print("progress", [percent, progress.text])
      guard !prints, hasRoom(for: progress.text.utf8.count) else { return }
      content.progress.append(
        .init(fraction: progress.millionths.map { Double($0) / 1_000_000 }, text: progress.text))
    }
  }

  /// Records the end of a run.
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

  /// Records that the plugin did not open.
  func end(_ failure: OpenFailure) {
    content.status = failure.status.word
    content.error = failure.text
  }

  /// Records that there is no answer: the run has no status.
  func end(failure: String) { content.error = failure }

  /// The last lines for people: result, error, cursor, duration and status.
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

  /// Width of the first column, in characters.
  private static let width = 10

  private static func line(_ name: String, _ parts: [String]) -> String {
    let padding = String(repeating: " ", count: width - name.count)
    return name + padding + parts.joined(separator: "  ").printable.trimmingBlanks + "\n"
  }

  private func hasRoom(for length: Int) -> Bool {
    guard byteCount + length + Self.framing <= Self.bytesMax else {
      content.dropped += 1
      return false
    }
    byteCount += length + Self.framing
    return true
  }

  private func add(_ line: Content.Line) {
    let fields = (line.fields ?? [:]).reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count }
    guard !prints, hasRoom(for: line.message.utf8.count + fields) else { return }
    content.lines.append(line)
  }
}

extension RunStatus {
  /// The word for a status of a plugin, as the plugin `process` prints it.
  var word: String {
    switch self {
    case .succeeded: "ok"
    case .failed: "failed"
    case .failedForNow: "retry"
    case .cancelled: "cancelled"
    }
  }
}
