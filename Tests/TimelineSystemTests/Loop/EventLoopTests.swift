import Foundation
import Synchronization
import Testing
import TimelineCore

@testable import TimelineSystem

@Suite struct EventLoopTests {
  @Test func `delays run in order of deadline and then of registration`() throws {
    let loop = try EventLoop()
    var trace: [String] = []
    loop.after(.milliseconds(2)) { trace.append("late") }
    loop.after(.zero) { trace.append("first") }
    loop.after(.nanoseconds(-5)) { trace.append("past") }
    loop.after(.milliseconds(1)) { trace.append("middle") }
    #expect(loop.run(atMost: patience) { trace.count == 4 })
    #expect(trace == ["past", "first", "middle", "late"] || trace == ["first", "past", "middle", "late"])
    #expect(trace.suffix(2) == ["middle", "late"])
    #expect(loop.delayCount == 0)
  }

  @Test func `a delay that re-registers itself lets others have their turn`() throws {
    let loop = try EventLoop()
    var repetitions = 0
    func again() {
      repetitions += 1
      loop.after(.zero, again)
    }
    again()
    let pipe = try ByteStream.pipe()
    _ = try pipe.writing.write([1])
    var isServed = false
    try loop.watch(pipe.reading.rawValue, for: .reading) { _ in isServed = true }
    loop.runOnce(timeout: patience)
    loop.runOnce(timeout: patience)
    #expect(isServed)
    #expect(repetitions <= 3, "one repetition a turn")
  }

  @Test func `a cancelled delay does not run, not even when it is due in the same turn`() throws {
    let loop = try EventLoop()
    var trace: [String] = []
    var second: Delay?
    loop.after(.nanoseconds(-2)) {
      trace.append("first")
      #expect(second?.cancel() == true)
      #expect(second?.cancel() == false)
    }
    second = loop.after(.zero) { trace.append("second") }
    loop.after(.microseconds(1)) { trace.append("third") }
    #expect(loop.run(atMost: patience) { trace.last == "third" })
    #expect(trace == ["first", "third"])
  }

  @Test func `a handler may cancel another watch of the same turn`() throws {
    let loop = try EventLoop()
    let (one, other) = (try ByteStream.pipe(), try ByteStream.pipe())
    _ = try one.writing.write([1])
    _ = try other.writing.write([1])
    var served: [String] = []
    var watches: [String: Watch] = [:]
    for (name, stream) in [("one", one.reading), ("other", other.reading)] {
      watches[name] = try loop.watch(stream.rawValue, for: .reading) { _ in
        served.append(name)
        for watch in watches.values { watch.cancel() }
      }
    }
    loop.runOnce(timeout: patience)
    loop.runOnce(timeout: .zero)
    #expect(served.count == 1, "the first one served silences both: \(served)")
  }

  @Test func `a handler sees how many descriptors were ready with its own`() throws {
    let loop = try EventLoop()
    let pipes = try (0..<3).map { _ in try ByteStream.pipe() }
    var seen: [Int] = []
    for pipe in pipes {
      try loop.watch(pipe.reading.rawValue, for: .reading) { _ in seen.append(loop.readyCount) }
    }
    _ = try pipes[0].writing.write([1])
    loop.runOnce(timeout: patience)
    _ = try pipes[1].writing.write([1])
    loop.runOnce(timeout: patience)
    #expect(seen == [1, 2, 2])
    #expect(loop.readyCount == 0, "between turns")
  }

  @Test func `a number that is closed and opened again in a turn gets no event of its predecessor`() throws {
    let loop = try EventLoop()
    let (one, other) = (try ByteStream.pipe(), try ByteStream.pipe())
    _ = try one.writing.write([1])
    _ = try other.writing.write([1])
    var strangers = 0
    var kept: [ByteStream] = []
    var watches: [Watch] = []
    func replace(_ index: Int, _ stream: ByteStream) throws {
      watches[index].cancel()
      stream.close()
      let fresh = try ByteStream.pipe()
      kept += [fresh.reading, fresh.writing]
      try loop.watch(fresh.reading.rawValue, for: .reading) { _ in strangers += 1 }
    }
    for (index, stream) in [one.reading, other.reading].enumerated() {
      watches.append(
        try loop.watch(stream.rawValue, for: .reading) { _ in
          do { try replace(1 - index, index == 0 ? other.reading : one.reading) } catch {
            Issue.record(error)
          }
          watches[index].cancel()
        })
    }
    loop.runOnce(timeout: patience)
    #expect(strangers == 0)
  }

  @Test func `two hundred busy descriptors are all served, a bounded number in a turn`() throws {
    let loop = try EventLoop()
    var counts = [Int](repeating: 0, count: 200)
    var pipes: [(reading: ByteStream, writing: ByteStream)] = []
    var turnCount = 0
    for index in counts.indices {
      let pipe = try ByteStream.pipe()
      _ = try pipe.writing.write([1])
      try loop.watch(pipe.reading.rawValue, for: .reading) { _ in
        counts[index] += 1
        turnCount += 1
      }
      pipes.append(pipe)
    }
    for _ in 0..<8 {
      turnCount = 0
      loop.runOnce(timeout: patience)
      #expect(turnCount <= SystemLimits.eventsPerTurnMax)
    }
    #expect(counts.allSatisfy { $0 >= 2 }, "every descriptor had its share of 8 turns of 64: \(counts)")
  }

  @Test func `a watch follows its interest and reports the peer's end`() throws {
    let loop = try EventLoop()
    let pair = try SeqPacket.pair(messageBytesMax: 64)
    var seen: [Readiness] = []
    let watch = try loop.watch(pair.near.rawValue, for: .writing) { seen.append($0) }
    loop.runOnce(timeout: patience)
    #expect(seen == [.writable])
    watch.update(.reading)
    #expect(!loop.runOnce(timeout: .zero))
    pair.far.close()
    loop.runOnce(timeout: patience)
    #expect(seen.last?.isSuperset(of: [.readable, .hangUp]) == true)
    watch.update([])
    loop.runOnce(timeout: patience)
    #expect(seen.last == .hangUp, "a hang-up is reported whatever the interest")
    watch.cancel()
    watch.update(.writing)
    #expect(!loop.runOnce(timeout: .zero))
  }

  @Test func `end-of-turn work runs last and its own work in the next turn`() throws {
    let loop = try EventLoop()
    var trace: [String] = []
    loop.after(.zero) {
      loop.atEndOfTurn {
        trace.append("end")
        loop.atEndOfTurn { trace.append("next") }
      }
      trace.append("delay")
    }
    loop.runOnce(timeout: patience)
    #expect(trace == ["delay", "end"])
    loop.runOnce(timeout: nil)
    #expect(trace == ["delay", "end", "next"])
  }

  @Test func `a regular file cannot be watched, and the error is that of epoll`() throws {
    let directory = try TestDirectory()
    let file = try directory.file("plain", "x")
    let handle = try #require(FileHandle(forReadingAtPath: file))
    let loop = try EventLoop()
    let error = #expect(throws: SystemError.self) {
      try loop.watch(handle.fileDescriptor, for: .reading) { _ in }
    }
    #expect(error?.name == "EPERM" && error?.call == "epoll_ctl")
  }

  @Test func `messages from other threads arrive in order and none is lost`() throws {
    let loop = try EventLoop()
    var received: [[Int]] = [[], []]
    let (mailbox, watch) = try Mailbox<(Int, Int)>.open(on: loop) { received[$0.0].append($0.1) }
    for sender in 0..<2 {
      try Thread.start(name: "sender") { for number in 0..<1_000 { mailbox.post((sender, number)) } }
    }
    #expect(loop.run(atMost: patience) { received.allSatisfy { $0.count == 1_000 } })
    #expect(received == [Array(0..<1_000), Array(0..<1_000)])
    watch.cancel()
    mailbox.post((0, 1))
    #expect(!loop.runOnce(timeout: .zero))
  }

  @Test func `stop ends run after the turn, and before it at once`() throws {
    let loop = try EventLoop()
    var trace: [String] = []
    loop.after(.zero) {
      loop.stop()
      loop.atEndOfTurn { trace.append("end of turn") }
    }
    loop.run()
    #expect(trace == ["end of turn"])
    loop.stop()
    loop.run()
  }

  @Test func `a loop with watches and delays is released with its owner`() throws {
    weak var gone: EventLoop?
    let pipe = try ByteStream.pipe()
    do {
      let loop = try EventLoop()
      gone = loop
      let watch = try loop.watch(pipe.reading.rawValue, for: .reading) { _ in }
      let delay = loop.after(.seconds(100)) {}
      _ = (watch, delay)
    }
    #expect(gone == nil)
  }
}
