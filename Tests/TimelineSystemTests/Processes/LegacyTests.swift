import Foundation
import Testing
import TimelineCore

@testable import TimelineSystem

/// Descriptors and processes that one process leaves to another.
@Suite struct LegacyTests {
  @Test func `a file in memory is read through a copy of its descriptor, whole or not at all`() throws {
    let file = try MemoryFile(name: "test")
    #expect(try file.contents() == nil)
    let copy = MemoryFile(adopting: try FileDescriptor.duplicate(file.rawValue, atLeast: 0))
    #expect(try copy.contents() == nil)
    let longest = [UInt8](repeating: 7, count: MemoryFile.contentsMax)
    for bytes in [[], [1, 2, 3], longest, [9]] {
      try file.replace(bytes)
      #expect(try copy.contents() == bytes && file.contents() == bytes)
    }
    #expect(throws: SystemError.self) { try file.replace(longest + [7]) }
    #expect(try copy.contents() == [9])
    // A successor goes on where the one before it stopped.
    let heir = MemoryFile(adopting: try FileDescriptor.duplicate(file.rawValue, atLeast: 0))
    try heir.replace([4])
    #expect(try file.contents() == [4])
  }

  @Test func `an interrupted replacement keeps the former contents`() throws {
    let file = try MemoryFile(name: "test")
    try file.replace([1, 2, 3])
    // The first half of a replacement: the contents without the header that makes them valid.
    let header = Array(repeating: UInt8(0), count: 8)
    var kept = header
    #expect(unsafe pread(file.rawValue, &kept, 8, 0) == 8)
    try file.replace([4, 5, 6, 7])
    #expect(unsafe pwrite(file.rawValue, kept, 8, 0) == 8)
    #expect(try file.contents() == [1, 2, 3])
    // A malformed header is rejected.
    #expect(unsafe pwrite(file.rawValue, [UInt8](repeating: 255, count: 8), 8, 0) == 8)
    #expect(try file.contents() == nil)
  }

  @Test func `the kind of a descriptor of unknown origin is found`() throws {
    let (near, _) = try SeqPacket.pair(messageBytesMax: 16)
    let pipe = try ByteStream.pipe()
    let file = try MemoryFile(name: "test")
    let child = try ChildProcess.spawn(executable: "/bin/true")
    #expect(DescriptorKind(of: near.rawValue) == .socket)
    #expect(DescriptorKind(of: pipe.reading.rawValue) == .pipe)
    #expect(DescriptorKind(of: pipe.writing.rawValue) == .pipe)
    #expect(DescriptorKind(of: file.rawValue) == .memory)
    #expect(DescriptorKind(of: child.handleRawValue) == .other)
    #expect(DescriptorKind(of: -1) == nil)
    _ = child.wait()
  }

  @Test func `a peeked message stays in the queue, and hanging up ends a connection with copies`() throws {
    let (near, far) = try SeqPacket.pair(messageBytesMax: 16)
    #expect(try near.peek() == .wouldBlock)
    _ = try far.send([1, 2, 3])
    #expect(try near.peek() == .message([1, 2, 3]))
    #expect(try near.peek() == .message([1, 2, 3]))
    #expect(try near.receive() == .message([1, 2, 3]))
    let copy = try FileDescriptor.duplicate(near.rawValue, atLeast: 0)
    _ = try near.send([4])
    near.hangUp()
    #expect(near.rawValue == -1 && copy.rawValue >= 0)
    #expect(try far.receive() == .message([4]), "what was said before is heard")
    #expect(try far.receive() == .endOfFile)
    #expect(try far.send([5]) == .peerClosed)
    near.hangUp()
  }

  @Test func `a process of another parent is watched, signalled and not reaped`() throws {
    let child = try ChildProcess.spawn(executable: "/bin/sleep", arguments: ["1000"])
    let process = ForeignProcess(
      pid: child.pid, handle: try FileDescriptor.duplicate(child.handleRawValue, atLeast: 0))
    #expect(!process.hasEnded && process.reap(killingGroup: true) == nil)
    let loop = try EventLoop()
    var end: ProcessEnd?
    let watch = try loop.watch(process.handleRawValue, for: .reading) { _ in
      end = process.reap(killingGroup: false)
    }
    #expect(try process.signalGroup(.terminate))
    #expect(loop.run(atMost: patience) { end != nil })
    watch.cancel()
    #expect(end == .unobserved && process.wait() == .unobserved && process.hasEnded)
    #expect("\(ProcessEnd.unobserved)" == "ended, and its status went to another process")
    #expect(child.wait() == .signalled(.terminate), "the parent still has the status")
    // The parent has reaped it: the number is free, or belongs to another process that must not be hit.
    #expect(try !process.signal(.kill) && !process.signalGroup(.kill))
  }

  @Test func `reaping a foreign process kills the rest of its group`() throws {
    let pipe = try ByteStream.pipe()
    let child = try ChildProcess.spawn(
      executable: "/bin/bash", arguments: ["-c", "sleep 1000 & exit 0"],
      descriptors: [.init(pipe.writing.rawValue, as: 1)])
    pipe.writing.close()
    let process = ForeignProcess(
      pid: child.pid, handle: try FileDescriptor.duplicate(child.handleRawValue, atLeast: 0))
    #expect(child.wait() == .exited(0), "reaped, as systemd would have")
    #expect(process.reap(killingGroup: true) == .unobserved)
    try #require(try pipe.reading.wait(toWrite: false, atMost: patience))
    #expect(try pipe.reading.read(atMost: 1) == .endOfFile, "nobody holds the pipe any more")
  }
}
