import Testing
import TimelineCore
import TimelineLedger
import TimelineSystem

@testable import TimelineDaemon

/// Phases of the ledger's writer: an event, what the ledger needs and an instant in; the work and the next phase out.
@Suite struct WriterStateTests {
  private typealias Phase = WriterState.Phase
  typealias Event = WriterState.Event
  typealias Work = WriterState.Work

  /// The instant in milliseconds, on both clocks.
  private static func at(_ milliseconds: Int64) -> ClockStepDetector.Reading {
    ClockStepDetector.Reading(wall: wall(milliseconds), monotonic: instant(milliseconds))
  }

  private static func instant(_ milliseconds: Int64) -> MonotonicInstant {
    MonotonicInstant(nanosecondsSinceBoot: milliseconds * 1_000_000)
  }

  private static func wall(_ milliseconds: Int64) -> WallInstant {
    WallInstant.epoch + .milliseconds(milliseconds)
  }

  /// An event at an instant in milliseconds, with the ledger's needs then; the work that it asks for, and the phase afterwards.
  struct Step {
    let at: Int64
    let event: Event
    var needs = LedgerNeeds()
    var work: Work?
    let phase: String

    init(
      _ at: Int64, _ event: Event, _ needs: LedgerNeeds = LedgerNeeds(), _ work: Work? = nil, _ phase: String
    ) {
      (self.at, self.event, self.needs, self.work, self.phase) = (at, event, needs, work, phase)
    }
  }

  struct Row: CustomTestStringConvertible {
    let name: String
    let steps: [Step]
    var testDescription: String { name }
  }

  /// A phase with its instants in milliseconds.
  private static func text(_ phase: Phase) -> String {
    func milliseconds(_ instant: MonotonicInstant) -> Int64 { instant.nanosecondsSinceBoot / 1_000_000 }
    return switch phase {
    case .idle: "idle"
    case .waiting(let until): "waiting \(milliseconds(until))"
    case .syncing: "syncing"
    case .failed(let retryAt): "failed \(milliseconds(retryAt))"
    }
  }

  private static let ended = Event.iterationEnded(nextDeadline: nil)
  private static let nothing = LedgerNeeds()
  private static let some = LedgerNeeds(gathered: .some)
  private static let awaited = LedgerNeeds(gathered: .awaited)
  private static let synced = LedgerNeeds(disk: .atOnce)
  private static func claim(_ milliseconds: Int64) -> LedgerNeeds {
    LedgerNeeds(nextClaim: wall(milliseconds))
  }
  private static func deadline(_ milliseconds: Int64) -> Event {
    .iterationEnded(nextDeadline: wall(milliseconds))
  }

  static let rows = [
    Row(
      name: "nothing to do",
      steps: [Step(0, ended, nothing, nil, "idle"), Step(9, .wokeUp, nothing, nil, "idle")]),
    Row(
      name: "the first write is made at once, those after it share one",
      steps: [
        Step(0, ended, some, .commit, "idle"), Step(0, .ended(.commit, .done), nothing, nil, "idle"),
        Step(2, ended, some, nil, "waiting 5"), Step(4, ended, some, nil, "waiting 5"),
        Step(5, .wokeUp, some, .commit, "waiting 5"), Step(5, .ended(.commit, .done), nothing, nil, "idle"),
        Step(10, ended, some, .commit, "idle"),
      ]),
    Row(
      name: "what somebody waits for is written at once",
      steps: [
        Step(0, ended, some, .commit, "idle"), Step(0, .ended(.commit, .done), nothing, nil, "idle"),
        Step(1, ended, awaited, .commit, "idle"),
      ]),
    Row(
      name: "a claim is written when it is due, and then synced",
      steps: [
        Step(0, ended, claim(500), nil, "waiting 500"), Step(7, ended, claim(500), nil, "waiting 500"),
        Step(500, .wokeUp, claim(500), .claims, "waiting 500"),
        Step(501, .ended(.claims, .done), synced, .sync(isQuiet: true), "waiting 500"),
        Step(501, .ended(.sync(isQuiet: true), .begun), nothing, nil, "syncing"),
        Step(530, .synced(isOnDisk: true), claim(900), nil, "waiting 900"),
      ]),
    Row(
      name: "a claim is put off for a deadline, but for 50 ms at most",
      steps: [
        Step(0, deadline(515), claim(500), nil, "waiting 500"),
        Step(500, .wokeUp, claim(500), nil, "waiting 517"),
        Step(517, deadline(535), claim(500), nil, "waiting 537"),
        Step(537, deadline(555), claim(500), nil, "waiting 550"),
        Step(550, .wokeUp, claim(500), .claims, "waiting 550"),
      ]),
    Row(
      name: "a clock that was set back in the moment of a claim brings no second one",
      steps: [
        Step(500, ended, claim(500), .claims, "idle"),
        Step(500, .ended(.claims, .done), claim(9_500), nil, "waiting 9500"),
      ]),
    Row(
      name: "while the disk is waited for only what somebody waits for is written",
      steps: [
        Step(0, ended, synced, .sync(isQuiet: true), "idle"),
        Step(0, .ended(.sync(isQuiet: true), .begun), nothing, nil, "syncing"),
        Step(20, ended, LedgerNeeds(gathered: .some, isSyncing: true), nil, "syncing"),
        Step(20, .tidyingAsked, LedgerNeeds(gathered: .some, isSyncing: true), nil, "syncing"),
        Step(30, ended, LedgerNeeds(gathered: .awaited, isSyncing: true), .commit, "syncing"),
        Step(40, .ended(.commit, .done), nothing, nil, "syncing"),
        Step(41, .synced(isOnDisk: true), some, .tidying, "idle"),
        Step(44, .ended(.tidying, .done), some, nil, "waiting 45"),
      ]),
    Row(
      name: "a long log waits for a quiet moment, a sync that is needed does not",
      steps: [
        Step(0, deadline(10), LedgerNeeds(disk: .whenQuiet), nil, "idle"),
        Step(1, deadline(11), synced, .sync(isQuiet: false), "idle"),
        Step(2, .ended(.sync(isQuiet: false), .done), nothing, nil, "idle"),
        Step(3, deadline(9_000), LedgerNeeds(disk: .whenQuiet), .sync(isQuiet: true), "idle"),
      ]),
    Row(
      name: "a file with changes that are not written yet is not synced before them",
      steps: [
        Step(0, ended, some, .commit, "idle"), Step(0, .ended(.commit, .done), nothing, nil, "idle"),
        Step(1, ended, some, nil, "waiting 5"),
        Step(5, .wokeUp, LedgerNeeds(gathered: .some, disk: .atOnce), .commit, "waiting 5"),
        Step(5, .ended(.commit, .done), synced, .sync(isQuiet: true), "waiting 5"),
      ]),
    Row(
      name: "tidying goes on in portions, each in a quiet moment",
      steps: [
        Step(0, .tidyingAsked, nothing, .tidying, "idle"),
        Step(5, .ended(.tidying, .more), nothing, nil, "waiting 105"),
        Step(90, deadline(110), nothing, nil, "waiting 105"),
        Step(105, .wokeUp, nothing, nil, "waiting 112"),
        Step(112, deadline(9_000), nothing, .tidying, "waiting 112"),
        Step(117, .ended(.tidying, .done), nothing, nil, "idle"),
      ]),
    Row(
      name: "tidying is put off for 5 s at most",
      steps: [
        Step(0, deadline(10), nothing, nil, "idle"), Step(0, .tidyingAsked, nothing, nil, "waiting 12"),
        Step(4_990, deadline(5_005), nothing, nil, "waiting 5000"),
        Step(5_000, .wokeUp, nothing, .tidying, "waiting 5000"),
      ]),
    Row(
      name: "a write that failed is tried again by each iteration, and by the timer after a second",
      steps: [
        Step(0, ended, some, .commit, "idle"),
        Step(0, .ended(.commit, .failed), some, nil, "failed 1000"),
        Step(3, ended, some, nil, "failed 5"),
        Step(5, .wokeUp, some, .commit, "failed 5"),
        Step(5, .ended(.commit, .failed), some, nil, "failed 1005"),
        Step(10, ended, some, .commit, "failed 1005"),
        Step(11, .ended(.commit, .failed), some, nil, "failed 1011"),
        Step(1_011, .wokeUp, some, .commit, "failed 1011"),
        Step(1_012, .ended(.commit, .done), nothing, nil, "waiting 2012"),
        Step(2_012, .wokeUp, nothing, .recovery, "waiting 2012"),
        Step(2_012, .ended(.recovery, .done), nothing, nil, "idle"),
      ]),
    Row(
      name: "a failure within a second is no recovery",
      steps: [
        Step(0, ended, some, .commit, "idle"),
        Step(0, .ended(.commit, .failed), some, nil, "failed 1000"),
        Step(10, ended, some, .commit, "failed 1000"),
        Step(10, .ended(.commit, .done), nothing, nil, "waiting 1010"),
        Step(900, ended, some, .commit, "waiting 1010"),
        Step(900, .ended(.commit, .failed), some, nil, "failed 1900"),
        Step(1_010, .wokeUp, some, nil, "failed 1900"),
      ]),
    Row(
      name: "what is still missing puts the report of a recovery off",
      steps: [
        Step(0, ended, some, .commit, "idle"),
        Step(0, .ended(.commit, .failed), some, nil, "failed 1000"),
        Step(1_000, .wokeUp, some, .commit, "failed 1000"),
        Step(1_000, .ended(.commit, .done), nothing, nil, "waiting 2000"),
        Step(2_000, .wokeUp, nothing, .recovery, "waiting 2000"),
        Step(2_000, .ended(.recovery, .more), nothing, nil, "waiting 2100"),
      ]),
    Row(
      name: "while writing fails, neither claims nor tidying nor a sync are tried",
      steps: [
        Step(0, ended, some, .commit, "idle"),
        Step(0, .ended(.commit, .failed), claim(0), nil, "failed 1000"),
        Step(1, .tidyingAsked, claim(0), nil, "failed 1000"),
        Step(2, ended, synced, nil, "failed 1000"),
        Step(1_000, .wokeUp, claim(0), .commit, "failed 1000"),
        Step(1_001, .ended(.commit, .done), claim(0), .claims, "idle"),
        Step(1_002, .ended(.claims, .done), synced, .tidying, "idle"),
        Step(1_003, .ended(.tidying, .done), synced, .sync(isQuiet: true), "idle"),
      ]),
    Row(
      name: "a sync that failed is tried again after a second",
      steps: [
        Step(0, ended, synced, .sync(isQuiet: true), "idle"),
        Step(0, .ended(.sync(isQuiet: true), .begun), nothing, nil, "syncing"),
        Step(30, .synced(isOnDisk: false), synced, nil, "failed 1030"),
        Step(1_030, .wokeUp, synced, .commit, "failed 1030"),
        Step(1_030, .ended(.commit, .done), synced, .sync(isQuiet: true), "idle"),
        Step(1_030, .ended(.sync(isQuiet: true), .begun), nothing, nil, "syncing"),
        Step(1_060, .synced(isOnDisk: true), nothing, nil, "waiting 2030"),
      ]),
    Row(
      name: "a write that failed while the disk was waited for is tried again after that",
      steps: [
        Step(0, ended, synced, .sync(isQuiet: true), "idle"),
        Step(0, .ended(.sync(isQuiet: true), .begun), nothing, nil, "syncing"),
        Step(5, ended, LedgerNeeds(gathered: .awaited, isSyncing: true), .commit, "syncing"),
        Step(
          6, .ended(.commit, .failed), LedgerNeeds(gathered: .some, isSyncing: true), nil, "failed 1006"),
        Step(1_006, .wokeUp, LedgerNeeds(gathered: .some, isSyncing: true), nil, "failed 2006"),
        Step(1_050, .synced(isOnDisk: true), some, .commit, "failed 2006"),
        Step(1_050, .ended(.commit, .done), nothing, nil, "waiting 2050"),
      ]),
  ]

  @Test(arguments: rows)
  func `each event leads to the expected phase and work`(row: Row) {
    var state = WriterState()
    for (index, step) in row.steps.enumerated() {
      let work = state.handle(step.event, step.needs, at: Self.at(step.at))
      #expect(work == step.work && Self.text(state.phase) == step.phase, "step \(index) of \(row.name)")
    }
  }

  @Test
  func `entries are tidied in ten minutes and watermarks saved in a second, however many there are`() {
    var state = WriterState()
    for milliseconds: Int64 in [0, 300, 600] {
      state.scheduleTidying(at: Self.at(milliseconds))
      state.scheduleWatermarks(at: Self.at(milliseconds))
    }
    #expect(state.wakeUp == nil, "the iteration has not ended")
    #expect(state.handle(Self.ended, Self.nothing, at: Self.at(601)) == nil)
    #expect(state.phase == .waiting(until: Self.instant(1_000)))
    #expect(state.handle(.wokeUp, Self.nothing, at: Self.at(1_000)) == .watermarks)
    #expect(state.handle(.ended(.watermarks, .more), Self.nothing, at: Self.at(1_001)) == nil)
    #expect(state.phase == .waiting(until: Self.instant(1_101)))
    #expect(state.handle(.wokeUp, Self.nothing, at: Self.at(1_101)) == .watermarks)
    #expect(state.handle(.ended(.watermarks, .done), Self.nothing, at: Self.at(1_102)) == nil)
    #expect(state.wakeUp == Self.instant(600_000))
  }

  @Test func `a clock step recomputes the time of a claim`() {
    var state = WriterState()
    #expect(state.handle(Self.ended, Self.claim(5_000), at: Self.at(0)) == nil)
    let stepped = ClockStepDetector.Reading(wall: Self.wall(4_900), monotonic: Self.instant(10))
    #expect(state.handle(Self.ended, Self.claim(5_000), at: stepped) == nil)
    #expect(state.wakeUp == Self.instant(5_000), "nobody has said that the clock was set")
    state.clockStepped(at: stepped)
    #expect(state.wakeUp == Self.instant(10))
    #expect(state.handle(.wokeUp, Self.claim(5_000), at: stepped) == nil)
    #expect(state.wakeUp == Self.instant(110))
  }

  @Test func `a failure of another part is followed by a write too, also after a clock step`() {
    var state = WriterState()
    state.fail(at: Self.at(0))
    state.clockStepped(at: Self.at(10))
    #expect(state.phase == .failed(retryAt: Self.instant(1_000)))
    #expect(state.handle(.wokeUp, Self.nothing, at: Self.at(1_000)) == .commit)
    #expect(state.handle(.ended(.commit, .done), Self.nothing, at: Self.at(1_000)) == nil)
    #expect(state.wakeUp == Self.instant(2_000), "then the recovery is reported")
  }
}
