import Glibc
import Testing
import TimelineControl
import TimelineCore
import TimelineSystem
import TimelineTestSupport

@testable import TimelineDaemon

/// A connection on a real socket, and the calls that its service receives, one turn at a time.
@Suite struct `A connection in iterations of the loop` {
  final class Scene {
    let loop: EventLoop
    let client: ByteStream
    private(set) var connection: ControlConnection?
    /// The number of the connection's end.
    let farNumber: CInt
    private(set) var asked: [VarlinkCall] = []
    private(set) var isClosed = false
    private(set) var received: [UInt8] = []
    /// Whether calls are answered as they come.
    var answersAtOnce = true

    init(_ workshop: Workshop) throws {
      loop = try EventLoop()
      let listener = try UnixListener(at: workshop.path + "/s", mode: 0o600)
      client = try ByteStream.connect(to: workshop.path + "/s", atMost: Patience.usual)
      let stream = try #require(try listener.accept())
      farNumber = stream.rawValue
      connection = try ControlConnection(
        stream: stream, loop: loop, service: VarlinkService(version: "1"),
        answer: { [unowned self] call, connection in
          asked.append(call)
          if answersAtOnce { reply() }
        }, closed: { [unowned self] in isClosed = true })
    }

    /// Replies to the last call with its number.
    func reply() {
      guard let call = asked.last else { return }
      connection?.reply(to: call, StopReply(runningCount: asked.count))
    }

    func say(_ text: String) throws {
      guard case .wrote(text.utf8.count) = try client.write(Array(text.utf8)[...]) else {
        throw TestFailure("not all of the request was taken")
      }
    }

    /// Takes one turn and reads what came by it.
    func turn() throws {
      loop.runOnce(timeout: .zero)
      while case .bytes(let more) = try client.read(atMost: 1 << 20) { received += more }
    }

    var replies: [String] { received.split(separator: 0).map { String(decoding: $0, as: UTF8.self) } }
  }

  private static let status = #"{"method":"io.timelined.Control.Status"}"# + "\0"

  @Test func `the first pipelined call is answered at once, and one more in each iteration`()
    throws
  {
    let scene = try Scene(try Workshop())
    let pipe = try ByteStream.pipe()
    _ = try pipe.writing.write([1])
    var otherCount = 0
    let other = try scene.loop.watch(pipe.reading.rawValue, for: .reading) { _ in otherCount += 1 }
    defer { other.cancel() }
    try scene.say(String(repeating: Self.status, count: 100))
    var counts: [Int] = []
    for _ in 1...99 {
      try scene.turn()
      #expect(
        scene.connection?.isIdle == (scene.asked.count == 100), "who waits is not hung up on for others")
      counts.append(scene.asked.count)
    }
    #expect(counts == Array(2...100) && otherCount == 99)
    try scene.turn()
    #expect(scene.replies == (1...100).map { #"{"parameters":{"runningCount":\#($0)}}"# })
    #expect(!scene.isClosed)
  }

  @Test func `a late reply does not let a second call into the same iteration`() throws {
    let scene = try Scene(try Workshop())
    scene.answersAtOnce = false
    try scene.say(String(repeating: Self.status, count: 5))
    for turn in 1...5 {
      for _ in 1...20 where scene.asked.count < turn { try scene.turn() }
      #expect(scene.asked.count == turn)
      scene.reply()
      scene.reply()
      #expect(scene.asked.count == turn)
    }
    try scene.turn()
    #expect(scene.replies.count == 5)
  }

  @Test func `calls that are answered without the daemon are limited in each iteration too`() throws {
    let scene = try Scene(try Workshop())
    try scene.say(String(repeating: #"{"method":"a.B"}"# + "\0", count: 400))
    var before = 0
    for _ in 1...1_000 where before < 400 {
      try scene.turn()
      #expect(scene.replies.count - before <= 2 * ControlLimits.ownAnswersMax)
      before = scene.replies.count
    }
    #expect(before == 400 && scene.asked.isEmpty)
  }

  @Test(arguments: [0, 1, 3], [true, false])
  func `a client that shuts down its side gets every reply, then the end`(count: Int, isHalf: Bool) throws {
    let scene = try Scene(try Workshop())
    scene.answersAtOnce = false
    try scene.say(String(repeating: Self.status, count: count) + (isHalf ? #"{"method":"io.ti"# : ""))
    #expect(shutdown(scene.client.rawValue, CInt(SHUT_WR)) == 0)
    for turn in 1...(count + 1) where turn <= count {
      #expect(scene.loop.run(atMost: Patience.usual) { scene.asked.count == turn })
      // The loop sleeps while the answer is pending: no descriptor stays ready and wakes it again and again.
      scene.loop.runOnce(timeout: .zero)
      scene.loop.runOnce(timeout: .zero)
      #expect(!scene.loop.runOnce(timeout: .zero) && !scene.isClosed)
      scene.reply()
    }
    #expect(scene.loop.run(atMost: Patience.usual) { scene.isClosed })
    try scene.turn()
    #expect(scene.replies.count == count && scene.loop.delayCount == 0)
    #expect(try scene.client.read(atMost: 1) == .endOfFile)
  }

  @Test(arguments: [true, false])
  func `a client that is gone is dropped at once, during every kind of wait`(endedItsSide: Bool) throws {
    let scene = try Scene(try Workshop())
    scene.answersAtOnce = false
    try scene.say(Self.status)
    if endedItsSide { #expect(shutdown(scene.client.rawValue, CInt(SHUT_WR)) == 0) }
    #expect(scene.loop.run(atMost: Patience.usual) { scene.asked.count == 1 })
    scene.loop.runOnce(timeout: .zero)
    #expect(!scene.isClosed)
    scene.client.close()
    #expect(scene.loop.run(atMost: Patience.usual) { scene.isClosed })
    scene.reply()
    #expect(scene.connection?.backlogBytes == 0 && scene.loop.delayCount == 0)
  }

  @Test func `a client that passes a descriptor is disconnected without delay`() throws {
    let scene = try Scene(try Workshop())
    DescriptorPassing.allow(on: scene.farNumber)
    let begin = SystemTime.monotonic()
    let connection = try LingeringConnection()
    try DescriptorPassing.send(Array(Self.status.utf8), passing: connection, on: scene.client.rawValue)
    #expect(scene.loop.run(atMost: Patience.usual) { scene.isClosed })
    #expect(scene.asked.isEmpty && scene.connection?.complaint?.contains("were passed along") == true)
    #expect(SystemTime.monotonic() - begin < .seconds(50))
  }

  @Test func `a client that shuts down its side and reads nothing is disconnected after a timeout`() throws {
    let scene = try Scene(try Workshop())
    try scene.say(String(repeating: #"{"method":"a.B"}"# + "\0", count: 3_000))
    #expect(shutdown(scene.client.rawValue, CInt(SHUT_WR)) == 0)
    #expect(scene.loop.run(atMost: Patience.usual) { scene.isClosed })
  }
}
