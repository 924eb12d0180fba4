import Glibc
import Testing
import TimelineControl
import TimelineCore
import TimelineSystem
import TimelineTestSupport

@Suite struct `The time limit of every verb` {
  /// Every verb that calls the daemon, with valid arguments.
  static let verbs: [[String]] = [
    ["status"], ["list"], ["why", "steady", "now"], ["history"], ["watch"], ["logs", "steady"],
    ["logs", "steady", "-f"], ["trigger", "held"], ["trigger", "held", "--wait"], ["pause", "held"],
    ["resume", "held"], ["cancel", "1"], ["reload"], ["stop"],
  ]

  @Test func `every verb ends with 69 while the daemon is stopped, and the daemon goes on later`() throws {
    let workshop = try Workshop()
    let (daemon, _) = try `The control socket of a real daemon`.daemon(workshop)
    try daemon.halt()
    let programs = try Self.verbs.filter { $0 != ["stop"] && $0 != ["reload"] }.map { words in
      try StartedProgram(
        [BuiltProgram.control, "--socket", daemon.socketPath, "--timeout", "100ms"] + words, on: daemon.loop)
    }
    try daemon.wait(for: "the end of every verb") { programs.allSatisfy { $0.result != nil } }
    for (words, program) in zip(Self.verbs, programs) {
      let result = try #require(program.result)
      #expect(result.end == .exited(69) && result.output.isEmpty, "\(words): \(result)")
      #expect(
        result.errors.hasPrefix("timelinectl: error: \(daemon.socketPath): no answer within 100ms: "),
        "\(words): \(result)")
    }
    try daemon.resume()
    // The option may stand after the verb. It limits the first answer of a verb that waits, and no later one.
    let watching = try StartedProgram(
      [BuiltProgram.control, "--socket", daemon.socketPath, "watch", "steady", "--timeout", "900ms"],
      on: daemon.loop)
    try daemon.wait(for: "a second event") {
      watching.printed.split(separator: "\n").count { $0.contains("  succeeded ") } == 2
    }
    #expect(watching.result == nil)
    #expect(try daemon.control("reload", "--timeout", "20s").end == .exited(0))
    _ = try? watching.child.signalGroup(.kill)
    #expect(try daemon.stop() == .exited(0))
  }

  @Test func `a listener that accepts nothing ends every verb with 69`() throws {
    let workshop = try Workshop()
    let path = workshop.path + "/full.sock"
    let listener = try FullListener(at: path)
    let loop = try EventLoop()
    let programs = try Self.verbs.map { words in
      try StartedProgram([BuiltProgram.control] + words + ["--socket", path, "--timeout", "100ms"], on: loop)
    }
    #expect(loop.run(atMost: Patience.usual) { programs.allSatisfy { $0.result != nil } })
    for (words, program) in zip(Self.verbs, programs) {
      #expect(program.result?.end == .exited(69), "\(words): \(program.result as Any)")
      #expect(program.result?.errors.contains("no answer within 100ms: ") == true, "\(words)")
    }
    withExtendedLifetime(listener) {}
  }

  @Test(arguments: ["0s", "-1s", "soon"])
  func `an invalid limit is refused`(text: String) throws {
    let result = try StartedProgram.run([BuiltProgram.control, "status", "--timeout", text])
    #expect(
      result.end == .exited(64)
        && result.errors.contains("'\(text)' is invalid for '--timeout <duration>': "), "\(result)")
  }

  @Test func `the load of a plugin that hangs is ended by the time limit`() throws {
    let workshop = try Workshop()
    let path = try workshop.compile(
      "#include <unistd.h>\n__attribute__((constructor)) static void hang(void) { for (;;) pause(); }",
      name: "hangs")
    let result = try StartedProgram.run(
      [BuiltProgram.control, "plugin", "inspect", path, "--host", BuiltProgram.host, "--timeout", "200ms"])
    #expect(result.end == .exited(1) && result.errors.contains("not loaded within 200ms: "), "\(result)")
  }
}

/// A Unix socket whose queue of connections is full and stays so.
private final class FullListener {
  private var descriptors: [CInt] = []

  init(at path: String) throws {
    let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    descriptors.append(listener)
    guard try unsafe Self.withAddress(of: path, { unsafe bind(listener, $0, $1) }) == 0,
      listen(listener, 0) == 0
    else {
      throw TestFailure("no listener at \(path): error \(errno)")
    }
    while true {
      let client = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0)
      descriptors.append(client)
      if try unsafe Self.withAddress(of: path, { unsafe connect(client, $0, $1) }) != 0 { break }
    }
  }

  deinit { for descriptor in descriptors { close(descriptor) } }

  private static func withAddress(
    of path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> CInt
  ) throws -> CInt {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
    return unsafe withUnsafePointer(to: &address) {
      unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }
}
