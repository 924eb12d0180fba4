import Testing
import TimelineCore

@testable import TimelineSystem

@Suite struct `Turns that stay open for an answer` {
  @Test(arguments: [
    (true, false, ["asked", "answered", "end", "end"]), (false, false, ["asked", "end", "answered", "end"]),
    (true, true, ["asked", "end", "answered", "end"]),
  ])
  func `a turn stays open for an answer that is expected`(
    isExpected: Bool, isWithdrawn: Bool, expected: [String]
  ) throws {
    let loop = try EventLoop()
    let (question, answer) = (try ByteStream.pipe(), try ByteStream.pipe())
    var trace: [String] = []
    var expectation: EventLoop.Expectation?
    func note(_ word: String, _ stream: ByteStream) {
      _ = try? stream.read(atMost: 1)
      trace.append(word)
      if trace.count(where: { $0 == word }) == 1, word == "answered", let expectation {
        loop.withdraw(expectation)
      }
      loop.atEndOfTurn { trace.append("end") }
    }
    let watches = [
      try loop.watch(question.reading.rawValue, for: .reading) { _ in
        note("asked", question.reading)
        if isExpected { expectation = loop.expectAnswer() }
        if isWithdrawn, let made = expectation {
          loop.withdraw(made)
          expectation = nil
        }
        _ = try? answer.writing.write([1])
      },
      try loop.watch(answer.reading.rawValue, for: .reading) { _ in note("answered", answer.reading) },
    ]
    _ = try question.writing.write([1])
    #expect(loop.run(atMost: patience) { trace.count == 4 })
    #expect(trace == expected)
    for watch in watches { watch.cancel() }
  }

  @Test(arguments: [(true, ["asked", "answered"]), (false, ["asked", "work", "answered"])])
  func `while an answer that is expected has not come, what can be done meanwhile is done`(
    hasCome: Bool, expected: [String]
  ) throws {
    let loop = try EventLoop()
    let (question, answer) = (try ByteStream.pipe(), try ByteStream.pipe())
    var trace: [String] = []
    var expectation: EventLoop.Expectation?
    func give() { _ = try? answer.writing.write([1]) }
    loop.meanwhile = {
      trace.append("work")
      give()
      return true
    }
    let watches = [
      try loop.watch(question.reading.rawValue, for: .reading) { _ in
        _ = try? question.reading.read(atMost: 1)
        trace.append("asked")
        expectation = loop.expectAnswer()
        if hasCome { give() }
      },
      try loop.watch(answer.reading.rawValue, for: .reading) { _ in
        _ = try? answer.reading.read(atMost: 1)
        trace.append("answered")
        if let expectation { loop.withdraw(expectation) }
      },
    ]
    _ = try question.writing.write([1])
    loop.runOnce(timeout: patience)
    #expect(trace == expected)
    // Who expects nothing sleeps at once.
    loop.runOnce(timeout: .zero)
    #expect(trace == expected)
    for watch in watches { watch.cancel() }
  }

  @Test func `a delay that comes due in a turn that is open is served in it`() throws {
    let loop = try EventLoop()
    let (question, answer) = (try ByteStream.pipe(), try ByteStream.pipe())
    var trace: [String] = []
    var expectation: EventLoop.Expectation?
    let watches = [
      try loop.watch(question.reading.rawValue, for: .reading) { _ in
        _ = try? question.reading.read(atMost: 1)
        trace.append("asked")
        expectation = loop.expectAnswer()
        loop.atEndOfTurn { trace.append("end") }
        loop.after(.zero) {
          trace.append("due")
          _ = try? answer.writing.write([1])
        }
      },
      try loop.watch(answer.reading.rawValue, for: .reading) { _ in
        _ = try? answer.reading.read(atMost: 1)
        trace.append("answered")
        if let expectation { loop.withdraw(expectation) }
      },
    ]
    _ = try question.writing.write([1])
    loop.runOnce(timeout: patience)
    #expect(trace == ["asked", "due", "answered", "end"])
    for watch in watches { watch.cancel() }
  }

  @Test func `delays that follow on each other do not keep a turn open for ever`() throws {
    let loop = try EventLoop()
    var (dues, hasEnded) = (0, false)
    func follow() {
      dues += 1
      if !hasEnded { loop.after(.zero) { follow() } }
    }
    loop.after(.zero) {
      _ = loop.expectAnswer()
      loop.atEndOfTurn { hasEnded = true }
      follow()
    }
    #expect(loop.run(atMost: patience) { hasEnded })
    #expect(dues > 1, "the turn was open for them")
  }

  @Test func `an answer that does not come in time is waited for once`() throws {
    let loop = try EventLoop()
    let pipe = try ByteStream.pipe()
    var turns = 0
    var expectation: EventLoop.Expectation?
    let watch = try loop.watch(pipe.reading.rawValue, for: .reading) { _ in
      _ = try? pipe.reading.read(atMost: 1)
      turns += 1
      if turns == 1 { expectation = loop.expectAnswer() }
    }
    for turn in 1...2 {
      _ = try pipe.writing.write([1])
      #expect(loop.run(atMost: patience) { turns == turn })
    }
    // Its time was over with the first turn: to take it back now must not take back another.
    let other = loop.expectAnswer()
    if let expectation { loop.withdraw(expectation) }
    loop.withdraw(other)
    watch.cancel()
  }
}
