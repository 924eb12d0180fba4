import Foundation
import Testing
import TimelineSystem

@testable import TimelineSystemd

/// Every test that sets the environment does so in a process of its own.
@Suite struct SystemdTests {
  @Test func `the five verbs send the messages of sd_notify`() async {
    await #expect(processExitsWith: .success) {
      let socket = try NotifySocket()
      #expect(ServiceManager.ready(status: "3 jobs, next report at noon"))
      #expect(socket.receive() == "READY=1\nSTATUS=3 jobs, next report at noon")
      #expect(ServiceManager.reloading(monotonicMicroseconds: 12_345))
      #expect(socket.receive() == "RELOADING=1\nMONOTONIC_USEC=12345")
      #expect(ServiceManager.stopping(status: "draining 2 runs"))
      #expect(socket.receive() == "STOPPING=1\nSTATUS=draining 2 runs")
      #expect(ServiceManager.status("fine"))
      #expect(socket.receive() == "STATUS=fine")
      #expect(ServiceManager.watchdog())
      #expect(socket.receive() == "WATCHDOG=1")
      #expect(ServiceManager.extendTimeout(by: .milliseconds(1500)))
      #expect(socket.receive() == "EXTEND_TIMEOUT_USEC=1500000")
      #expect(socket.receive() == nil)
    }
  }

  @Test func `a status is one line and cannot carry another assignment`() async {
    await #expect(processExitsWith: .success) {
      let socket = try NotifySocket()
      ServiceManager.status("bad\nMAINPID=1\r\u{7F}")
      #expect(socket.receive() == "STATUS=bad MAINPID=1  ")
      ServiceManager.status(String(repeating: "ä", count: 1_000))
      let long = try #require(socket.receive())
      #expect(long.utf8.count <= ServiceManager.statusBytesMax && long.hasSuffix("ä"))
    }
  }

  @Test func `without systemd every call has no effect`() async {
    await #expect(processExitsWith: .success) {
      for name in ["NOTIFY_SOCKET", "WATCHDOG_USEC", "LISTEN_FDS", "LISTEN_PID"] { unsafe unsetenv(name) }
      #expect(!ServiceManager.ready(status: ""))
      #expect(!ServiceManager.watchdog())
      #expect(ServiceManager.watchdogInterval == nil)
      #expect(PassedDescriptor.takeAll().isEmpty)
      #expect(!DescriptorStore.store([0], name: "x"))
      #expect(!DescriptorStore.remove(name: "x"))
      #expect(!Journal.isConnected(environment: [:]))
    }
  }

  @Test func `the watchdog's interval counts only if it names this process`() async {
    await #expect(processExitsWith: .success) {
      unsafe setenv("WATCHDOG_USEC", "2500000", 1)
      unsafe setenv("WATCHDOG_PID", "\(getpid())", 1)
      #expect(ServiceManager.watchdogInterval == .milliseconds(2500))
      unsafe setenv("WATCHDOG_PID", "1", 1)
      #expect(ServiceManager.watchdogInterval == nil)
    }
  }

  @Test func `passed descriptors come with their names, once, and close on exec`() async {
    await #expect(processExitsWith: .success) {
      let directory = FileManager.default.temporaryDirectory.path + "/timeline-\(getpid()).sock"
      let listener = try UnixListener(at: directory, mode: 0o600)
      var (passed, isListener, flags): ([PassedDescriptor], Bool?, CInt) = ([], nil, -1)
      for _ in 0..<100 {
        // The numbers begin at 3, where the test library may have an open file that has to be restored.
        let displaced = dup(3)
        #expect(dup2(listener.rawValue, 3) == 3)
        unsafe setenv("LISTEN_PID", "\(getpid())", 1)
        unsafe setenv("LISTEN_FDS", "1", 1)
        unsafe setenv("LISTEN_FDNAMES", "control", 1)
        passed = PassedDescriptor.takeAll()
        isListener = passed.first?.isUnixListener
        flags = fcntl(3, F_GETFD)
        // A thread of the library that had a file there for a moment has closed this descriptor in its place: try again.
        let isOurs = Self.inode(of: 3) == Self.inode(of: listener.rawValue)
        if isOurs, displaced >= 0 { dup2(displaced, 3) }
        close(displaced)
        if isOurs { break }
      }
      #expect(passed == [PassedDescriptor(name: "control", number: 3)])
      #expect(isListener == true)
      #expect(flags == FD_CLOEXEC)
      #expect(PassedDescriptor.takeAll().isEmpty)
      #expect(unsafe getenv("LISTEN_FDS") == nil)
    }
  }

  private static func inode(of number: CInt) -> ino_t? {
    var status = stat()
    return unsafe fstat(number, &status) == 0 ? status.st_ino : nil
  }

  @Test func `the store is handed the descriptor itself, under its name`() async {
    await #expect(processExitsWith: .success) {
      let socket = try NotifySocket()
      let pipe = try ByteStream.pipe()
      #expect(DescriptorStore.store([pipe.writing.rawValue], name: "run-7"))
      pipe.writing.close()
      #expect(
        try pipe.reading.read(atMost: 1) == .wouldBlock, "the message on its way holds the writing end open")
      #expect(socket.receive() == "FDSTORE=1\nFDPOLL=0\nFDNAME=run-7")
      #expect(try pipe.reading.read(atMost: 1) == .endOfFile, "whoever received it let go of it")
      #expect(DescriptorStore.remove(name: "run-7"))
      #expect(socket.receive() == "FDSTOREREMOVE=1\nFDNAME=run-7")
      #expect(!DescriptorStore.store([0], name: "a:b"))
      #expect(!DescriptorStore.remove(name: "a\nREADY=1"))
      #expect(socket.receive() == nil)
    }
  }

  @Test func `the journal is used only if standard error is the stream that it names`() throws {
    var status = stat()
    try #require(unsafe fstat(STDERR_FILENO, &status) == 0)
    let own = "\(status.st_dev):\(status.st_ino)"
    #expect(Journal.isConnected(environment: ["JOURNAL_STREAM": own]))
    #expect(!Journal.isConnected(environment: ["JOURNAL_STREAM": "\(own)0"]))
    #expect(!Journal.isConnected(environment: ["JOURNAL_STREAM": ""]))
    #expect(!Journal.isConnected(environment: [:]))
  }

  @Test(arguments: [
    ("TIMELINE_JOB", true), ("A", true), ("A1_", true), ("", false), ("_PID", false), ("1A", false),
    ("job", false),
    ("A=B", false), (String(repeating: "A", count: 64), true), (String(repeating: "A", count: 65), false),
  ])
  func `a field's name is one that the journal keeps`(name: String, isValid: Bool) {
    #expect(Journal.isValidName(name) == isValid)
  }
}

/// Plays systemd's end of `$NOTIFY_SOCKET` in this process.
private final class NotifySocket {
  private let descriptor: CInt
  private let path: String

  init() throws {
    path = FileManager.default.temporaryDirectory.path + "/timeline-notify-\(getpid())"
    descriptor = socket(
      AF_UNIX, CInt(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
    let result = unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    try #require(result == 0)
    unsafe setenv("NOTIFY_SOCKET", path, 1)
  }

  deinit {
    close(descriptor)
    unsafe unlink(path)
  }

  /// The next message, `nil` when there is none: what was sent is there, the kernel delivers at once.
  func receive() -> String? {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = unsafe recv(descriptor, &buffer, buffer.count, 0)
    return count < 0 ? nil : String(decoding: buffer[..<count], as: UTF8.self)
  }
}
