import Testing
import TimelineCore
import TimelineEngineTestSupport

@testable import TimelineEngine

@Suite struct `An entry that an earlier daemon had claimed and not started` {
  typealias Facts = InheritedEntryDecision.Facts

  struct Row: Sendable {
    var cause = RunCause.schedule
    var facts: Facts?
    var entryCount = 1
    var isAskedFor = false
    var hasUpstream = false
    var hasOrigin = false
    /// Decisions without and with a note that the entry waited: two if no run of the earlier daemon goes on, and the same two if
    /// one does.
    var decisions: [InheritedEntryDecision]
  }

  private static let removed = "its job was removed before the entry could start"
  private static let changed = "its schedule changed before the entry could start"
  private static let died = "the daemon died before it could start"
  private static let unknown = "what it was to react to is not known any more"
  private static let unknownEntry = "the entry that it was to repeat is not known any more"

  static let rows: [Row] = [
    Row(decisions: [.drop, .end(.schedule, reason: removed), .drop, .end(.schedule, reason: removed)]),
    // The entry is decided, at the watermark or before it.
    Row(
      facts: Facts(watermark: t(10)),
      decisions: [
        .resume(.missed, goesOn: false), .resume(.schedule, goesOn: false),
        .resume(.schedule, goesOn: true), .resume(.schedule, goesOn: true),
      ]),
    Row(
      facts: Facts(watermark: t(10)), entryCount: 5,
      decisions: [
        .resume(.missed, goesOn: false), .resume(.schedule, goesOn: false),
        .resume(.missed, goesOn: false), .resume(.schedule, goesOn: false),
      ]),
    Row(
      cause: .missed, facts: Facts(watermark: t(10)), entryCount: 5, isAskedFor: true,
      decisions: [
        .resume(.schedule, goesOn: true), .resume(.missed, goesOn: true),
        .resume(.schedule, goesOn: true), .resume(.missed, goesOn: true),
      ]),
    // The schedule yields it again, unless it waited and is the next.
    Row(facts: Facts(watermark: t(9)), decisions: [.drop, .drop, .drop, .drop]),
    Row(
      facts: Facts(watermark: t(9), isNext: true),
      decisions: [.drop, .resume(.schedule, goesOn: false), .drop, .resume(.schedule, goesOn: true)]),
    // The clock was set back since.
    Row(
      facts: Facts(watermark: t(8), wasPassed: true), decisions: [.drop, .endAhead, .drop, .endAhead]),
    Row(
      facts: Facts(isDecidedAhead: true, watermark: t(8), wasPassed: true),
      decisions: [.drop, .endAhead, .drop, .endAhead]),
    Row(
      facts: Facts(isDecidedAhead: true, watermark: t(8), isNext: true, wasPassed: true),
      decisions: [.drop, .resume(.schedule, goesOn: false), .drop, .resume(.schedule, goesOn: true)]),
    Row(
      facts: Facts(watermark: t(9), isNext: true, wasPassed: true),
      decisions: [.drop, .resume(.schedule, goesOn: false), .drop, .resume(.schedule, goesOn: true)]),
    Row(facts: Facts(), decisions: [.drop, .drop, .drop, .drop]),
    Row(facts: Facts(isDecidedAhead: true, watermark: t(10)), decisions: [.drop, .drop, .drop, .drop]),
    // The schedule does not have it.
    Row(
      facts: Facts(isOfSchedule: false, watermark: t(10)),
      decisions: [
        .endOwn(.trigger, reason: died), .end(.schedule, reason: changed),
        .endOwn(.trigger, reason: died), .end(.schedule, reason: changed),
      ]),
    Row(
      cause: .trigger, facts: Facts(isOfSchedule: false),
      decisions: [.endOwn(.trigger, reason: died), .waitOn, .endOwn(.trigger, reason: died), .waitOn]),
    Row(
      facts: Facts(isClosedLoop: true),
      decisions: [.endOwn(.trigger, reason: died), .waitOn, .endOwn(.trigger, reason: died), .waitOn]),
    Row(
      cause: .reaction, facts: Facts(isOfSchedule: false),
      decisions: [
        .endOwn(.trigger, reason: died), .endOwn(.reaction, reason: unknown),
        .endOwn(.trigger, reason: died), .endOwn(.reaction, reason: unknown),
      ]),
    Row(
      cause: .reaction, facts: Facts(isOfSchedule: false), hasUpstream: true,
      decisions: [.endOwn(.trigger, reason: died), .waitOn, .endOwn(.trigger, reason: died), .waitOn]),
    // A rerun is known by its record, also at the instant of an entry of a new schedule.
    Row(
      cause: .rerun, facts: Facts(isOfSchedule: false), hasOrigin: true,
      decisions: [.endOwn(.rerun, reason: died), .waitOn, .endOwn(.rerun, reason: died), .waitOn]),
    Row(
      cause: .rerun, facts: Facts(watermark: t(9)), hasOrigin: true,
      decisions: [.endOwn(.rerun, reason: died), .waitOn, .endOwn(.rerun, reason: died), .waitOn]),
    Row(
      cause: .rerun, facts: Facts(isOfSchedule: false),
      decisions: [
        .endOwn(.rerun, reason: died), .endOwn(.rerun, reason: unknownEntry),
        .endOwn(.rerun, reason: died), .endOwn(.rerun, reason: unknownEntry),
      ]),
  ]

  private func decisions(_ row: Row, now: WallInstant) -> [InheritedEntryDecision] {
    [(false, false), (false, true), (true, false), (true, true)].map { hostsLiveOn, hasWaited in
      var run = OpenRun(
        run: .number(0), entry: EntryKey(job: name("a"), nominal: t(10)), cause: row.cause, attempts: 0,
        startedAt: t(0), entryCount: row.entryCount)
      (run.hasWaited, run.isAskedFor) = (hasWaited, row.isAskedFor)
      if row.hasUpstream { run.upstream = EntryRecord(entry: run.entry, outcome: .failed, endedAt: t(0)) }
      if row.hasOrigin { run.rerun = RerunOrigin(of: t(0), number: 1) }
      return InheritedEntryDecision(run, row.facts, hostsLiveOn: hostsLiveOn, now)
    }
  }

  @Test(arguments: rows) func `goes on, ends, or comes again`(_ row: Row) {
    #expect(decisions(row, now: t(10)) == row.decisions)
  }

  @Test func `ends if it waited and the clock was set back before it`() {
    let row = Row(facts: Facts(watermark: t(10)), decisions: [])
    #expect(decisions(row, now: t(9))[1] == .endAhead)
    #expect(decisions(row, now: t(9))[0] == .resume(.missed, goesOn: false))
  }

  @Test func `is judged by facts about its job`() {
    var state = JobState(job("a", every(10)), at: t(0), decided: t(20))
    #expect(Facts(state, t(30)).isNext && !Facts(state, t(40)).isNext && !Facts(state, t(20)).isNext)
    #expect(Facts(state, t(30)).isOfSchedule && !Facts(state, t(31)).isOfSchedule)
    state.watermark.setFormer(t(40), sharing: [])
    #expect(Facts(state, t(40)).wasPassed && !Facts(state, t(50)).wasPassed)
    state.watermark.decide(t(50))
    #expect(Facts(state, t(50)).isDecidedAhead && !Facts(state, t(40)).isDecidedAhead)
    #expect(Facts(state, t(50)).watermark == t(20))
    state.watermark.decide(t(30))
    #expect(Facts(state, t(40)).isNext && !Facts(state, t(60)).isNext)
    let looping = JobState(job("b", loop(.seconds(1))), at: t(0), decided: nil)
    #expect(Facts(looping, t(0)).isClosedLoop && Facts(looping, t(0)).watermark == nil)
  }
}
