import Foundation
import Glibc
import Testing
import TimelineCore
import TimelineSystem
import TimelineWire

/// A real `timeline-host` at the other end of a real socket, driven message by message.
final class HostProcess {
  let child: ChildProcess
  private let socket: SeqPacket
  private let output: ByteStream

  /// How long anything may take before a test gives up; generous, for machines that are busy.
  static let patienceMilliseconds: CInt = 60_000

  /// The program under test, built beside the test's own.
  static let executable = folder + "/timeline-host"
  private static let folder = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent().path

  init(launcher: [String] = []) throws {
    let (near, far) = try SeqPacket.pair(messageBytesMax: WireLimits.messageMax)
    let pipe = try ByteStream.pipe()
    let command = launcher + [Self.executable]
    child = try ChildProcess.spawn(
      executable: command[0], arguments: Array(command.dropFirst()), environment: ["PATH": "/usr/bin:/bin"],
      descriptors: [
        .init(far.rawValue, as: 3), .init(pipe.writing.rawValue, as: 1), .init(pipe.writing.rawValue, as: 2),
      ])
    far.close()
    pipe.writing.close()
    socket = near
    output = pipe.reading
  }

  deinit {
    socket.close()
    _ = try? child.signalGroup(.kill)
    _ = child.wait()
  }

  func send(_ message: DaemonMessage) throws {
    try #require(try socket.send(message.encoded()) == .sent)
  }

  func sendRaw(_ bytes: [UInt8]) throws {
    try #require(try socket.send(bytes) == .sent)
  }

  /// The next message; `nil` at the end of the socket.
  func receive() throws -> HostMessage? {
    while true {
      switch try socket.receive() {
      case .message(let bytes): return try HostMessage(decoding: bytes)
      case .endOfFile: return nil
      case .truncated(let length): throw TestFailure("a message of \(length) bytes was cut")
      case .wouldBlock: try waitForReading(socket.rawValue)
      }
    }
  }

  /// What was logged and reported until something else came, and that.
  func receiveAnswer() throws -> (lines: [LogLine], progress: [TimelineWire.Progress], answer: HostMessage?) {
    var lines: [LogLine] = []
    var progress: [TimelineWire.Progress] = []
    while true {
      switch try receive() {
      case .log(let line): lines.append(line)
      case .progress(let report): progress.append(report)
      case let other: return (lines, progress, other)
      }
    }
  }

  @discardableResult
  func load(_ path: String, user: String? = nil, noNewPrivileges: Bool = true) throws -> HostMessage? {
    try send(.load(LoadRequest(path: path, user: user, noNewPrivileges: noNewPrivileges)))
    return try receiveAnswer().answer
  }

  @discardableResult
  func open(_ parameters: String = "{}", isRehearsal: Bool = false) throws -> HostMessage? {
    let job = try #require(JobName("test"))
    try send(.open(OpenRequest(job: job, parameters: parameters, isRehearsal: isRehearsal)))
    return try receiveAnswer().answer
  }

  /// Sends a run and returns its end.
  func run(
    _ number: UInt64 = 1, cursor: [UInt8] = []
  ) throws -> (lines: [LogLine], progress: [TimelineWire.Progress], end: RunEnd) {
    try send(.run(try .sample(number, cursor: cursor)))
    let (lines, progress, answer) = try receiveAnswer()
    guard case .ended(let end) = answer else {
      throw TestFailure("no end of the run: \(String(describing: answer))")
    }
    return (lines, progress, end)
  }

  /// Closes the daemon's end, as its death would.
  func hangUp() { socket.close() }

  /// What came through standard output and error, up to their end.
  func outputToEnd() throws -> String {
    var bytes: [UInt8] = []
    while true {
      switch try output.read(atMost: 65_536) {
      case .bytes(let more): bytes += more
      case .wouldBlock: try waitForReading(output.rawValue)
      default: return String(decoding: bytes, as: UTF8.self)
      }
    }
  }

  /// How the process ended; does not wait for ever.
  func end() throws -> ProcessEnd {
    try waitForReading(child.handleRawValue)
    return child.wait()
  }
}

/// Waits until a descriptor is readable or closed.
func waitForReading(_ descriptor: CInt) throws {
  var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
  guard unsafe poll(&entry, 1, HostProcess.patienceMilliseconds) == 1 else {
    throw TestFailure("nothing came in \(HostProcess.patienceMilliseconds) ms")
  }
}

struct TestFailure: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}

extension RunRequest {
  /// A run at two instants of no importance.
  static func sample(_ number: UInt64, cursor: [UInt8] = []) throws -> RunRequest {
    try RunRequest(
      run: number, runKey: "test/\(number)", nominal: WallInstant(secondsSinceEpoch: 1_800_000_000),
      actual: WallInstant(nanosecondsSinceEpoch: 1_800_000_000_000_000_123), cursor: cursor)
  }
}

/// A folder of a test's own that goes when the test does.
final class Workshop {
  let path: String

  init() throws {
    var template = Array("/tmp/timeline-host-test.XXXXXX".utf8CString)
    guard unsafe mkdtemp(&template) != nil else { throw TestFailure("mkdtemp failed") }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    // Others may look in, so that a host that became another user can load what is here.
    unsafe chmod(path, 0o755)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Compiles C into a library and returns its path.
  func compile(_ source: String, name: String = "plugin") throws -> String {
    let file = "\(path)/\(name).c"
    let library = "\(path)/\(name).so"
    try Data(source.utf8).write(to: URL(fileURLWithPath: file))
    try shell(
      "cc", "-std=c17", "-D_GNU_SOURCE", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC",
      "-fvisibility=hidden",
      "-I\(sourceRoot)/Sources/CTimelinePlugin/include", "-o", library, file)
    unsafe chmod(library, 0o755)
    return library
  }
}

/// The folder of the package.
let sourceRoot = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
  .deletingLastPathComponent().path

/// Runs a program found in PATH to its end; throws what it wrote when it fails.
@discardableResult
func shell(_ words: String...) throws -> String {
  let process = Process()
  process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
  process.arguments = words
  let pipe = Pipe()
  process.standardOutput = pipe
  process.standardError = pipe
  process.standardInput = FileHandle.nullDevice
  try process.run()
  let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
  process.waitUntilExit()
  guard process.terminationStatus == 0 else {
    throw TestFailure("\(words.joined(separator: " ")): \(output)")
  }
  return output
}

let isRoot = geteuid() == 0
