import Foundation
import Testing
import TimelineControl
import TimelineCore
import TimelineSystem
import TimelineTestSupport

@testable import TimelineDaemon

/// A watcher on a real socket whose other end reads when the test calls it.
@Suite struct `A watcher that does not keep up` {
  private final class Scene {
    let loop: EventLoop
    let client: ByteStream
    private(set) var connection: ControlConnection?
    private(set) var watcher: Watcher<WatchReply>?
    private(set) var isClosed = false
    private var bytes: [UInt8] = []

    init(_ workshop: Workshop) throws {
      loop = try EventLoop()
      let listener = try UnixListener(at: workshop.path + "/s", mode: 0o600)
      client = try ByteStream.connect(to: workshop.path + "/s", atMost: Patience.usual)
      let stream = try #require(try listener.accept())
      connection = try ControlConnection(
        stream: stream, loop: loop, service: VarlinkService(version: "1"),
        answer: { [unowned self] call, connection in
          watcher = Watcher<WatchReply>(connection, call) { count in
            var reply = WatchReply(.lost, at: .epoch)
            reply.count = count
            return reply
          }
        }, closed: { [unowned self] in isClosed = true })
      let request = #"{"method":"io.timelined.Control.Watch","more":true}"#
      guard case .wrote = try client.write(Array(request.utf8 + [0])[...]) else {
        throw TestFailure("the request was not taken")
      }
      try #require(loop.run(atMost: Patience.usual) { watcher != nil })
    }

    /// Reads until nothing more comes, and returns every whole reply so far.
    func read() throws -> [WatchReply] {
      while true {
        loop.runOnce(timeout: .zero)
        guard case .bytes(let more) = try client.read(atMost: 1 << 20) else { break }
        bytes += more
      }
      return try bytes.split(separator: 0).map {
        try JSONDecoder().decode(Envelope.self, from: Data($0)).parameters
      }
    }

    private struct Envelope: Decodable { var parameters: WatchReply }
  }

  @Test func `gets the number of lost replies, and continues with the next one`() throws {
    let workshop = try Workshop()
    let scene = try Scene(workshop)
    let watcher = try #require(scene.watcher)
    let count = 20_000
    var backlogMax = 0
    for number in 0..<count {
      var reply = WatchReply(.progress, at: .epoch, job: "busy")
      reply.run = UInt64(number)
      watcher.tell(reply)
      backlogMax = max(backlogMax, scene.connection?.backlogBytes ?? .max)
    }
    #expect(backlogMax < 70_000, "what is not read is not kept")
    var replies = try scene.read()
    let lost = try #require(replies.last)
    #expect(lost.kind == "lost" && replies.filter { $0.kind == "lost" }.count == 1)
    #expect(replies.count - 1 + (lost.count ?? 0) == count, "every reply was sent or counted")
    #expect(
      replies.dropLast().map(\.run) == (0..<UInt64(replies.count - 1)).map { $0 }, "the first are whole")
    watcher.tell(WatchReply(.stopping, at: .epoch))
    replies = try scene.read()
    #expect(replies.last?.kind == "stopping" && !scene.isClosed)
  }

  @Test func `gets nothing after it has disconnected`() throws {
    let workshop = try Workshop()
    let scene = try Scene(workshop)
    var hasLeft = false
    scene.connection?.whenClosed = { hasLeft = true }
    scene.client.close()
    #expect(scene.loop.run(atMost: Patience.usual) { scene.isClosed })
    #expect(hasLeft)
    scene.watcher?.tell(WatchReply(.stopping, at: .epoch))
    #expect(scene.connection?.backlogBytes == 0)
  }

  @Test func `events go to every subscriber in order, and to none that has left`() {
    let subscribers = EventSubscribers()
    var heard: [String] = []
    let first = subscribers.listen { _ in heard.append("first") }
    var second = 0
    second = subscribers.listen { [unowned subscribers] _ in
      heard.append("second")
      subscribers.leave(second)
    }
    subscribers.tell(.stopping)
    subscribers.tell(.stopping)
    subscribers.leave(first)
    #expect(heard == ["first", "second", "first"] && subscribers.count == 0)
    var isMade = false
    func event() -> DaemonEvent {
      isMade = true
      return .stopping
    }
    subscribers.tell(event())
    #expect(!isMade, "nobody listens, nothing is made")
  }
}
