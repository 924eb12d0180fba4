import Foundation
import Testing
import TimelineTestSupport

@testable import TimelineImport

/// Whether Debian's cron ignores a crontab; the expected values are those of `crontab -n` of cron 3.0pl1-162.
struct CronJudgmentTests {
  /// Whether the report of an import notes that cron ignores the file.
  static func isIgnored(_ text: String, _ format: CrontabSource.Format = .user("root")) -> Bool {
    let source = CrontabSource(path: "/srv/crontab", bytes: Array(text.utf8), format: format)
    let report = CrontabImport([source], in: .village).report
    return report.lines.contains {
      $0.line == 0 && $0.notes.contains { $0.hasPrefix("cron ignores the whole") }
    }
  }

  @Test(
    arguments: [
      ("* * * * *\n", false), ("@daily\n", false), ("@daily \n", false), ("@reboot\n", false),
      ("51~19 * * * * x\n", false), ("0~30 * * * * x\n", false), ("5~ * * * * x\n", false),
      ("~ * * * * x\n", true), ("~5 * * * * x\n", true), ("~ * * * *\n", true),
      ("~ 7-5 * * * x\n", true), ("60~70 * * * * x\n", true),
      ("* 1~5 * * * x\n", false), ("* ~5 * * * x\n", true), ("0 0 * * ~ x\n", true),
      ("22-4 * * * * x\n", false), ("22-4 60 * * * x\n", true), ("22-4 * * * * * x\n", true),
      ("0 22-4 * * 8 x\n", true), ("5/2 * * * * x\n", true), ("*/0 * * * * x\n", true),
      ("*/5x * * * * x\n", true), ("*/5-3 * * * * x\n", false), ("*5 * * * * x\n", false),
      ("5x * * * * x\n", true), ("5.x * * * * x\n", false), ("1,, * * * * x\n", true),
      ("1, * * * * x\n", true), ("1-70 * * * * x\n", true), ("70-1 * * * * x\n", true),
      ("4294967301 * * * * x\n", false), ("0 0 * * 5#2 x\n", false), ("0 0 * jan-sep sun x\n", false),
      ("0 0 * * fri-sun x\n", false), ("0 0 * * 6-7 x\n", false), ("0 0 31 2 * x\n", false),
      ("@foo x\n", true), ("@ daily x\n", true), ("@Daily x\n", true), ("* * * *\n", true),
      ("* * * * * * x\n", true), ("0 30 2 * * 1 x\n", true), ("* * * * * %\n", false),
      ("A=\n", true), ("A= \n", true), ("A=b\n", false), ("A=\"\"\n", false), ("=b\n", false),
      ("A b=c\n", true), ("A=\"b\" c\n", true), ("\r\n", true), ("# x\r\n", false), (" \t\n", false),
      ("A=b\r\n", false), ("* * * * * x\r\n", false), ("@daily\r\n", true), ("@daily \r\n", false),
      ("@daily", true),
      ("* * * * *\r\n", false),
      ("* * * * * x", true), ("# x", false), ("  ", false),
    ])
  func `a crontab of a user is ignored as cron ignores it`(text: String, expected: Bool) {
    #expect(Self.isIgnored(text) == expected)
  }

  /// Lines that name users: cron reads on to the next line for the user, and for the end of its name.
  @Test(
    arguments: [
      ("* * * * * root x\n", false), ("* * * * *\n", true), ("* * * * * root\n", true),
      ("* * * * * root \n", false), ("@daily root\n", true), ("* * * * * nobody-there x\n", true),
      ("22-4 * * * * nobody-there x\n", true), ("22-4 * * * * root x\n", false),
      ("* * * * * * root x\n", true),
    ])
  func `a crontab of the system is ignored as cron ignores it`(text: String, expected: Bool) {
    #expect(Self.isIgnored(text, .system) == expected)
  }

  @Test func `lengths are those of cron`() {
    let comments = String(repeating: "#\n", count: 9_999)
    #expect(!Self.isIgnored(comments + "* * * * * x\n"))
    #expect(Self.isIgnored(comments + "#\n* * * * * x\n"))
    #expect(!Self.isIgnored("* * * * * " + String(repeating: "x", count: 998) + "\n"))
    #expect(Self.isIgnored("* * * * * " + String(repeating: "x", count: 999) + "\n"))
    #expect(!Self.isIgnored("A=" + String(repeating: "x", count: 1_200) + "\n"))
  }

  @Test func `anacron and other crons ignore no whole file`() {
    #expect(!Self.isIgnored("soon x\nA=\n1 5 a true", .anacron))
    let source = CrontabSource(
      path: "/srv/crontab", bytes: Array("60 * * * * x\n".utf8), format: .user("root"))
    let report = CrontabImport([source], in: .village, as: .cronie).report
    #expect(report.lines.map(\.line) == [1])
  }

  /// A file that is to be judged: a line of every kind, with what cron does not expect here and there.
  private static func text(using generator: inout SeededGenerator) -> String {
    func pick(_ choices: [String]) -> String { choices.randomElement(using: &generator) ?? "" }
    func number() -> String {
      "\(Int.random(in: Int.random(in: 0..<40, using: &generator) == 0 ? 0...70 : 1...7, using: &generator))"
    }
    func element() -> String {
      switch Int.random(in: 0..<60, using: &generator) {
      case 0..<20: "*"
      case 20..<38: number()
      case 38..<46: "\(number())-\(number())"
      case 46..<50: "*/\(number())"
      case 50..<53: "\(number())-\(number())/\(number())"
      case 53..<57: pick(["~", number() + "~", "~" + number(), number() + "~" + number()])
      case 57: pick(["jan", "Sun", "fri-sun", "dec-feb", "monday", "MON-fri/2"])
      case 58: pick(["L", "?", "5#2", "1W", "*5", "5/2", "5x", "*/x", "1-", "-1", "", "0x5", "5.", "#", "é"])
      default: "\(number()),\(number())"
      }
    }
    func field() -> String {
      (0..<Int.random(in: 1...4, using: &generator) / 3 + 1).map { _ in element() }.joined(separator: ",")
    }
    let count = Int.random(in: 0..<12, using: &generator) == 0 ? 4 : 5
    let fields = (0..<count).map { _ in field() }.joined(separator: pick([" ", " ", "\t", "  "]))
    let command = pick([" true", " true", " true", "", " ", " * x", " 5 x", " %", "\ttrue %in"])
    let line =
      switch Int.random(in: 0..<12, using: &generator) {
      case 0: pick(["@daily", "@weekly", "@reboot", "@foo", "@", "@Hourly", "@hourly,"]) + command
      case 1:
        pick(["A", " A", "\"A\"", "A ", "", "5", "A B", "'A", "é"]) + "="
          + pick(["b", " b ", "", " ", "\"b\"", "\"b\" c", "'b c' ", "b=c", "\"b"])
      case 2: pick(["# x", "", " ", "\t# x", "#"])
      default: fields + command
      }
    return pick(["", "", "", " ", "\t"]) + line
      + pick(["\n", "\n", "\n", "\n", "\n", "\n", "\r\n", "\r\n", ""])
  }

  /// Answers of `TIMELINED_CRONTAB`, which reads files in base64, a line each, and answers 0 for one that cron takes.
  @Test(.enabled(if: ProcessInfo.processInfo.environment["TIMELINED_CRONTAB"] != nil))
  func `fuzzed crontabs are ignored as crontab -n ignores them`() throws {
    let seed: UInt64 = 0xC407_4AB5
    var generator = SeededGenerator(seed: seed)
    let texts = (0..<4_000).map { _ in Self.text(using: &generator) }
    let process = Process()
    process.executableURL = URL(
      filePath: try #require(ProcessInfo.processInfo.environment["TIMELINED_CRONTAB"]))
    let input = FileManager.default.temporaryDirectory.appending(path: "crontabs-\(UUID().uuidString)")
    try texts.map { Data($0.utf8).base64EncodedString() + "\n" }.joined().write(
      to: input, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(at: input) }
    process.standardInput = try FileHandle(forReadingFrom: input)
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let answers = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      .split(separator: "\n")
    process.waitUntilExit()
    try #require(answers.count == texts.count)
    for (text, answer) in zip(texts, answers) {
      #expect(Self.isIgnored(text) == (answer != "0"), "\(text.debugDescription), seed \(seed)")
    }
    print("\(texts.count) crontabs as crontab -n has them, \(answers.count { $0 != "0" }) of them ignored")
  }
}
