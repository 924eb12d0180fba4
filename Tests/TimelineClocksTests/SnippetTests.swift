// swift-format-ignore-file
import Foundation
import Testing
import TimelineTesting

/// Examples in the documentation of the clocks: this file has each of them word for word, so that it is compiled.
@Suite struct SnippetTests {
  /// Examples that begin with their imports are whole programs and are compiled elsewhere.
  @Test func `every example is compiled here`() throws {
    let tests = URL(filePath: #filePath).deletingLastPathComponent()
    let here = lines(of: try String(contentsOf: tests.appending(path: "SnippetTests.swift"), encoding: .utf8))
    let sources = tests.appending(path: "../../Sources")
    var count = 0
    for library in ["Base/TimelineClocks", "Edges/TimelineTesting"] {
      let paths = try FileManager.default.subpathsOfDirectory(atPath: sources.appending(path: library).path)
      for path in paths where path.hasSuffix(".swift") {
        let text = try String(contentsOf: sources.appending(path: "\(library)/\(path)"), encoding: .utf8)
        for snippet in snippets(of: text) where !snippet[0].hasPrefix("import ") {
          count += 1
          let places = here.indices.filter { here[$0...].starts(with: snippet) }
          #expect(!places.isEmpty, "\(path): \(snippet.joined(separator: "\n"))")
        }
      }
    }
    #expect(count >= 16)
  }

  /// The lines of code, without their indentation, empty lines, and `private`, which keeps names within this file.
  private func lines(of text: String) -> [String] {
    text.split(separator: "\n").map(line).filter { !$0.isEmpty }
  }

  private func line(_ text: some StringProtocol) -> String {
    text.trimmingCharacters(in: .whitespaces).replacingOccurrences(of: "private ", with: "")
  }

  /// The lines of each example within the doc comments of a file.
  private func snippets(of text: String) -> [[String]] {
    let comments = lines(of: text).filter { $0.hasPrefix("///") }
      .map { line($0.dropFirst(3)) }
    let parts = comments.split(separator: "```swift", omittingEmptySubsequences: false).dropFirst()
    return parts.map { part in part.prefix { $0 != "```" }.filter { !$0.isEmpty } }
  }
}

private func ring(at instant: WallInstant, clock: some TimelineClock) async throws {
  try await clock.sleep(until: instant)
  print("Ding!")
}

private func scaled(today: WallInstant, tomorrow: WallInstant) async {
  let clock = ScaledClock(base: ContinuousClock(), speed: 60, now: today)
  let show = Task {
    for await instant in clock.timer(interval: .seconds(3600)) { print("It is \(instant).") }
  }

  clock.pause()                                    // Hold it there,
  clock.setSpeed(0.5)                              // now in slow motion,
  clock.leap(to: tomorrow)                         // skip the night,
  await clock.run(to: tomorrow + .hours(8))        // and play everything until eight.
  show.cancel()
}

private func timer(clock: some TimelineClock) async {
  for await instant in clock.timer(interval: .seconds(1)) {
    print("It is \(instant).")
  }
}

private func affine(
  systemNow: WallInstant, laterSystemNow: WallInstant, rehearsalStart: WallInstant, nextDeadline: WallInstant,
  timer: some ArmedTimer
) {
  var time = AffineTime(base: systemNow, virtual: rehearsalStart, speed: 60)
  timer.arm(at: time.baseInstant(for: nextDeadline))  // nil disarms: the clock is paused
  time = time.pausing(at: laterSystemNow)
}

private protocol ArmedTimer {
  func arm(at instant: WallInstant?)
}

private struct Heartbeat<C: Clock> where C.Duration == Duration {
  let clock: C
}

private struct Poller {
  let clock: any Clock<Duration>
  // `Heartbeat(clock: clock)` does not compile: type 'any Clock<Duration>' cannot conform to 'Clock'.
  var heartbeat: Heartbeat<AnyClock<Duration>> {
    let clock = AnyClock(clock)
    return Heartbeat(clock: clock)
  }
}

private struct Greeter {
  let clock: any Clock<Duration>

  func greet() async throws -> String {
    try await clock.sleep(for: .seconds(5))
    return "Welcome!"
  }
}

private actor Stopwatch {
  private(set) var seconds = 0
  private var counting: Task<Void, any Error>?
  let clock: any Clock<Duration>

  init(clock: any Clock<Duration>) { self.clock = clock }

  func start() {
    counting = Task {
      while true {
        try await clock.sleep(for: .seconds(1))
        seconds += 1
      }
    }
  }
  func stop() { counting?.cancel() }
}

private actor Counter {
  private(set) var count = 0
  let clock: any Clock<Duration>

  init(clock: any Clock<Duration>) { self.clock = clock }

  func increment() { count += 1 }
  func run() async {
    for await _ in clock.timer(interval: .seconds(5)) { count += 1 }
  }
}

private actor Countdown {
  private(set) var hasLiftedOff = false
  private let seconds: Int
  private let clock: any Clock<Duration>

  init(from seconds: Int, clock: any Clock<Duration>) { (self.seconds, self.clock) = (seconds, clock) }

  func start() {
    Task {
      for _ in 0..<seconds { try await clock.sleep(for: .seconds(1)) }
      hasLiftedOff = true
    }
  }
}

/// The labels after which none comes for an interval.
private func debounce(
  _ input: some AsyncSequence<Character, Never> & Sendable, for interval: Duration, clock: some Clock<Duration>
) -> AsyncStream<Character> {
  AsyncStream { continuation in
    Task {
      var pending: Task<Void, any Error>?
      for await label in input {
        pending?.cancel()
        pending = Task {
          try await clock.sleep(for: interval)
          continuation.yield(label)
        }
      }
      _ = await pending?.result
      continuation.finish()
    }
  }
}

@Suite struct ExampleTests {
  @Test func countsDown() async {
    let clock = TestClock()
    let countdown = Countdown(from: 10, clock: clock)
    await countdown.start()
    await clock.run()
    #expect(await countdown.hasLiftedOff)
  }

  @Test func racesAreWonByTheFirst() async {
    await withTestClock { clock in
      let trace = Trace(clock: clock)
      Task { trace.record("a") }
      Task { trace.record("b") }
      trace.record("c")                         // always before "a"
      await clock.advance(by: .seconds(1))
      #expect(trace.labels == ["c", "a", "b"])
    }
  }

  @Test func waitsForAnHour() async throws {
    try await withTestClock(advancing: .automatically) { clock in
      try await clock.sleep(for: .seconds(3600))
      #expect(clock.now == TestClock.Instant(offset: .seconds(3600)))
    }
  }

  @Test func `a diagram of a stream`() async {
    let input:    TimeDiagram = "ab--c-----d---|"
    let expected: TimeDiagram = "---b--c-----d-|"

    await withTestClock { clock in
      let trace = Trace(clock: clock)
      Task {
        for await label in debounce(input.play(on: clock), for: .seconds(2), clock: clock) { trace.record(label) }
        trace.end()
      }
      await clock.run()
      #expect(trace.diagram() == expected)
    }
  }

  @Test func `a diagram of a timer`() async {
    let clock = TestClock()
    let trace = Trace(clock: clock)
    Task { for await _ in clock.timer(interval: .seconds(2)) { trace.record("t") } }
    await clock.advance(by: .seconds(7))
    #expect(trace.diagram() == "--t-t-t")
  }

  @Test func greets() async throws {
    let greeter = Greeter(clock: ImmediateClock())
    #expect(try await greeter.greet() == "Welcome!")
  }

  @Test func counts() async throws {
    let clock = TestClock()
    let stopwatch = Stopwatch(clock: clock)

    await stopwatch.start()
    await clock.advance(by: .seconds(1))
    #expect(await stopwatch.seconds == 1)

    await clock.advance(by: .seconds(3600))
    #expect(await stopwatch.seconds == 3601)

    await stopwatch.stop()
    try await clock.checkSuspension()
  }

  @Test func increments() async {
    let counter = Counter(clock: UnimplementedClock())
    await counter.increment()
    #expect(await counter.count == 1)
  }

  @Test func `a suspension is thrown`() async {
    await #expect(throws: SuspensionError.self) {
      let clock = TestClock()
      Task { try await clock.sleep(for: .seconds(1)) }
      try await clock.checkSuspension()
    }
  }
}
