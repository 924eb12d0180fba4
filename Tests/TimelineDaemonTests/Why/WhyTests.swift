import Testing
import TimelineControl
import TimelineCore
import TimelineEngine
import TimelineLedger

@testable import TimelineDaemon

/// Answers about a moment, without a daemon: a schedule, the ledger's records, and the answer.
@Suite struct `Why, as a table` {
  static let now = instant("2026-11-21T12:00:00Z")
  static let job = JobName("report")

  /// A ledger of a few entries.
  struct Shelf: LedgerReader {
    var entries: [LedgerEntry] = []
    var counters: LedgerCounters?
    var actions: [OperatorAction] = []
    var modeChanges: [ModeChange] = []

    func reactions(to upstream: EntryKey, limit: Int) -> [LedgerEntry] {
      Array(entries.reversed().filter { $0.record.upstream == upstream }.prefix(limit))
    }

    func reruns(of entry: EntryKey, limit: Int) -> [LedgerEntry] {
      let found = entries.filter { $0.record.entry.job == entry.job && $0.record.rerun?.of == entry.nominal }
      return Array(found.reversed().prefix(limit))
    }

    func lastAction(
      _ verb: OperatorAction.Verb, on job: JobName?, atOrBefore instant: WallInstant
    ) -> OperatorAction? {
      actions.last { $0.verb == verb && $0.job == job && $0.at <= instant }
    }

    func firstAction(
      _ verb: OperatorAction.Verb, on job: JobName?, atOrAfter instant: WallInstant
    ) -> OperatorAction? {
      actions.first { $0.verb == verb && $0.job == job && $0.at >= instant }
    }

    func modeChange(atOrBefore instant: WallInstant) -> ModeChange? {
      modeChanges.last { $0.at <= instant }
    }

    func history(_ query: HistoryQuery) -> [LedgerEntry] {
      let found = entries.filter { entry in
        (!entry.isOpen || entry.record.startedAt != nil)
          && (query.job.map { entry.record.entry.job == $0 } ?? true)
          && (!query.onlyRuns || entry.record.startedAt != nil)
          && (query.since.map { entry.record.entry.nominal >= $0 } ?? true)
          && (query.until.map { entry.record.firstNominal < $0 } ?? true)
      }
      return Array(found.sorted { $0.record.entry.nominal > $1.record.entry.nominal }.prefix(query.limit))
    }

    func entry(of job: JobName, at instant: WallInstant) -> LedgerEntry? {
      entries.first {
        $0.record.entry.job == job && $0.record.firstNominal <= instant && instant <= $0.record.entry.nominal
      }
    }

    func neighbors(
      of job: JobName, around instant: WallInstant
    ) -> (before: LedgerEntry?, after: LedgerEntry?) {
      (
        history(HistoryQuery(until: instant)).first { $0.record.entry.nominal < instant },
        history(HistoryQuery(since: instant + .nanoseconds(1))).last
      )
    }

    func counters(of job: JobName, inHourOf instant: WallInstant) -> LedgerCounters? { counters }
  }

  static func entry(
    _ nominal: String, _ outcome: Outcome?, first: String? = nil, count: Int = 1,
    cause: RunCause = .schedule,
    reason: String = "", run: UInt64? = nil, started: String? = nil, ended: String? = nil,
    claimed: String? = nil,
    attempts: [LedgerAttempt] = []
  ) throws -> LedgerEntry {
    LedgerEntry(
      record: EntryRecord(
        entry: EntryKey(job: try #require(job), nominal: instant(nominal)), cause: cause,
        outcome: outcome ?? .unknown, reason: reason, run: run.map(RunID.init(number:)),
        startedAt: started.map(instant), endedAt: instant(ended ?? nominal),
        attempts: max(attempts.count, run == nil ? 0 : 1),
        entryCount: count, firstNominal: first.map(instant)),
      isOpen: outcome == nil, claimedAt: claimed.map(instant), attempts: attempts)
  }

  /// Asks about a job that falls due every hour, in UTC.
  func ask(
    _ moment: String, _ entries: [LedgerEntry] = [], runs: [ActiveRun] = [],
    pausedSince: String? = nil,
    waiting: [String] = [], startedAt: String = "2026-11-01T00:00:00Z", counters: LedgerCounters? = nil,
    actions: [OperatorAction] = [], modeChanges: [ModeChange] = [],
    _ change: (inout WhyQuestion) -> Void = { _ in }
  ) throws -> WhyReply {
    var question = WhyQuestion(
      job: try #require(Self.job),
      schedule: .periodic(try PeriodicSchedule(from: .epoch, by: .hours(1))), policies: JobPolicies(),
      zone: .utc,
      now: Self.now, startedAt: Self.instant(startedAt),
      moment: try Moment(parsing: moment, now: Self.now, in: .utc),
      runs: Dictionary(uniqueKeysWithValues: runs.map { ($0.attempt.run, $0) }),
      pausedSince: pausedSince.map(Self.instant), waiting: Set(waiting.map(Self.instant)))
    change(&question)
    return question.answer(
      from: Shelf(entries: entries, counters: counters, actions: actions, modeChanges: modeChanges))
  }

  func detail(_ name: String, of reply: WhyReply) -> String? {
    reply.details.first { $0.name == name }?.text
  }

  @Test func `operators who affected an entry are named, with their reasons`() throws {
    let alice = Operator(user: 1_000, name: "alice", process: 47, program: "timelinectl")
    let root = Operator(user: 0, name: "root", process: 0)
    let pause = OperatorAction(
      .pause, at: Self.instant("2026-11-21T01:30:00Z"), job: Self.job, by: alice, reason: "disk swap")
    let resume = OperatorAction(.resume, at: Self.instant("2026-11-21T03:30:00Z"), job: Self.job, by: root)
    let left = try Self.entry("2026-11-21T02:00:00Z", .paused, ended: "2026-11-21T03:30:00Z")
    let reply = try ask("02:00", [left], pausedSince: nil, actions: [pause, resume])
    #expect(
      detail("paused", of: reply) == "01:30:00.000, by alice (uid 1000), process 47 (timelinectl): disk swap")
    #expect(detail("resumed", of: reply) == "03:30:00.000, by root (uid 0)")
    // A pause that ended before the entry is not shown.
    let later = try Self.entry("2026-11-21T04:00:00Z", .succeeded, cause: .missed, run: 1)
    #expect(detail("paused", of: try ask("04:00", [later], actions: [pause, resume])) == nil)

    var triggered = try Self.entry("2026-11-21T05:00:00Z", .cancelled, cause: .trigger, run: 2)
    triggered.record.startedAt = triggered.record.entry.nominal
    let at = triggered.record.entry.nominal
    triggered.actions = [
      OperatorAction(.trigger, at: at, job: Self.job, entry: at, by: alice),
      OperatorAction(.cancel, at: at + .seconds(1), job: Self.job, entry: at, by: root),
    ]
    let run = try ask("05:00", [triggered])
    #expect(detail("triggered", of: run) == "05:00:00.000, by alice (uid 1000), process 47 (timelinectl)")
    #expect(detail("cancelled", of: run) == "05:00:01.000, by root (uid 0)")
    #expect(run.record?.by?.user == "alice" && run.record?.cancelledBy?.uid == 0)

    let held = try ask("now", pausedSince: "2026-11-21T01:30:00Z") { $0.pauseAction = pause }
    #expect(held.pausedBy?.pid == 47 && held.pauseReason == "disk swap")
    #expect(detail("paused", of: held)?.hasSuffix("(timelinectl): disk swap") == true)
    let left2 = try Self.entry("2026-11-21T06:00:00Z", .shutDown, ended: "2026-11-21T06:00:00Z")
    let stop = OperatorAction(.stop, at: Self.instant("2026-11-21T05:59:59Z"), by: root)
    #expect(detail("stop requested", of: try ask("06:00", [left2], actions: [stop])) != nil)
    let old = OperatorAction(.stop, at: Self.instant("2026-11-21T01:00:00Z"), by: root)
    #expect(detail("stop requested", of: try ask("06:00", [left2], actions: [old])) == nil)
  }

  @Test func `entries that the mode left out are shown with the change of the mode`() throws {
    let alice = Operator(user: 1_000, name: "alice", process: 0)
    func change(_ time: String, _ mode: ScheduleMode, _ choice: ModeChoice) -> ModeChange {
      ModeChange(
        at: Self.instant(time), mode: mode, cadence: .minutes, choice: choice, cause: .operatorChoice,
        reason: "chosen by an operator", by: choice == .auto ? nil : alice)
    }
    let low = change("2026-11-21T01:30:00Z", .lowFrequency, .lowFrequency)
    let left = try Self.entry(
      "2026-11-21T04:00:00Z", .lowFrequency, first: "2026-11-21T02:00:00Z", count: 3,
      reason: "timelined was in low-frequency mode", ended: "2026-11-21T04:30:00Z")
    let changes = [low, change("2026-11-21T04:30:00Z", .normal, .auto)]
    let reply = try ask("03:00", [left], modeChanges: changes)
    #expect(reply.headline.contains("low-frequency. It did not run: timelined was in low-frequency mode."))
    let words =
      "low-frequency, cadence minutes since 2026-11-21 01:30:00 UTC: chosen by an operator, by alice (uid 1000)"
    #expect(detail("mode", of: reply) == words)
    // After a clock step backward the last change before the entry may be a later one.
    let other = try ask("03:00", [left], modeChanges: [low, change("2026-11-21T01:45:00Z", .normal, .auto)])
    #expect(detail("mode", of: other) == nil)
    #expect(detail("reason", of: reply) == "timelined was in low-frequency mode")
    let animation = ScheduleRule.animation(try AnimationSchedule(minimumInterval: .seconds(2)))
    for (moment, mode) in [("01:00", nil), ("02:00", words), ("11:00", nil)] {
      let reply = try ask(moment, modeChanges: changes) { $0.schedule = animation }
      #expect(reply.verdict == "none" && detail("mode", of: reply) == mode, "\(moment)")
      #expect(reply.headline.hasSuffix(mode == nil ? "follow each other." : "in low-frequency mode."))
    }
  }

  @Test func `a failed run is shown attempt by attempt`() throws {
    let attempts = [
      LedgerAttempt(
        number: 1, startedAt: Self.instant("2026-11-21T02:00:00.002Z"),
        endedAt: Self.instant("2026-11-21T02:00:01Z"),
        outcome: .failed, message: "no route"),
      LedgerAttempt(
        number: 2, startedAt: Self.instant("2026-11-21T02:00:05Z"),
        endedAt: Self.instant("2026-11-21T02:00:06.5Z"),
        outcome: .failed, message: "still no route"),
    ]
    let failed = try Self.entry(
      "2026-11-21T02:00:00Z", .failed, reason: "still no route", run: 7, started: "2026-11-21T02:00:00.002Z",
      ended: "2026-11-21T02:00:06.5Z", claimed: "2026-11-21T01:59:58Z", attempts: attempts)
    let before = try Self.entry("2026-11-21T01:00:00Z", .succeeded, run: 6, started: "2026-11-21T01:00:00Z")
    let reply = try ask("02:00", [before, failed])
    #expect(reply.verdict == "settled" && reply.entry == Timestamp(Self.instant("2026-11-21T02:00:00Z")))
    #expect(
      reply.headline
        == "report at 2026-11-21 02:00:00 UTC: failed. It ran and reported failure, or its host died.")
    #expect(
      reply.details.map { "\($0.name): \($0.text)" } == [
        "entry: 2026-11-21T02:00:00Z", "cause: its entry fell due",
        "claim: on disk 2.00s ahead", "started: 02:00:00.002, 2.00ms late",
        "attempt 1: 02:00:00.002  took 998ms  failed: no route",
        "attempt 2: 02:00:05.000  took 1.50s  failed: still no route", "ended: 02:00:06.500, after 6.49s",
        "run: 7",
        "schedule: every 1h from 1970-01-01T00:00:00Z, in UTC", "before: 2026-11-21 01:00:00 UTC  succeeded",
        "after: 2026-11-21 03:00:00 UTC  no record",
      ])
    #expect(reply.attempts.map(\.message) == ["no route", "still no route"])
    #expect(reply.attempts.map(\.durationNanoseconds) == [998_000_000, 1_500_000_000])
  }

  @Test func `an active run is shown with its progress, its attempt and how to stop it`() throws {
    let key = EntryKey(job: try #require(Self.job), nominal: Self.instant("2026-11-21T11:00:00Z"))
    let first = Attempt(
      run: RunID(number: 9), entry: key, cause: .schedule, startedAt: Self.instant("2026-11-21T11:00:00.004Z")
    )
    var second = first
    (second.number, second.startedAt) = (2, Self.instant("2026-11-21T11:10:00Z"))
    var run = ActiveRun(second, following: ActiveRun(first))
    run.progressMillionths = 250_000
    run.progressText = "a quarter"
    run.output.append("a line")
    let reply = try ask("11:00", runs: [run])
    #expect(reply.verdict == "running" && reply.running?.attempt == 2 && reply.output == "a line")
    #expect(
      reply.headline
        == "report at 2026-11-21 11:00:00 UTC: running. It was started 59m59s ago and says: 25 %, a quarter.")
    #expect(detail("started", of: reply) == "2026-11-21 11:00:00.004 UTC, 4.00ms late")
    #expect(detail("run", of: reply) == "9; `timelinectl cancel 9` stops it")
    let beside = try ask(
      "11:30", [try Self.entry("2026-11-21T11:00:00Z", nil, run: 9, started: "2026-11-21T11:00:00Z")])
    #expect(beside.verdict == "none" && detail("under way", of: beside)?.hasPrefix("run 9 ") == true)
  }

  @Test(arguments: [ElapsedTime.hours(1), .zero - .hours(1)])
  func `a clock that was set during a run changes no duration`(step: ElapsedTime) throws {
    let start = Self.now - .seconds(3)
    let key = EntryKey(job: try #require(Self.job), nominal: start)
    var run = ActiveRun(Attempt(run: RunID(number: 9), entry: key, cause: .schedule, startedAt: start))
    run.clockMoved = step
    #expect(run.elapsed(at: Self.now + step) == .seconds(3))
    let record = run.completing(
      EntryRecord(
        entry: key, outcome: .failed, reason: "exit status 1", run: RunID(number: 9), startedAt: start,
        endedAt: Self.now + step, attempts: 1), endedByItself: true)
    #expect(record.elapsed == .seconds(3) && EntryReport(record).durationNanoseconds == 3_000_000_000)
    let direction = step > .zero ? "ahead" : "back"
    #expect(record.reason == "exit status 1; the clock went 1h \(direction) meanwhile, it took 3.00s")
    #expect(RunLine.text(of: record, in: .utc).contains("took 3.00s"))
    run.clockMoved = .microseconds(20)
    #expect(
      run.completing(record, endedByItself: true).reason == record.reason, "a correction is not worth a word")

    let reply = try ask("11:59:57", [LedgerEntry(record: record, isOpen: false)])
    #expect((reply.record?.durationNanoseconds == nil) == (step < .zero), "a ledger has instants only")
    #expect(detail("ended", of: reply)?.contains("the clock was set during the run") == (step < .zero))
    #expect(detail("reason", of: reply)?.contains("it took 3.00s") == true)
  }

  @Test func `the processor time and the memory of a run are shown where they are known`() throws {
    var entry = try Self.entry(
      "2026-11-21T11:00:00Z", .succeeded, run: 8, started: "2026-11-21T11:00:00Z")
    #expect(detail("processor time", of: try ask("11:00", [entry])) == nil)
    entry.usage = RunUsage(processorTime: .milliseconds(1_500), memoryPeak: MemoryPeak(bytes: 7 << 20))
    var reply = try ask("11:00", [entry])
    #expect(detail("processor time", of: reply) == "1.50s")
    #expect(reply.record?.processorTimeNanoseconds == 1_500_000_000)
    #expect(detail("peak memory", of: reply) == "7.0 MiB")
    #expect(reply.record?.memoryPeakBytes == 7 << 20 && reply.record?.memoryPeakBoundBytes == nil)
    entry.usage.memoryPeak?.isBound = true
    reply = try ask("11:00", [entry])
    #expect(detail("peak memory", of: reply) == "at most 7.0 MiB")
    #expect(reply.record?.memoryPeakBytes == nil && reply.record?.memoryPeakBoundBytes == 7 << 20)
  }

  @Test func `a manual run is found by its time without seconds or fraction`() throws {
    let byHand = try Self.entry(
      "2026-11-21T10:17:03.120456789Z", .succeeded, cause: .trigger, run: 8,
      started: "2026-11-21T10:17:03.120456789Z")
    let shown = Self.instant("2026-11-21T10:17:03.120456789Z").text(in: .utc)
    #expect(shown == "2026-11-21 10:17:03.120 UTC")
    for moment in ["10:17", "10:17:03", "10:17:03.120", shown, "2026-11-21T10:17:03.120456789Z"] {
      let reply = try ask(moment, [byHand])
      #expect(reply.verdict == "settled" && reply.record?.latenessNanoseconds == nil, "\(moment)")
      #expect(detail("cause", of: reply) == "an operator triggered it")
    }
    let reply = try ask("10:18", [byHand])
    #expect(reply.verdict == "none")
    #expect(reply.before?.entry == Timestamp(Self.instant("2026-11-21T10:17:03.120456789Z")))
  }

  @Test func `a time that names many entries shows their number and answers for the first`() throws {
    let reply = try ask("2026-11-20")
    #expect(reply.entry == Timestamp(Self.instant("2026-11-20T00:00:00Z")) && reply.alsoCount == 23)
    #expect(detail("also", of: reply) == "23 more entries in the time you named, of which this is the first")
  }

  @Test func `a job with too many entries for records shows counts in place of them`() throws {
    let schedule = try AnimationSchedule(minimumInterval: .milliseconds(100))
    var reply = try ask("11:00") { $0.schedule = .animation(schedule) }
    #expect(reply.verdict == "counted" && reply.entry == nil && reply.counts == nil)

    var counters = LedgerCounters(hour: Self.instant("2026-11-21T11:00:00Z"))
    counters.outcomes.add(35_000, of: .succeeded)
    counters.outcomes.add(2, of: .failed)
    counters.lateness.add(.microseconds(100))
    reply = try ask("11:30", counters: counters) { $0.schedule = .animation(schedule) }
    #expect(reply.counts == ["succeeded": 35_000, "failed": 2])
    #expect(detail("entries", of: reply) == "35000 succeeded, 2 failed, from 11:00:00 to 12:00:00")
    #expect(detail("late", of: reply)?.hasPrefix("half of them at most 131us, ") == true, "\(reply.details)")
  }

  @Test func `every outcome and every policy has a description`() {
    #expect(Set(Outcome.allCases.map(\.meaning)).count == Outcome.allCases.count)
    #expect(Set(OverlapPolicy.allCases.map(\.words)).count == OverlapPolicy.allCases.count)
    for outcome in Outcome.allCases {
      #expect(
        outcome.meaning.hasSuffix(".") && outcome.meaning.contains("not run") != outcome.ran)
    }
  }

  static func instant(_ text: String) -> WallInstant {
    (try? WallInstant(rfc3339: text)) ?? .min
  }
}
