import Foundation

/// Choice of lives by the environment.
package enum SeedChoice {
  private static let environment = ProcessInfo.processInfo.environment

  /// The seed of one life, by `TIMELINED_SEED`.
  package static let seed = environment["TIMELINED_SEED"].flatMap { UInt64($0) }
  /// The file of one life, by `TIMELINED_LIFE`.
  package static let file = environment["TIMELINED_LIFE"]
  /// Seconds for which new seeds are tried, by `TIMELINED_SOAK_SECONDS`.
  package static let seconds = environment["TIMELINED_SOAK_SECONDS"].flatMap { Int($0) }
  /// The first of these seeds, by `TIMELINED_SOAK_FROM`; a new one each time by default.
  package static let first: UInt64 =
    environment["TIMELINED_SOAK_FROM"].flatMap { UInt64($0) } ?? UInt64.random(in: 0...UInt64(Int64.max / 2))
  /// Whether the lives of planted faults are written again, by `TIMELINED_REGENERATE`.
  package static let isRegenerating = environment["TIMELINED_REGENERATE"] != nil
  /// Directory for the lives that failed and were shrunk, by `TIMELINED_SEEDS`.
  package static let directory = environment["TIMELINED_SEEDS"] ?? "\(sourceRoot)/.build/seeds"
}

/// Simulated lives on consecutive seeds, for the time that the environment sets.
package struct SeedRun {
  /// Failed lives after which a run ends: enough to see whether they are of one kind.
  private static let failuresMax = 5
  /// Seconds in which one life is shrunk.
  private static let shrinkingMax = 60

  /// Name of the simulation, as the table of `make seeds` has it.
  package let lane: String
  /// Suite whose test repeats a life.
  package let suite: String

  package init(lane: String, suite: String) { (self.lane, self.suite) = (lane, suite) }

  /// Command that repeats a seed.
  package func command(repeating seed: UInt64) -> String {
    "TIMELINED_SEED=\(seed) Tests/suites.sh --filter \(suite)"
  }

  /// Tries seeds, each `parts`-th from `part` on, until the time is up; `live` returns whether the life is good.
  ///
  /// Each seed that failed has a line `again: COMMAND`, and the last line has the counts.
  package func run(part: UInt64 = 0, of parts: UInt64 = 1, _ live: (UInt64) throws -> Bool) rethrows {
    let end = ContinuousClock().now + .seconds(SeedChoice.seconds ?? 0)
    var (count, failures) = (UInt64(0), 0)
    // A life that traps ends the process: with `TIMELINED_SOAK_FROM` the same lives follow.
    print("\(lane), part \(part) begins with seed \(SeedChoice.first)")
    fflush(nil)
    while ContinuousClock().now < end, failures < Self.failuresMax {
      let seed = SeedChoice.first + part + parts * count
      count += 1
      if try !live(seed) {
        failures += 1
        print("again: \(command(repeating: seed))")
      }
    }
    print("\(lane), part \(part) from seed \(SeedChoice.first): \(count) lives, \(failures) failed")
  }

  /// Shrinks a failed life and writes it to a file; returns a sentence with the command that repeats it, and prints it.
  package func keep(
    _ failing: LivedLife, seed: UInt64, in directory: String = SeedChoice.directory,
    _ replay: @escaping (WrittenLife) -> LivedLife
  ) throws -> String {
    guard failing.kind != nil else { return "the recorded life does not fail: repeat its seed" }
    let end = ContinuousClock().now + .seconds(Self.shrinkingMax)
    var shrinker = Shrinker(isTimeUp: { ContinuousClock().now >= end }, replay)
    let smallest = shrinker.shrink(failing)
    let path = "\(directory)/\(lane)-\(seed).life"
    let violations = smallest.violations.prefix(3).map { $0.replacing("\n", with: " ") }
    let life = WrittenLife(
      smallest.life.decisions,
      remarks: ["Seed \(seed), shrunk in \(shrinker.replayCount) lives:"] + violations)
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    try Data(life.text.utf8).write(to: URL(fileURLWithPath: path))
    let counts = "\(failing.life.decisions.count) to \(life.decisions.count) decisions"
    let sentence = "shrunk from \(counts); TIMELINED_LIFE=\(path) Tests/suites.sh --filter \(suite)"
    print(sentence)
    return sentence
  }
}

extension WrittenLife {
  /// Reads a file.
  package init(path: String) throws {
    let data = try Data(contentsOf: URL(fileURLWithPath: path))
    try self.init(parsing: String(decoding: data, as: UTF8.self), path: path)
  }

  /// Paths of the written lives of a test target, in order.
  package static func paths(of target: String) throws -> [String] {
    let directory = "\(sourceRoot)/Tests/\(target)/Lives"
    return try FileManager.default.contentsOfDirectory(atPath: directory).filter { $0.hasSuffix(".life") }
      .sorted().map { "\(directory)/\($0)" }
  }
}
