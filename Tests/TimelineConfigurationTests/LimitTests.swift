import Testing
import TimelineConfiguration
import TimelineCore

/// Excess is refused with a reason, and quickly.
@Suite struct LimitTests {
  static let job = "[job.a]\nplugin = 'exec'\nschedule = 'every-minute'\n"

  private func diagnostics(_ text: String) -> [Diagnostic] {
    let source = ConfigurationSource(path: "a.toml", bytes: Array(text.utf8))
    switch Configuration.read([source], in: .golden) {
    case .success(let configuration): return configuration.warnings
    case .failure(let refusal): return refusal.diagnostics
    }
  }

  /// A file that is too much; its text is a megabyte and no part of the test's name.
  struct Excess: Sendable, CustomTestStringConvertible {
    var what: String
    var opening = LimitTests.job
    var repeated: String
    var count: Int
    var closing = "\n"
    var message = "tables and arrays lie"

    var testDescription: String { what }
    var text: String { opening + String(repeating: repeated, count: count) + closing }

    static let all = [
      Excess(
        what: "bytes", repeated: "# 0123456789\n", count: ConfigurationLimits.fileByteCountMax / 13 + 1,
        message: "the file has more than"),
      Excess(
        what: "values", opening: LimitTests.job + "with.x = [", repeated: "1,",
        count: ConfigurationLimits.nodeCountMax + 1,
        closing: "]\n",
        message: "the file has more than"),
      Excess(
        what: "a string", opening: LimitTests.job + "with.x = '", repeated: "x", count: 65_537,
        closing: "'\n",
        message: "the string has more than"),
      Excess(what: "brackets", opening: LimitTests.job + "with.x = ", repeated: "[", count: 200_000),
      Excess(what: "braces", opening: LimitTests.job + "with.x = ", repeated: "{a=", count: 200_000),
      Excess(what: "a header", opening: "[a", repeated: ".a", count: 400_000, closing: "]\n"),
      Excess(what: "a dotted key", opening: "a", repeated: " . a", count: 200_000, closing: " = 1\n"),
      Excess(
        what: "a dotted key after tricky quotes", opening: "x = {s = \"\"\"a\"\"\"\", a", repeated: ".a",
        count: 400_000, closing: "=1}"),
    ]
  }

  @Test(arguments: Excess.all)
  func `a file with too much is refused in one error`(_ excess: Excess) throws {
    let diagnostics = diagnostics(excess.text)
    #expect(diagnostics.count == 1)
    #expect(try #require(diagnostics.first).message.hasPrefix(excess.message))
    #expect(try #require(diagnostics.first).text().utf8.count < 2_000)
  }

  @Test func `many errors are cut off and counted`() throws {
    let jobs = (0..<2_000).map { "[job.a\($0)]\nplugin = 'exce'\nschedule = 'every-minute'\n" }.joined()
    let diagnostics = diagnostics(jobs)
    #expect(diagnostics.count == ConfigurationLimits.diagnosticCountMax + 1)
    #expect(try #require(diagnostics.last).message == "there are 1000 more errors and warnings")
  }

  @Test func `a thousand files are read and one more is not`() throws {
    let sources = (0...ConfigurationLimits.sourceCountMax).map { index in
      ConfigurationSource(
        path: "\(index).toml",
        bytes: Array("[job.a\(index)]\nplugin = 'exec'\nschedule = 'every-minute'\n".utf8))
    }
    #expect(try Configuration.read(Array(sources.dropLast()), in: .golden).get().jobs.count == 1_000)
    #expect(throws: ConfigurationRefusal.self) { try Configuration.read(sources, in: .golden).get() }
  }

  /// Things that a job may have many of, and how many are too many.
  @Test(arguments: [
    ("environment.V%=''", 256, 4, "`environment` has 257 variables with 920 bytes"),
    (
      "environment.V%='\(String(repeating: "x", count: 16_382))'", 2, 4,
      "`environment` has 3 variables with 49152 bytes"
    ),
    ("credentials.c%='/c'", 32, 4, "`credentials` has 33 files whose names and paths have 156 bytes"),
    (
      "credentials.c%='/\(String(repeating: "c", count: 4_093))'", 4, 4,
      "`credentials` has 5 files whose names and paths have 20480 bytes"
    ),
    ("with.p%='\(String(repeating: "p", count: 24_567))'", 2, 4, "`with` has 73726 bytes as JSON"),
  ])
  func `a job takes as many as it may and not one more`(
    line: String, countMax: Int, lineNumber: Int, message: String
  ) throws {
    func text(_ count: Int) -> String {
      Self.job
        + (1...count).map { line.replacing("%", with: String($0)) + "\n" }.joined()
    }
    #expect(diagnostics(text(countMax)).isEmpty)
    let refused = diagnostics(text(countMax + 1))
    #expect(refused.map(\.message) == [message])
    let refusal = try #require(refused.first)
    #expect(refusal.place.line == lineNumber && refusal.place.column == 1)
    #expect(refusal.label?.hasPrefix("expected at most") == true && refusal.help.count == 1)
  }

  @Test func `a path has at most as many bytes as the system takes`() {
    func text(_ count: Int) -> String {
      Self.job + "working-directory = '/\(String(repeating: "f", count: count - 1))'\n"
    }
    #expect(diagnostics(text(JobLimits.pathMax)).isEmpty)
    let refused = diagnostics(text(JobLimits.pathMax + 1)).map(\.message)
    #expect(refused == ["`working-directory` is too long for a path"])
  }

  @Test func `a thousand groups are read and one more is not`() throws {
    func text(_ count: Int) -> String {
      let groups = (0..<count).map { "[group.g\($0)]\nlimit = 1\n" }.joined()
      let jobs = (0..<(count + 15) / 16).map { job in
        let names = (job * 16..<min(count, job * 16 + 16)).map { "'g\($0)'" }.joined(separator: ",")
        return "[job.a\(job)]\nplugin = 'exec'\nschedule = 'on-demand'\ngroups = [\(names)]\n"
      }.joined()
      return groups + jobs
    }
    #expect(diagnostics(text(ConfigurationLimits.groupCountMax)).isEmpty)
    #expect(
      diagnostics(text(ConfigurationLimits.groupCountMax + 1)).map(\.message) == ["there are 1001 groups"])
  }

  @Test func `a list of holidays has at most 4,096 dates`() throws {
    func text(_ count: Int) -> String {
      let dates = (0..<count).compactMap { CivilDate(daysSinceEpoch: 20_454 + $0)?.description }
      return Self.job + "[holidays.company]\ndates = [\(dates.joined(separator: ","))]\n"
    }
    #expect(diagnostics(text(HolidayList.dayCountMax)).isEmpty)
    let refused = diagnostics(text(HolidayList.dayCountMax + 1))
    #expect(refused.map(\.message) == ["`holidays.company.dates` has 4097 dates"])
    #expect(refused.first?.label == "expected at most 4096")
    #expect(refused.first?.place.column == 9)
  }

  @Test func `a job is in at most sixteen groups`() {
    let names = (0...ConfigurationLimits.groupsPerJobMax).map { "'g\($0)'" }.joined(separator: ",")
    let groups = (0...ConfigurationLimits.groupsPerJobMax).map { "[group.g\($0)]\nlimit = 1\n" }.joined()
    let messages = diagnostics(groups + Self.job + "groups = [\(names)]\n").map(\.message)
    #expect(messages.contains("`groups` has too many names"))
  }

  @Test func `the nearest of many names is looked up for the first wrong ones alone`() {
    let jobs = (0..<200).map { index in
      "[job.backup\(index)]\nplugin = 'exec'\nschedule = 'on-demand'\non-failure = 'bakcup\(index)'\n"
    }.joined()
    let hints = diagnostics(jobs).filter { $0.help.first?.hasPrefix("did you mean") == true }
    #expect(hints.count == ConfigurationLimits.nameHintCountMax)
  }
}
