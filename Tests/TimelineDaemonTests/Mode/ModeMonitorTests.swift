import Testing
import TimelineConfiguration
import TimelineCore
import TimelineLedger
import TimelineSystem

@testable import TimelineDaemon

@Suite struct `The keeper of the mode` {
  private static let former = ModeChange(
    at: WallInstant(secondsSinceEpoch: 60), mode: .lowFrequency, cadence: .minutes, choice: .auto,
    cause: .cpuPressure, reason: "cpu pressure at 60% or above for 30s")

  /// Settings with one threshold, for processors.
  private static func settings(_ threshold: Int) -> ModeSettings {
    var settings = ModeSettings()
    settings.lowFrequency.thresholds = [.cpu: threshold]
    return settings
  }

  private static func keeper(_ threshold: Int) throws -> ModeMonitor {
    ModeMonitor(
      settings(threshold), former: former, loop: try EventLoop(),
      announcer: Announcer(usesJournal: false, now: { .epoch }, write: { _ in }), root: "/nonexistent",
      now: { WallInstant(secondsSinceEpoch: 120) })
  }

  @Test func `continues from the former change, with the reason by the current configuration`() throws {
    let current = try Self.keeper(40).current
    #expect(!current.isOther(than: Self.former) && current.at == Self.former.at)
    #expect(current.reason == "cpu pressure at 40% or above for 30s")
  }

  @Test func `a new configuration changes the reason without a change of the mode`() throws {
    let keeper = try Self.keeper(60)
    var changes = 0
    keeper.whenChanged { _ in changes += 1 }
    keeper.adopt(Self.settings(40))
    #expect(changes == 0 && keeper.current.at == Self.former.at)
    #expect(keeper.current.reason == "cpu pressure at 40% or above for 30s")
    keeper.adopt(ModeSettings())
    #expect(changes == 1 && keeper.current.reason == "the default")
    keeper.end()
  }
}
