import Foundation
import Testing
import TimelineCore

@testable import TimelineSystem

@Suite struct SeqPacketTests {
  @Test func `messages keep their boundaries and their order`() throws {
    let pair = try SeqPacket.pair(messageBytesMax: 16)
    #expect(try pair.near.receive() == .wouldBlock)
    for message in [[1], [2, 3], Array(repeating: 7, count: 16)] as [[UInt8]] {
      #expect(try pair.far.send(message) == .sent)
    }
    #expect(try pair.near.receive() == .message([1]))
    #expect(try pair.near.receive() == .message([2, 3]))
    #expect(try pair.near.receive() == .message(Array(repeating: 7, count: 16)))
    #expect(try pair.near.receive() == .wouldBlock)
  }

  @Test func `a message over the limit is reported with its length and the next one is whole`() throws {
    let pair = try SeqPacket.pair(messageBytesMax: 16)
    _ = try pair.far.send(Array(repeating: 1, count: 17))
    _ = try pair.far.send([9])
    #expect(try pair.near.receive() == .truncated(length: 17))
    #expect(try pair.near.receive() == .message([9]))
  }

  @Test func `a full queue would block, and room comes back`() throws {
    let pair = try SeqPacket.pair(messageBytesMax: 1024)
    let message = [UInt8](repeating: 5, count: 1024)
    var sent = 0
    while try pair.near.send(message) == .sent { sent += 1 }
    #expect(sent > 0)
    #expect(try pair.near.send(message) == .wouldBlock)
    for _ in 0..<sent { #expect(try pair.far.receive() == .message(message)) }
    #expect(try pair.near.send(message) == .sent)
  }

  @Test func `what was sent before the end is received before the end`() throws {
    let pair = try SeqPacket.pair(messageBytesMax: 16)
    _ = try pair.far.send([1])
    pair.far.close()
    pair.far.close()
    #expect(try pair.near.send([2]) == .peerClosed)
    #expect(try pair.near.receive() == .message([1]))
    #expect(try pair.near.receive() == .endOfFile)
    #expect(try pair.far.receive() == .endOfFile)
    #expect(try pair.far.send([1]) == .peerClosed)
  }

  @Test func `a message too large for the socket is an error`() throws {
    let pair = try SeqPacket.pair(messageBytesMax: 16)
    let error = #expect(throws: SystemError.self) {
      try pair.near.send([UInt8](repeating: 0, count: 16 << 20))
    }
    #expect(error?.name == "EMSGSIZE")
  }
}

@Suite struct UnixSocketTests {
  @Test func `bytes go both ways, and the peer has this process's credentials`() throws {
    let directory = try TestDirectory()
    let listener = try UnixListener(at: "\(directory.path)/s", mode: 0o660, group: getegid())
    #expect(try listener.accept() == nil)
    let client = try ByteStream.connect(to: "\(directory.path)/s", atMost: patience)
    let server = try #require(try listener.accept())
    #expect(try client.write([1, 2, 3][...]) == .wrote(3))
    #expect(try server.wait(toWrite: false, atMost: patience))
    #expect(server.hasBytes)
    #expect(try server.read(atMost: 2) == .bytes([1, 2]))
    #expect(try server.read(atMost: 2) == .bytes([3]))
    #expect(!server.hasBytes)
    #expect(try server.read(atMost: 2) == .wouldBlock)
    #expect(try !server.wait(toWrite: false, atMost: .zero))
    let peer = try server.peerCredentials()
    #expect(peer == PeerCredentials(pid: getpid(), user: geteuid(), group: getegid()))
    client.close()
    #expect(try server.read(atMost: 2) == .endOfFile)
    #expect(try server.write([1]) == .peerClosed)
  }

  @Test func `a write to a peer that does not read would block`() throws {
    let directory = try TestDirectory()
    let listener = try UnixListener(at: "\(directory.path)/s", mode: 0o600)
    let client = try ByteStream.connect(to: "\(directory.path)/s", atMost: patience)
    let chunk = [UInt8](repeating: 1, count: 65_536)[...]
    var outcome = ByteStream.Writing.wrote(0)
    while case .wrote = outcome { outcome = try client.write(chunk) }
    #expect(outcome == .wouldBlock)
    #expect(try !client.wait(toWrite: true, atMost: .milliseconds(1)))
    withExtendedLifetime(listener) {}
  }

  @Test(arguments: [0o600, 0o660, 0o666] as [UInt32])
  func `the file has exactly the mode asked for and goes with the listener`(mode: UInt32) throws {
    let directory = try TestDirectory()
    let path = "\(directory.path)/s"
    do {
      let listener = try UnixListener(at: path, mode: mode)
      let facts = try FileFacts(at: path)
      #expect(facts.mode == mode && facts.kind == .socket)
      withExtendedLifetime(listener) {}
    }
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test func `a live listener is detected, refused and left alone`() throws {
    let directory = try TestDirectory()
    let path = "\(directory.path)/s"
    let listener = try UnixListener(at: path, mode: 0o600)
    let error = #expect(throws: SystemError.self) { try UnixListener(at: path, mode: 0o600) }
    #expect(error?.name == "EADDRINUSE")
    #expect(error?.description.contains("stop it first") == true)
    while try listener.accept() != nil {}
    _ = try ByteStream.connect(to: path, atMost: patience)
    #expect(try listener.accept() != nil)
  }

  @Test func `a socket that a dead process left is replaced`() throws {
    let directory = try TestDirectory()
    let path = "\(directory.path)/s"
    do {
      let elsewhere = "\(directory.path)/moved"
      let dead = try UnixListener(at: path, mode: 0o600)
      try FileManager.default.moveItem(atPath: path, toPath: elsewhere)
      withExtendedLifetime(dead) {}
      try FileManager.default.linkItem(atPath: elsewhere, toPath: path + ".stale")
    }
    try FileManager.default.moveItem(atPath: path + ".stale", toPath: path)
    #expect(throws: SystemError.self) { try ByteStream.connect(to: path, atMost: patience) }
    let listener = try UnixListener(at: path, mode: 0o600)
    _ = try ByteStream.connect(to: path, atMost: patience)
    #expect(try listener.accept() != nil)
  }

  @Test func `a file that is not a socket is never removed`() throws {
    let directory = try TestDirectory()
    let path = try directory.file("precious", "text")
    let error = #expect(throws: SystemError.self) { try UnixListener(at: path, mode: 0o600) }
    #expect(error?.name == "EEXIST")
    #expect(try FileContents.read(path, limit: 10).bytes == Array("text".utf8))
  }

  @Test func `a lock on the directory that is never released is an error that names it`() throws {
    let directory = try TestDirectory()
    let lock = FileDescriptor(owning: unsafe open(directory.path, O_RDONLY | O_CLOEXEC))
    #expect(flock(lock.rawValue, LOCK_EX) == 0)
    let error = #expect(throws: SystemError.self) {
      try UnixListener(at: "\(directory.path)/s", mode: 0o600, lockLimit: .milliseconds(1))
    }
    #expect(error?.name == "EAGAIN" && error?.call == "flock")
    #expect(error?.description.contains("a lock on that directory") == true)
    #expect(error?.description.contains("fuser -v \(directory.path)") == true)
    #expect(flock(lock.rawValue, LOCK_UN) == 0)
    _ = try UnixListener(at: "\(directory.path)/s", mode: 0o600)
  }

  @Test func `a successor's file survives its predecessor`() throws {
    let directory = try TestDirectory()
    let path = "\(directory.path)/s"
    var old: UnixListener? = try UnixListener(at: path, mode: 0o600)
    try FileManager.default.removeItem(atPath: path)
    let new = try UnixListener(at: path, mode: 0o600)
    old = nil
    _ = try ByteStream.connect(to: path, atMost: patience)
    #expect(try new.accept() != nil && old == nil)
  }

  @Test func `connecting without a listener is an error with a remedy`() throws {
    let directory = try TestDirectory()
    let error = #expect(throws: SystemError.self) {
      try ByteStream.connect(to: "\(directory.path)/none", atMost: patience)
    }
    #expect(error?.isMissing == true)
    #expect(error?.description.hasSuffix(": nobody listens there; is the daemon running?") == true)
  }

  @Test func `a listener that does not accept makes connecting time out`() throws {
    let directory = try TestDirectory()
    let path = "\(directory.path)/s"
    let listener = try UnixListener(at: path, mode: 0o600)
    var waiting: [ByteStream] = []
    let error = #expect(throws: SystemError.self) {
      for _ in 0..<10_000 { waiting.append(try ByteStream.connect(to: path, atMost: .milliseconds(5))) }
    }
    #expect(error?.name == "ETIMEDOUT")
    #expect(!waiting.isEmpty)
    withExtendedLifetime(listener) {}
  }

  @Test func `a path that does not fit into an address is refused`() throws {
    let directory = try TestDirectory()
    let path = "\(directory.path)/" + String(repeating: "x", count: 120)
    let error = #expect(throws: SystemError.self) { try UnixListener(at: path, mode: 0o600) }
    #expect(error?.name == "ENAMETOOLONG")
  }
}
