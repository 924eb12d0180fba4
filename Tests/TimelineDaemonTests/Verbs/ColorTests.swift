import Glibc
import Testing
import TimelineSystem
import TimelineTestSupport

@Suite struct `A report of configuration errors` {
  /// A program, the arguments before the configuration's path, and the value of `NO_COLOR`.
  struct Case: CustomTestStringConvertible, Sendable {
    var words: [String]
    var noColor: String?
    var testDescription: String { "\(words) NO_COLOR=\(noColor ?? "unset")" }

    static let all = [
      [BuiltProgram.control, "check"], [BuiltProgram.control, "dry-run", "--config"],
      [BuiltProgram.daemon, "--config"],
    ].flatMap { words in [nil, "", "1"].map { Case(words: words, noColor: $0) } }
  }

  @Test(arguments: Case.all)
  func `has colors on a terminal, unless NO_COLOR has a value`(example: Case) throws {
    let workshop = try Workshop()
    let path = try workshop.configure("[job.first]\nplugin = \"exec\"\nshedule = \"every-minute\"")
    let variables = example.noColor.map { ["NO_COLOR": $0] } ?? [:]
    let shown = try Self.onTerminal(example.words + [path], variables)
    #expect(shown.contains("did you mean"), "\(shown)")
    #expect(shown.contains("\u{1B}[") == (example.noColor ?? "").isEmpty, "\(shown)")
  }

  @Test func `has no colors elsewhere`() throws {
    let workshop = try Workshop()
    let path = try workshop.configure("[job.first]\nplugin = \"exec\"\nshedule = \"every-minute\"")
    let piped = try StartedProgram.run([BuiltProgram.control, "check", path])
    #expect(piped.errors.contains("did you mean") && !piped.errors.contains("\u{1B}"), "\(piped)")
  }

  /// Runs a program to its end on a terminal of its own and returns what it showed there.
  private static func onTerminal(_ words: [String], _ variables: [String: String]) throws -> String {
    var (near, far): (CInt, CInt) = (-1, -1)
    guard unsafe openpty(&near, &far, nil, nil, nil) == 0 else {
      throw TestFailure("there is no terminal to be had: errno \(errno)")
    }
    let screen = FileDescriptor(owning: near)
    screen.setNonBlocking()
    let child = try ChildProcess.spawn(
      executable: words[0], arguments: Array(words.dropFirst()),
      environment: ["PATH": "/usr/bin:/bin", "TZ": "UTC"].merging(variables) { $1 },
      descriptors: [.init(far, as: 1), .init(far, as: 2)])
    close(far)
    let loop = try EventLoop()
    // A read fails once no process has the terminal open.
    let reader = try Reader(ByteStream(owning: screen), on: loop)
    let hasEnded = loop.run(atMost: DaemonProcess.patience) { reader.isAtEnd }
    if !hasEnded { child.killTree() }
    _ = child.wait()
    if !hasEnded { throw TestFailure("\(words) did not end; it showed \(reader.text)") }
    return reader.text
  }
}
