import Foundation
import Glibc
import Testing
import TimelineControl
import TimelineCore
import TimelineSystem
import TimelineTestSupport

/// A real `timelined` on a loop of the test's own, with its output, its messages to systemd and its exit status.
///
/// All waits are on descriptors. Messages to systemd are always read, because the socket holds few of them and the daemon would
/// wait for room.
final class DaemonProcess {
  let workshop: Workshop
  let loop: EventLoop
  let child: ChildProcess
  /// The control socket; where it is not given, tests do not call the daemon.
  let socketPath: String
  private let output: Reader
  private let errorOutput: Reader
  private let notify: NotifySocket?
  private let exit: Exit

  private final class Exit {
    var end: ProcessEnd?
  }

  static let patience = Patience.usual

  /// Starts a daemon on the configuration `daemon.toml` of `workshop`, which is also its plugin directory.
  ///
  /// - Parameters:
  ///   - watchdog: The watchdog's interval in systemd's microseconds.
  ///   - state: The state directory; `nil` for the one of the workshop.
  ///   - command: Words before the daemon's own command line, such as `setpriv ...`.
  ///   - variables: Environment variables beside the usual ones.
  ///   - shelf: systemd's descriptor store, which outlives the daemon and passes it the descriptors of an earlier one.
  init(
    _ workshop: Workshop, arguments: [String] = [], hasServiceManager: Bool = false, watchdog: Int? = nil,
    configurationPath: String? = nil, command: [String] = [], variables: [String: String] = [:],
    shelf: DescriptorShelf? = nil
  ) throws {
    self.workshop = workshop
    loop = try EventLoop()
    socketPath = workshop.path + "/control.sock"
    var environment = ["PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "TZ": "UTC"]
    environment.merge(variables) { $1 }
    // A new name, because an earlier daemon's socket may still exist.
    notify =
      hasServiceManager || shelf != nil
      ? try NotifySocket(at: workshop.path + "/notify-\(UUID().uuidString).sock", on: loop, shelf: shelf)
      : nil
    if let notify { environment["NOTIFY_SOCKET"] = notify.path }
    if let watchdog { environment["WATCHDOG_USEC"] = "\(watchdog)" }
    let (outputPipe, errorPipe) = (try ByteStream.pipe(), try ByteStream.pipe())
    let passed = shelf?.descriptors ?? []
    var words = command + [BuiltProgram.daemon]
    if let shelf, !passed.isEmpty {
      environment["LISTEN_FDS"] = "\(passed.count)"
      environment["LISTEN_FDNAMES"] = shelf.names
      words = ["/bin/sh", "-c", "export LISTEN_PID=$$; exec \"$0\" \"$@\""] + words
    }
    words += ["--config", configurationPath ?? workshop.path + "/daemon.toml"]
    if !arguments.contains("--state") { words += ["--state", workshop.path + "/state"] }
    if !arguments.contains("--clock") { words += ["--control", socketPath] }
    words += ["--plugins", workshop.path, "--host", BuiltProgram.host] + arguments
    child = try ChildProcess.spawn(
      executable: words[0], arguments: Array(words.dropFirst()), environment: environment,
      descriptors: [.init(outputPipe.writing.rawValue, as: 1), .init(errorPipe.writing.rawValue, as: 2)]
        + passed.enumerated().map { .init($1, as: CInt(3 + $0)) })
    outputPipe.writing.close()
    errorPipe.writing.close()
    output = try Reader(outputPipe.reading, on: loop)
    errorOutput = try Reader(errorPipe.reading, on: loop)
    let exit = Exit()
    self.exit = exit
    let child = child
    var watch: Watch?
    watch = try loop.watch(child.handleRawValue, for: .reading) { _ in
      exit.end = child.reap(killingGroup: true)
      watch?.cancel()
      watch = nil
    }
  }

  deinit {
    guard exit.end == nil else { return }
    _ = try? child.signalGroup(.kill)
    _ = child.wait()
  }

  /// Lines that it printed so far, without the lines that only have a date.
  var lines: [String] { output.lines.filter { !$0.hasPrefix("-- ") } }
  /// Standard error so far.
  var errors: String { errorOutput.text }
  /// Messages to systemd so far.
  var notes: [String] { notify?.messages ?? [] }
  /// Exit status, once it has ended.
  var end: ProcessEnd? { exit.end }

  /// Entries settled so far, in the order in which they were logged.
  var settled: [SettledLine] { lines.compactMap(SettledLine.init) }
  func settled(_ job: String) -> [SettledLine] { settled.filter { $0.job == job } }

  /// Serves everything until `condition` holds.
  func wait(
    for what: String, sourceLocation: SourceLocation = #_sourceLocation, until condition: () -> Bool
  ) throws {
    if loop.run(atMost: Self.patience, until: condition) { return }
    throw TestFailure(
      "\(what) did not come (\(sourceLocation)); end: \(end as Any); errors: \(errors); told: \(notes); printed:\n"
        + lines.suffix(40).joined(separator: "\n"))
  }

  /// Waits for a line that contains all of `parts`, from the given line on, and returns it.
  @discardableResult
  func line(
    containing parts: String..., after start: Int = 0, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> String {
    var found: String?
    try wait(for: "a line with \(parts)", sourceLocation: sourceLocation) {
      found = lines.dropFirst(start).first { line in parts.allSatisfy { line.contains($0) } }
      return found != nil || (end != nil && output.isAtEnd)
    }
    guard let found else {
      throw TestFailure("no line with \(parts) before the end (\(sourceLocation)): \(lines) \(errors)")
    }
    return found
  }

  /// Waits until the jobs are armed and the control socket answers.
  func begin(sourceLocation: SourceLocation = #_sourceLocation) throws {
    try line(containing: "timelined 0.1.0: ", sourceLocation: sourceLocation)
  }

  /// Waits for the end of the process and of its output.
  func finish(sourceLocation: SourceLocation = #_sourceLocation) throws -> ProcessEnd? {
    try wait(for: "the end", sourceLocation: sourceLocation) {
      end != nil && output.isAtEnd && errorOutput.isAtEnd
    }
    return end
  }

  /// Stops all threads of the process until ``resume()``, including the one that tidies its ledger after the start.
  func halt() throws {
    try child.signal(Signal(rawValue: SIGSTOP))
    var info = unsafe siginfo_t()
    // The kernel reports a stop once the last thread has stopped.
    while unsafe waitid(P_PID, id_t(child.pid), &info, WSTOPPED | WEXITED | WNOWAIT) != 0 {
      guard errno == EINTR else { throw TestFailure("waitid: error \(errno)") }
    }
    guard unsafe info.si_code == CInt(CLD_STOPPED) else { throw TestFailure("ended instead: \(errors)") }
  }

  /// Continues the process after ``halt()``.
  func resume() throws { try child.signal(Signal(rawValue: SIGCONT)) }

  /// Sends SIGTERM and waits for the end.
  @discardableResult
  func stop(sourceLocation: SourceLocation = #_sourceLocation) throws -> ProcessEnd? {
    try child.signal(.terminate)
    return try finish(sourceLocation: sourceLocation)
  }
}

/// A reply as it is sent.
private struct ReplyMessage<Parameters: Decodable>: Decodable {
  var parameters: Parameters
}

// Calls of `timelinectl` and of the interface, while the loop serves the daemon.
extension DaemonProcess {
  /// Runs `timelinectl` against this daemon to its end.
  func control(_ words: String..., command: [String] = []) throws -> FinishedProgram {
    try control(words, command: command)
  }

  /// Runs `timelinectl` against this daemon to its end.
  func control(_ words: [String], command: [String] = []) throws -> FinishedProgram {
    let program = try StartedProgram(
      command + [BuiltProgram.control, "--socket", socketPath] + words, on: loop)
    try wait(for: "the end of timelinectl \(words)") { program.result != nil }
    return try #require(program.result)
  }

  /// Calls a method from this process, and returns its one reply.
  func call<Reply: Decodable>(_ method: String, _ parameters: some Encodable) throws -> Reply {
    let stream = try ByteStream.connect(to: socketPath, atMost: Patience.usual)
    defer { stream.close() }
    let text = String(decoding: try JSONEncoder().encode(parameters), as: UTF8.self)
    let call = Array((#"{"method":"io.timelined.Control.\#(method)","parameters":\#(text)}"# + "\0").utf8)
    guard case .wrote(call.count) = try stream.write(call[...]) else {
      throw TestFailure("not all of the request was taken")
    }
    var received: [UInt8] = []
    let watch = try loop.watch(stream.rawValue, for: .reading) { _ in
      if case .bytes(let bytes)? = try? stream.read(atMost: 1 << 16) { received += bytes }
    }
    defer { watch.cancel() }
    try wait(for: "the reply to \(method)") { received.last == 0 }
    return try JSONDecoder().decode(ReplyMessage<Reply>.self, from: Data(received.dropLast())).parameters
  }

  func status() throws -> StatusReply {
    try JSONDecoder().decode(StatusReply.self, from: Data(control("status", "--json").output.utf8))
  }

  func list() throws -> [JobReport] {
    try control("list", "--json").output.split(separator: "\n").map {
      try JSONDecoder().decode(JobReport.self, from: Data($0.utf8))
    }
  }
}

/// Outcome of an entry, as the daemon prints it.
struct SettledLine: Equatable {
  var job: String
  var outcome: String
  /// Name of the entry, such as `entry 12:00:05`.
  var entry: String
  var line: String

  init?(_ line: String) {
    let parts = line.split(separator: "  ").map { $0.trimmingCharacters(in: .whitespaces) }
    // A time, the job, perhaps a level in front of the outcome, the entry.
    guard parts.count >= 4 else { return nil }
    let word = parts[2].split(separator: " ").last.map(String.init) ?? ""
    guard Outcome(rawValue: word) != nil else { return nil }
    // A reason may follow the entry.
    let entry = parts[3].firstRange(of: ": ").map { String(parts[3][..<$0.lowerBound]) } ?? parts[3]
    (job, outcome, self.entry, self.line) = (parts[1], word, entry, line)
  }
}
