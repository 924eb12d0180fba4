// swift-format-ignore-file
import Foundation
import Testing
import TimelineTesting

/// Examples in the documentation of the clocks: this file has each of them word for word, so that it is compiled.
@Suite struct SnippetTests {
  @Test(arguments: [
    "TimelineClocks/ImmediateClock.swift", "TimelineClocks/ScaledClock.swift", "TimelineClocks/TimelineClock.swift",
    "TimelineClocks/TimerSequence.swift", "TimelineTesting/TestClock.swift", "TimelineTesting/UnimplementedClock.swift",
  ])
  func `every example is compiled here`(_ path: String) throws {
    let directory = URL(filePath: #filePath).deletingLastPathComponent()
    let here = lines(of: try String(contentsOf: directory.appending(path: "SnippetTests.swift"), encoding: .utf8))
    let sources = directory.appending(path: "../../Sources/\(path)")
    let snippets = try snippets(of: String(contentsOf: sources, encoding: .utf8))
    #expect(!snippets.isEmpty)
    for snippet in snippets {
      let places = here.indices.filter { here[$0...].starts(with: snippet) }
      #expect(!places.isEmpty, "\(snippet.joined(separator: "\n"))")
    }
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

@Suite struct ExampleTests {
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
