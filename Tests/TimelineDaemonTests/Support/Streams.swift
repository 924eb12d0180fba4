import Foundation
import Glibc
import TimelineCore
import TimelineSystem
import TimelineTestSupport

/// Reads a pipe on a loop.
final class Reader {
  private let stream: ByteStream
  private var bytes: [UInt8] = []
  private var watch: Watch?

  init(_ stream: ByteStream, on loop: EventLoop) throws {
    self.stream = stream
    watch = try loop.watch(stream.rawValue, for: .reading) { [unowned self] _ in take() }
  }

  var isAtEnd: Bool { watch == nil }
  var text: String { String(decoding: bytes, as: UTF8.self) }
  /// The lines that are complete.
  var lines: [String] {
    var lines = text.components(separatedBy: "\n")
    lines.removeLast()
    return lines
  }

  deinit { close() }

  private func take() {
    switch try? stream.read(atMost: 65_536) {
    case .bytes(let more): bytes += more
    case .wouldBlock: break
    case .endOfFile, nil: close()
    }
  }

  private func close() {
    guard let watch else { return }
    self.watch = nil
    watch.cancel()
    stream.close()
  }
}

/// Output and status of a program that has ended.
struct FinishedProgram {
  var end: ProcessEnd
  var output: String
  var errors: String
}

/// A program that runs to its end while a loop serves others too.
final class StartedProgram {
  let child: ChildProcess
  private let output: Reader
  private let errors: Reader
  private let loop: EventLoop
  private var watch: Watch?
  private var end: ProcessEnd?

  init(_ words: [String], environment: [String: String] = [:], on loop: EventLoop) throws {
    let (outputPipe, errorPipe) = (try ByteStream.pipe(), try ByteStream.pipe())
    self.loop = loop
    child = try ChildProcess.spawn(
      executable: words[0], arguments: Array(words.dropFirst()),
      environment: ["PATH": "/usr/bin:/bin", "TZ": "UTC"].merging(environment) { $1 },
      descriptors: [.init(outputPipe.writing.rawValue, as: 1), .init(errorPipe.writing.rawValue, as: 2)])
    outputPipe.writing.close()
    errorPipe.writing.close()
    output = try Reader(outputPipe.reading, on: loop)
    errors = try Reader(errorPipe.reading, on: loop)
    watch = try loop.watch(child.handleRawValue, for: .reading) { [unowned self] _ in
      end = child.reap(killingGroup: true)
      watch?.cancel()
      watch = nil
    }
  }

  deinit {
    watch?.cancel()
    guard end == nil else { return }
    _ = try? child.signalGroup(.kill)
    _ = child.wait()
  }

  /// Output so far.
  var printed: String { output.text }

  /// Output and status, once it and its output have ended.
  var result: FinishedProgram? {
    guard let end, output.isAtEnd, errors.isAtEnd else { return nil }
    return FinishedProgram(end: end, output: output.text, errors: errors.text)
  }

  /// Runs a program to its end on a loop of its own.
  static func run(_ words: [String], environment: [String: String] = [:]) throws -> FinishedProgram {
    let loop = try EventLoop()
    let program = try StartedProgram(words, environment: environment, on: loop)
    guard loop.run(atMost: DaemonProcess.patience, until: { program.result != nil }),
      let result = program.result
    else { throw TestFailure("\(words) did not end; it printed \(program.printed)") }
    return result
  }
}

/// systemd's end of `$NOTIFY_SOCKET`.
final class NotifySocket {
  let path: String
  private(set) var messages: [String] = []
  private let descriptor: FileDescriptor
  private let shelf: DescriptorShelf?
  private var watch: Watch?

  init(at path: String, on loop: EventLoop, shelf: DescriptorShelf? = nil) throws {
    self.path = path
    self.shelf = shelf
    descriptor = FileDescriptor(
      owning: socket(AF_UNIX, CInt(SOCK_DGRAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0))
    descriptor.setNonBlocking()
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else {
      throw TestFailure("\(path) is too long for a socket")
    }
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
    let number = descriptor.rawValue
    let code = unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe bind(number, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard code == 0 else { throw TestFailure("bind \(path): errno \(errno)") }
    watch = try loop.watch(number, for: .reading) { [unowned self] _ in take() }
  }

  deinit { watch?.cancel() }

  private func take() {
    guard let (message, numbers) = PassedMessage.receive(on: descriptor.rawValue) else { return }
    messages.append(message)
    if let shelf { shelf.take(message, numbers) } else { for number in numbers { close(number) } }
  }
}

/// A named pipe at which runs of the plugin `gate` wait until a test lets them go.
final class Gate {
  let path: String
  private let descriptor: FileDescriptor

  init(in workshop: Workshop, name: String = "gate.fifo") throws {
    path = workshop.path + "/" + name
    guard unsafe mkfifo(path, 0o666) == 0 else { throw TestFailure("mkfifo \(path): errno \(errno)") }
    unsafe chmod(path, 0o666)
    // Both ends, so that neither side ever waits for the other to open it.
    descriptor = FileDescriptor(owning: unsafe Glibc.open(path, O_RDWR | O_CLOEXEC))
  }

  /// Lets `count` runs go.
  func open(_ count: Int = 1) throws {
    let bytes = [UInt8](repeating: 0x2E, count: count)
    guard unsafe write(descriptor.rawValue, bytes, count) == count else {
      throw TestFailure("the gate \(path) could not be opened")
    }
  }
}
