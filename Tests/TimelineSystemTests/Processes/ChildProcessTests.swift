import Foundation
import Testing
import TimelineCore

@testable import TimelineSystem

@Suite struct ChildProcessTests {
  /// Runs a shell script to its end; what it wrote to its standard output, and how it ended.
  private func run(
    _ script: String, environment: [String: String] = [:], extra: [ChildProcess.Passing] = [],
    directory: String? = nil
  ) throws -> (output: String, status: ProcessEnd) {
    let pipe = try ByteStream.pipe()
    let child = try ChildProcess.spawn(
      executable: "/bin/bash", arguments: ["-c", script], environment: environment,
      descriptors: [.init(pipe.writing.rawValue, as: 1)] + extra, directory: directory)
    pipe.writing.close()
    var output: [UInt8] = []
    while true {
      try #require(try pipe.reading.wait(toWrite: false, atMost: patience))
      guard case .bytes(let more) = try pipe.reading.read(atMost: 4096) else { break }
      output += more
    }
    return (String(decoding: output, as: UTF8.self), child.wait())
  }

  @Test(
    arguments: [
      ("exit 0", .exited(0), "exited with status 0"), ("exit 3", .exited(3), "exited with status 3"),
      ("kill -SEGV $$", .signalled(Signal(rawValue: SIGSEGV)), "was killed by SIGSEGV"),
    ] as [(String, ProcessEnd, String)])
  func `the end of a child has a status or the signal's name`(
    script: String, status: ProcessEnd, text: String
  )
    throws
  {
    let result = try run("ulimit -c 0; \(script)")
    #expect(result.status == status && "\(result.status)" == text)
  }

  @Test func `the handle reports the end of a child to a loop`() throws {
    let loop = try EventLoop()
    let (stdin, hold) = try ByteStream.pipe()
    stdin.setNonBlocking(false)
    let child = try ChildProcess.spawn(
      executable: "/bin/cat", descriptors: [.init(stdin.rawValue, as: 0)])
    stdin.close()
    #expect(child.reap(killingGroup: false) == nil)
    var status: ProcessEnd?
    let watch = try loop.watch(child.handleRawValue, for: .reading) { _ in
      status = child.reap(killingGroup: false)
    }
    hold.close()
    #expect(loop.run(atMost: patience) { status != nil })
    #expect(child.reap(killingGroup: false) == status)
    #expect(try !child.signal(.terminate) && !child.signalGroup(.kill), "nobody is left to be signalled")
    watch.cancel()
  }

  @Test func `a child has only the environment, directory and arguments given`() throws {
    let directory = try TestDirectory()
    let result = try run(
      "echo \"$COLOUR $HOME\"; pwd", environment: ["COLOUR": "red"], directory: directory.path)
    #expect(result.output == "red \n\(directory.path)\n")
  }

  @Test func `a child has only the descriptors passed, under their numbers, however they overlap`() throws {
    let (one, other) = (try ByteStream.pipe(), try ByteStream.pipe())
    let (a, b) = (one.writing.rawValue, other.writing.rawValue)
    // Exchanging two numbers goes wrong when they are copied one after the other without care.
    let result = try run(
      "printf one >&\(b); printf other >&\(a); ls /proc/self/fd",
      extra: [.init(a, as: b), .init(b, as: a), .init(a, as: 9)])
    #expect(try one.reading.read(atMost: 10) == .bytes(Array("one".utf8)))
    #expect(try other.reading.read(atMost: 10) == .bytes(Array("other".utf8)))
    let numbers = Set(result.output.split(separator: "\n").compactMap { CInt($0) })
    // `ls` itself opens the directory under the lowest free number.
    #expect(numbers.isSuperset(of: [0, 1, 2, 9, a, b]) && numbers.count == 7, "\(result.output)")
  }

  @Test func `a child starts with no signal blocked or ignored`() throws {
    let loop = try EventLoop()
    let source = try SignalSource(loop: loop, signals: [.user2]) { _ in }
    let result = try run("grep -E 'Sig(Blk|Ign)' /proc/self/status")
    let masks = result.output.split(separator: "\n").compactMap { line in
      line.split(separator: "\t").last.flatMap { UInt64($0, radix: 16) }
    }
    // The C library keeps 32 and 33 to itself and lets a child ignore them until it has threads.
    let ownedByTheLibrary: UInt64 = 1 << 31 | 1 << 32
    #expect(masks.map { $0 & ~ownedByTheLibrary } == [0, 0], "\(result.output)")
    withExtendedLifetime(source) {}
  }

  @Test func `children can be reaped even where SIGCHLD was ignored from the start`() async {
    await #expect(processExitsWith: .success) {
      _ = signal(SIGCHLD, SIG_IGN)
      let child = try ChildProcess.spawn(executable: "/bin/sh", arguments: ["-c", "exit 4"])
      #expect(child.wait() == .exited(4))
    }
  }

  @Test func `a status that other code has taken is unobserved, and no wait lasts forever`()
    throws
  {
    for blocks in [true, false] {
      let child = try ChildProcess.spawn(executable: "/bin/true")
      while waitpid(child.pid, nil, 0) < 0 { try #require(errno == EINTR) }
      #expect((blocks ? child.wait() : child.reap(killingGroup: true)) == .unobserved)
      #expect(child.status == .unobserved)
    }
  }

  @Test func `a child leads a session of its own, so that no terminal can stop it`() throws {
    let child = try ChildProcess.spawn(executable: "/bin/sleep", arguments: ["1000"])
    #expect(getsid(child.pid) == child.pid && getpgid(child.pid) == child.pid)
    child.killTree()
    #expect(child.wait() == .signalled(.kill))
  }

  @Test func `reaping can kill the rest of the process group`() throws {
    let pipe = try ByteStream.pipe()
    let child = try ChildProcess.spawn(
      executable: "/bin/sh", arguments: ["-c", "sleep 1000 & echo started; exit 5"],
      descriptors: [.init(pipe.writing.rawValue, as: 1)])
    pipe.writing.close()
    let loop = try EventLoop()
    var status: ProcessEnd?
    try loop.watch(child.handleRawValue, for: .reading) { _ in status = child.reap(killingGroup: true) }
    #expect(loop.run(atMost: patience) { status != nil })
    #expect(status == .exited(5))
    // The grandchild held the pipe open; its end is seen as the end of the pipe.
    var output: [UInt8] = []
    while true {
      try #require(try pipe.reading.wait(toWrite: false, atMost: patience))
      guard case .bytes(let more) = try pipe.reading.read(atMost: 64) else { break }
      output += more
    }
    #expect(output == Array("started\n".utf8))
  }

  @Test func `a signal to the group reaches grandchildren`() throws {
    let pipe = try ByteStream.pipe()
    let child = try ChildProcess.spawn(
      executable: "/bin/sh", arguments: ["-c", "sleep 1000 & echo started; wait"],
      descriptors: [.init(pipe.writing.rawValue, as: 1)])
    pipe.writing.close()
    try #require(try pipe.reading.wait(toWrite: false, atMost: patience))
    #expect(try pipe.reading.read(atMost: 64) == .bytes(Array("started\n".utf8)))
    #expect(try child.signalGroup(.terminate))
    #expect(child.wait() == .signalled(.terminate))
    try #require(try pipe.reading.wait(toWrite: false, atMost: patience))
    #expect(try pipe.reading.read(atMost: 64) == .endOfFile)
  }

  @Test(arguments: [("/does/not/exist", "ENOENT"), ("/etc/passwd", "EACCES"), ("/bin/s\0h", "EINVAL")])
  func `a file that cannot be executed is reported at once`(path: String, name: String) {
    let error = #expect(throws: SystemError.self) { try ChildProcess.spawn(executable: path) }
    #expect(error?.name == name && error?.subject == path)
  }
}
