import Testing
import TimelineCore
import TimelineEngine
import TimelineEngineTestSupport

/// A job of every 10 s whose clock was set back from 1,041 to 1,005. One record stands for its entries 1,010 to 1,030, and 1,040 has an
/// outcome of its own. The next daemon starts at 1,045, when the clock has come past all of them.
@Suite struct `Records of several entries, when the clock is set back once more` {
  private let tens = job("a", every(10)) { $0.missed.choice = .skip }
  private let decided: DecidedEntries = [name("a"): [t(1_040)]]

  private func engine() -> EngineState {
    var repeated = RepeatedTime()
    repeated.decided = decided
    repeated.furthest = [name("a"): t(1_040)]
    repeated.ranges = [name("a"): [t(1_010)...t(1_030)]]
    return EngineState(
      jobs: [tens], startedAt: t(1_045), watermarks: [name("a"): t(1_005)], repeated: repeated, claims: .ask)
  }

  /// The entries that effects take out of records.
  private func cut(_ effects: [EngineEffect]) -> [Int64] {
    let cuts = effects.flatMap { if case .cutRanges(let cuts) = $0 { cuts } else { [RangeCut]() } }
    return [1_010, 1_020, 1_030].filter { second in cuts.contains { $0.contains(t(second)) } }
  }

  @Test(
    arguments: [
      (1_000, [1_010, 1_020, 1_030]), (1_015, [1_020, 1_030]), (1_035, []), (1_046, []),
    ] as [(Int64, [Int64])])
  func `lose the entries that the clock shows again`(_ second: Int64, _ again: [Int64]) {
    var engine = engine()
    #expect(engine.handle(.wake, at: t(1_045)).claims.map(\.nominal) == [t(1_050)])
    var effects = engine.handle(
      .clockStepped(by: .seconds(second - 1_045), decided: second < 1_040 ? decided : [:]), at: t(second))
    for now in stride(from: second, through: 1_050, by: 1) { effects += engine.handle(.wake, at: t(now)) }
    let claimed = Set(effects.claims.map(\.nominal)).subtracting([t(1_050), t(1_060)])
    #expect(claimed == Set(again.map { t($0) }))
    #expect(cut(effects) == again)
  }

  @Test(
    arguments: [
      (1_000, [1_010, 1_020, 1_030]), (1_015, [1_020, 1_030]), (1_035, []), (1_046, []),
    ] as [(Int64, [Int64])])
  func `lose the entries that the end of a pause decides`(_ second: Int64, _ again: [Int64]) {
    var engine = engine()
    _ = engine.handle(.wake, at: t(1_045))
    _ = engine.handle(.pause(name("a")), at: t(1_045))
    let told = second < 1_040 ? decided : [:]
    _ = engine.handle(.clockStepped(by: .seconds(second - 1_045), decided: told), at: t(second))
    _ = engine.handle(.clockStepped(by: .seconds(1_047 - second), decided: [:]), at: t(1_047))
    let effects = engine.handle(.resume(name("a"), catchUp: .skip), at: t(1_048))
    #expect(effects.settled.map(\.firstNominal) == again.prefix(1).map { t($0) })
    #expect(effects.settled.map(\.entryCount) == (again.isEmpty ? [] : [again.count]))
    #expect(cut(effects) == again)
  }

  @Test func `are saved for the next daemon with the last instant that they cover`() {
    var engine = engine()
    _ = engine.handle(.wake, at: t(1_045))
    let effects = engine.handle(.clockStepped(by: .seconds(-45), decided: decided), at: t(1_000))
    let watermark = Watermark(job: name("a"), decided: t(1_000), furthest: t(1_040))
    #expect(effects.contains(.noteWatermarks([watermark])))
  }

  @Test func `lose the entries of a job that was taken out and comes back`() {
    var engine = engine()
    _ = engine.handle(.wake, at: t(1_045))
    _ = engine.handle(.reload([]), at: t(1_046))
    _ = engine.handle(.clockStepped(by: .seconds(-46)), at: t(1_000))
    var effects = engine.handle(.reload([tens]), at: t(1_001))
    for now in stride(from: Int64(1_002), through: 1_031, by: 1) {
      effects += engine.handle(.wake, at: t(now))
    }
    #expect(cut(effects) == [1_010, 1_020, 1_030])
  }

  struct Left: Sendable {
    /// Second of an entry that an earlier daemon left unstarted, and whether the ledger notes that it waited.
    let second: Int64
    let hasWaited: Bool
    /// Second up to which the ledger has the job's entries decided, and second at which the next daemon starts.
    let watermark: Int64
    let startsAt: Int64
    /// Whether the entry starts; otherwise it ends as missed.
    let starts: Bool
    var furthest: Int64? = 1_040
  }

  @Test(
    arguments: [
      // Nothing is undecided before it.
      Left(second: 1_010, hasWaited: true, watermark: 1_005, startsAt: 1_011, starts: true),
      Left(second: 1_020, hasWaited: true, watermark: 1_010, startsAt: 1_021, starts: true),
      Left(second: 1_020, hasWaited: true, watermark: 1_005, startsAt: 1_045, starts: true),
      // The clock shows 1,010 and 1,020 again, and 1,030 would start after them.
      Left(second: 1_030, hasWaited: true, watermark: 1_005, startsAt: 1_031, starts: false),
      Left(second: 1_030, hasWaited: true, watermark: 1_005, startsAt: 1_008, starts: false),
      // The clock was set back, and the outcomes of that were not written.
      Left(second: 1_030, hasWaited: true, watermark: 1_040, startsAt: 1_008, starts: false, furthest: nil),
      Left(second: 1_030, hasWaited: false, watermark: 1_040, startsAt: 1_008, starts: false, furthest: nil),
      Left(second: 1_010, hasWaited: false, watermark: 1_040, startsAt: 1_010, starts: true, furthest: nil),
    ])
  func `lose an entry that an earlier daemon left, which starts or ends once`(_ left: Left) {
    var repeated = RepeatedTime()
    if let furthest = left.furthest {
      repeated.furthest = [name("a"): t(furthest)]
      repeated.ranges = [name("a"): [t(1_010)...t(1_030)]]
    }
    repeated.decided = decided
    let entry = EntryKey(job: name("a"), nominal: t(left.second))
    var open = OpenRun(
      run: RunID(number: 0), entry: entry, cause: .schedule, attempts: 0, startedAt: entry.nominal)
    open.hasWaited = left.hasWaited
    var engine = EngineState(
      jobs: [job("a", every(10))], startedAt: t(left.startsAt), watermarks: [name("a"): t(left.watermark)],
      repeated: repeated, open: [open], claims: .ask)
    var effects = engine.handle(.wake, at: t(left.startsAt))
    #expect(effects.starts.map(\.entry) == (left.starts ? [entry] : []))
    #expect(effects.settled.filter { $0.entry == entry }.map(\.outcome) == (left.starts ? [] : [.missed]))
    #expect(cut(effects).contains(left.second))
    // It is not decided once more, whether the clock shows its instant again or not.
    effects = engine.handle(.clockStepped(by: .seconds(1_045 - left.startsAt)), at: t(1_045))
    #expect(!effects.settled.contains { ($0.firstNominal...$0.entry.nominal).contains(entry.nominal) })
    #expect(!effects.claims.contains(entry))
  }
}
