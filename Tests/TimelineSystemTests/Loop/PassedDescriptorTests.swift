import Glibc
import Testing
import TimelineCore
import TimelineTestSupport

@testable import TimelineSystem

/// A connection that is passed would block the process that closes it for a minute.
@Suite struct PassedDescriptorTests {
  /// A pipe whose writing end is open only where the message with it is.
  private func pipe(passedOn socket: CInt, with bytes: [UInt8]) throws -> ByteStream {
    let (reading, writing) = try ByteStream.pipe()
    try #require(DescriptorPassing.send(bytes, passing: writing.rawValue, on: socket) == 0)
    return reading
  }

  /// Whether the other end is closed in all processes.
  private func isLetGoOf(_ pipe: ByteStream) throws -> Bool {
    let hasEnded = try pipe.wait(toWrite: false, atMost: patience)
    return try hasEnded && pipe.read(atMost: 1) == .endOfFile
  }

  private func connected(_ directory: TestDirectory) throws -> (client: ByteStream, server: ByteStream) {
    let listener = try UnixListener(at: "\(directory.path)/s", mode: 0o600)
    let client = try ByteStream.connect(to: "\(directory.path)/s", atMost: patience)
    let server = try #require(try listener.accept())
    return (client, server)
  }

  @Test(arguments: [true, false])
  func `a message with descriptors breaks the protocol, and they are closed`(isPeekedAt: Bool) throws {
    let begin = SystemTime.monotonic()
    let pair = try SeqPacket.pair(messageBytesMax: 16)
    DescriptorPassing.allow(on: pair.near.rawValue)
    let connection = try LingeringConnection()
    try DescriptorPassing.send([1], passing: connection, on: pair.far.rawValue)
    let end = try pipe(passedOn: pair.far.rawValue, with: [2])
    _ = try pair.far.send([3])
    for _ in 1...2 {
      let error = #expect(throws: SystemError.self) {
        try isPeekedAt ? pair.near.peek() : pair.near.receive()
      }
      #expect(error?.name == "EPROTO" && error?.description.contains("passed along") == true)
    }
    #expect(try pair.near.receive() == .message([3]))
    #expect(try isLetGoOf(end))
    #expect(SystemTime.monotonic() - begin < .seconds(50))
  }

  @Test(arguments: [true, false])
  func `bytes with descriptors break the protocol too, urgent ones included`(isUrgent: Bool) throws {
    let begin = SystemTime.monotonic()
    let (client, server) = try connected(try TestDirectory())
    DescriptorPassing.allow(on: server.rawValue)
    let connection = try LingeringConnection()
    try DescriptorPassing.send([1], passing: connection, on: client.rawValue, isUrgent: isUrgent)
    #expect(try client.write([2]) == .wrote(1))
    let error = #expect(throws: SystemError.self) { try server.read(atMost: 16) }
    #expect(error?.name == "EPROTO")
    #expect(try server.read(atMost: 16) == .bytes([2]))
    let end = try pipe(passedOn: client.rawValue, with: [3])
    #expect(throws: SystemError.self) { try server.read(atMost: 16) }
    #expect(try isLetGoOf(end))
    #expect(SystemTime.monotonic() - begin < .seconds(50))
  }

  @Test func `closing a connection with unread descriptors does not block`() throws {
    let begin = SystemTime.monotonic()
    let (client, server) = try connected(try TestDirectory())
    let pair = try SeqPacket.pair(messageBytesMax: 16)
    var ends: [ByteStream] = []
    var connections: [LingeringConnection] = []
    for (near, far) in [(server.rawValue, client.rawValue), (pair.near.rawValue, pair.far.rawValue)] {
      DescriptorPassing.allow(on: near)
      let connection = try LingeringConnection()
      ends.append(try pipe(passedOn: far, with: [1]))
      try DescriptorPassing.send([2], passing: connection, on: far)
      connections.append(connection)
    }
    server.close()
    pair.near.hangUp()
    #expect(SystemTime.monotonic() - begin < .seconds(50))
    #expect(try client.write([1]) == .peerClosed)
    #expect(try pair.far.send([1]) == .peerClosed)
    for end in ends { #expect(try isLetGoOf(end)) }
  }

  @Test func `a kernel that can refuse descriptors does so`() throws {
    let (client, server) = try connected(try TestDirectory())
    let pair = try SeqPacket.pair(messageBytesMax: 16)
    var value: CInt = 1
    var size = socklen_t(MemoryLayout<CInt>.size)
    let isKnown = unsafe getsockopt(server.rawValue, SOL_SOCKET, 83, &value, &size) == 0
    #expect(!isKnown || value == 0)
    for far in [client.rawValue, pair.far.rawValue] {
      #expect(DescriptorPassing.send([1], passing: STDIN_FILENO, on: far) == (isKnown ? EPERM : 0))
    }
  }
}
