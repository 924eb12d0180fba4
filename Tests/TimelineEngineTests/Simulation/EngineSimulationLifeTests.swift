import Foundation
import Testing
import TimelineCore
import TimelineEngine
import TimelineTestSupport

@testable import TimelineEngineSimulation

/// Lives that are written down, most of them because they once showed a fault.
@Suite struct `Written lives of the engine` {
  /// A planted fault, the file of a life that shows it, and words of the violation.
  private struct Shown: Sendable, CustomTestStringConvertible {
    let file: String
    let fault: @Sendable () -> EngineSimulation.Fault
    let words: String
    var testDescription: String { file }
    var path: String { "\(sourceRoot)/Tests/TimelineEngineTests/Lives/\(file).life" }
  }

  private static let shown = [
    Shown(file: "lost-token", fault: { .lostToken }, words: "started with another token"),
    Shown(file: "forgotten-start", fault: { .forgottenStart }, words: "started in two lives, at most once"),
    Shown(
      file: "taken-for-unstarted", fault: { .takenForUnstarted },
      words: "although another node may have run it"),
  ]

  /// A fault that no seed up to 40,000 shows, so that its life cannot be written anew.
  private static let shownByLifeAlone = [
    Shown(
      file: "reaction-of-another-daemon-at-its-instant", fault: { .hiddenReactions },
      words: "changed its upstream")
  ]

  @Test(arguments: shown + shownByLifeAlone)
  private func `a life written for a planted fault shows it`(_ shown: Shown) throws {
    let (lived, _) = EngineSimulation.replayed(try WrittenLife(path: shown.path), fault: shown.fault())
    #expect(lived.violations.contains { $0.contains(shown.words) })
  }

  /// Shrinks the first life that shows a planted fault.
  private func shrunk(_ shown: Shown) throws -> LivedLife {
    let seed = try #require(
      (1...20_000 as ClosedRange<UInt64>).first { seed in
        var ordeal = EngineSimulation(seed: seed, fault: shown.fault())
        ordeal.endure()
        return ordeal.invariants.violations.first?.contains(shown.words) ?? false
      })
    var shrinker = Shrinker { EngineSimulation.replayed($0, fault: shown.fault()).lived }
    return shrinker.shrink(EngineSimulation.recorded(seed: seed, fault: shown.fault()))
  }

  @Test(.enabled(if: SeedChoice.isRegenerating), arguments: shown)
  private func `lives of planted faults are written anew`(_ shown: Shown) throws {
    let smallest = try shrunk(shown)
    let remarks = (try? WrittenLife(path: shown.path).remarks) ?? [shown.words]
    let life = WrittenLife(smallest.life.decisions, remarks: remarks)
    try Data(life.text.utf8).write(to: URL(fileURLWithPath: shown.path))
  }

  @Test(arguments: try WrittenLife.paths(of: "TimelineEngineTests"))
  func `each keeps every invariant`(_ path: String) throws {
    let (lived, complaints) = EngineSimulation.replayed(try WrittenLife(path: path))
    #expect(lived.violations == [], "\(path)")
    #expect(complaints == [])
  }

  @Test func `the record of a seed is a life that goes the same way`() throws {
    for seed in 0..<40 as Range<UInt64> {
      let lives = [Dice(seed: seed), Dice(seed: seed, isRecorded: true)].map(Self.live)
      let life = try #require(lives[1].dice.life)
      let replayed = Self.live(Dice(replaying: life))
      #expect(replayed.dice.life == life, "seed \(seed)")
      #expect(replayed.dice.complaints == [], "seed \(seed)")
      for other in [lives[1], replayed] {
        #expect(other.eventCount == lives[0].eventCount, "seed \(seed)")
        #expect(other.startCount == lives[0].startCount, "seed \(seed)")
        #expect(other.crashCount == lives[0].crashCount, "seed \(seed)")
      }
    }
  }

  private static func live(_ dice: Dice) -> EngineSimulation {
    var ordeal = EngineSimulation(dice)
    ordeal.endure()
    return ordeal
  }

  @Test func `a life without decisions is quiet and breaks nothing`() {
    let (lived, complaints) = EngineSimulation.replayed(WrittenLife([]))
    #expect(lived.violations == [])
    #expect(lived.life.decisions.isEmpty)
    #expect(complaints == [])
  }

  @Test func `a failing life is kept in a file that repeats it`() throws {
    let workshop = try Workshop()
    let run = SeedRun(lane: "engine", suite: "EngineSimulationTests")
    let fault = EngineSimulation.Fault.lostToken
    let failing = try #require(
      (1...300 as ClosedRange<UInt64>).lazy.map {
        (seed: $0, lived: EngineSimulation.recorded(seed: $0, fault: fault))
      }
      .first { !$0.lived.violations.isEmpty })
    let sentence = try run.keep(failing.lived, seed: failing.seed, in: workshop.path) {
      EngineSimulation.replayed($0, fault: fault).lived
    }
    let path = "\(workshop.path)/engine-\(failing.seed).life"
    #expect(sentence.hasSuffix("; TIMELINED_LIFE=\(path) Tests/suites.sh --filter EngineSimulationTests"))
    let life = try WrittenLife(path: path)
    #expect(life.remarks.count > 1)
    #expect(EngineSimulation.replayed(life, fault: fault).lived.kind == failing.lived.kind)
  }

  @Test func `a failing life shrinks to a handful of decisions`() throws {
    let smallest = try shrunk(Self.shown[0])
    #expect(smallest.violations.contains { $0.contains(Self.shown[0].words) })
    #expect(smallest.life.decisions.count < 6, "\(smallest.life.text)")
  }
}
