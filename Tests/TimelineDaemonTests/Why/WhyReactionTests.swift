import Testing
import TimelineControl
import TimelineCore
import TimelineEngine
import TimelineLedger

@testable import TimelineDaemon

/// Answers about what an entry caused, and about what caused a reaction.
@Suite struct `Why, about reactions` {
  private let table = `Why, as a table`()

  private static func reaction(
    at time: String, _ outcome: Outcome?, to upstream: LedgerEntry?, isStarted: Bool = true
  ) throws -> LedgerEntry {
    var entry = try `Why, as a table`.entry(
      "2026-11-21T\(time)Z", outcome, cause: .reaction, run: isStarted ? 8 : nil,
      started: isStarted ? "2026-11-21T\(time)Z" : nil)
    entry.record.entry.job = try #require(JobName("tell"))
    entry.record.upstream = upstream?.record.entry
    return entry
  }

  private static func failure(
    at hour: String = "02:00:00", _ outcome: Outcome = .failed, cause: RunCause = .schedule
  ) throws -> LedgerEntry {
    let nominal = "2026-11-21T\(hour)Z"
    return try `Why, as a table`.entry(
      nominal, outcome, cause: cause, reason: "no route", run: outcome == .missed ? nil : 7,
      started: outcome == .missed ? nil : nominal)
  }

  private func lines(_ reply: WhyReply) -> [String] {
    reply.details.filter { ["told", "told of", "incident"].contains($0.name) }.map {
      "\($0.name): \($0.text)"
    }
  }

  @Test func `a reaction names its upstream, also without a record`() throws {
    let failure = try Self.failure()
    let reaction = try Self.reaction(at: "02:31:07.000000002", .succeeded, to: failure)
    var attempt = Attempt(
      run: RunID(number: 9), entry: reaction.record.entry, cause: .reaction,
      startedAt: reaction.record.entry.nominal)
    attempt.upstream = failure.record
    func ask(_ entries: [LedgerEntry], _ runs: [ActiveRun] = []) throws -> [String] {
      lines(try table.ask("02:31:07", entries, runs: runs) { $0.job = reaction.record.entry.job })
    }
    #expect(try ask([failure, reaction]) == ["told of: report at 02:00:00, failed: no route"])
    #expect(try ask([reaction]) == ["told of: report at 02:00:00, of which no record is kept"])
    #expect(try ask([], [ActiveRun(attempt)]) == ["told of: report at 02:00:00, failed: no route"])
    #expect(try ask([failure, Self.reaction(at: "02:31:07", .succeeded, to: nil)]) == [])
  }

  @Test func `an entry names the reactions that it caused, the latest ten of them`() throws {
    let failure = try Self.failure()
    let other = try Self.reaction(at: "03:00:00", .succeeded, to: Self.failure(at: "03:00:00"))
    let told = [
      try Self.reaction(at: "02:31:07.123", .succeeded, to: failure),
      try Self.reaction(at: "02:31:08", nil, to: failure),
      try Self.reaction(at: "02:31:09", nil, to: failure, isStarted: false),
    ]
    let reply = try table.ask("02:00", [failure, other] + told)
    #expect(
      lines(reply) == [
        "told: tell at 02:31:07.123, succeeded", "told: tell at 02:31:08.000, running",
        "told: tell at 02:31:09.000, waiting",
      ])
    #expect(reply.reactions?.map(\.job) == ["tell", "tell", "tell"])
    #expect(reply.reactions?.map(\.outcome) == ["succeeded", nil, nil])
    let many = try (10...21).map { try Self.reaction(at: "02:31:\($0)", .succeeded, to: failure) }
    let cut = try table.ask("02:00", [failure] + many)
    #expect(cut.reactions?.count == 10 && lines(cut).count == 11)
    #expect(lines(cut).first == "told: earlier ones are in `timelinectl history tell`")
    #expect(lines(cut).dropFirst().first == "told: tell at 02:31:12.000, succeeded")
  }

  @Test func `an entry that waits or runs names the reactions that it has caused already`() throws {
    let nominal = "2026-11-21T02:00:00Z"
    let late = try Self.reaction(at: "02:30:00", .succeeded, to: Self.failure())
    let run = ActiveRun(
      Attempt(
        run: RunID(number: 7), entry: try Self.failure().record.entry, cause: .schedule,
        startedAt: `Why, as a table`.instant(nominal)))
    for (runs, waiting, verdict) in [([run], [], "running"), ([], [nominal], "waiting")] {
      let reply = try table.ask("02:00", [late], runs: runs, waiting: waiting)
      #expect(reply.verdict == verdict && lines(reply) == ["told: tell at 02:30:00.000, succeeded"])
      #expect(reply.reactions?.map(\.job) == ["tell"])
    }
    let planned = try table.ask("in 1h", [late])
    #expect(planned.verdict == "planned" && planned.reactions == [] && lines(planned) == [])
  }

  @Test func `a missing record of a reaction is shown for the failure`() throws {
    let tell = JobName("tell")
    func ask(_ entry: LedgerEntry, _ reactions: Reactions) throws -> [String] {
      lines(try table.ask("02:00", [entry]) { $0.policies.reactions = reactions })
    }
    let words = ["told: not known: no record of a run of tell for this entry is kept"]
    #expect(try ask(Self.failure(), Reactions(onFailure: tell)) == words)
    #expect(try ask(Self.failure(), Reactions(onMissed: tell)) == [])
    #expect(try ask(Self.failure(.missed), Reactions(onMissed: tell)) == words)
    #expect(try ask(Self.failure(.succeeded), Reactions(onFailure: tell, onSuccess: tell)) == [])
    #expect(try ask(Self.failure(cause: .reaction), Reactions(onFailure: tell)) == [])
  }

  /// An incident of the failure at 02:00, and the text about it.
  struct Case: CustomTestStringConvertible {
    let policy: IncidentPolicy
    let incident: Incident?
    let words: String
    var isPaused = false
    var kind = IncidentKind.failure
    var testDescription: String { words }
  }

  private static func incident(_ count: Int, since: String, toldAt: String? = nil) throws -> Incident {
    let instant = { (time: String) in `Why, as a table`.instant("2026-11-21T\(time)Z") }
    let since = instant(since)
    return Incident(
      count: count, since: since, toldAt: toldAt.map(instant),
      recent: (0..<count).map { since + .seconds(Int64($0)) }, last: try failure().record)
  }

  private static func cases() throws -> [Case] {
    let hour = IncidentPolicy(after: 3, within: .hours(24))
    let hourly = IncidentPolicy(after: 3, remind: .hours(11))
    let open = try incident(5, since: "02:00:00", toldAt: "03:00:00")
    let over = "over; nothing is kept of one that is over"
    return [
      Case(
        policy: hour, incident: try incident(2, since: "02:00:00"),
        words: "2 of 3 failures within 1d; tell runs when there are 3"),
      Case(
        policy: hourly, incident: try incident(1, since: "02:00:00.100"),
        words: "1 of 3 failures without a success in between; tell runs when there are 3"),
      Case(
        policy: hourly, incident: open,
        words: "open since 02:00:00.000, 5 failures; next reminder at 14:00:00.000"),
      Case(
        policy: hourly, incident: open,
        words: "open since 02:00:00.000, 5 failures; no reminders while the job is paused", isPaused: true),
      Case(
        policy: hour, incident: open, words: "open since 02:00:00.000, 5 failures; no reminders"),
      Case(
        policy: IncidentPolicy(after: 1), incident: try incident(1, since: "02:00:00", toldAt: "02:00:00"),
        words: "open since 02:00:00.000, 1 missed entry; no reminders", kind: .missed),
      Case(policy: hour, incident: nil, words: over),
      Case(policy: hour, incident: try incident(2, since: "05:00:00"), words: over),
      // Both failures have left the window.
      Case(
        policy: IncidentPolicy(after: 3, within: .hours(1)), incident: try incident(2, since: "02:00:00"),
        words: over),
    ]
  }

  @Test func `a failure shows the state of its incident`() throws {
    for each in try Self.cases() {
      let entry = try Self.failure(each.kind == .failure ? .failed : .missed)
      let reply = try table.ask("02:00", [entry], pausedSince: each.isPaused ? "2026-11-21T09:00:00Z" : nil) {
        $0.policies.reactions = Reactions(
          onFailure: JobName("tell"), onMissed: JobName("tell"), failureIncidents: each.policy,
          missedIncidents: each.policy)
        $0.incidents = [
          IncidentNote(job: $0.job, kind: each.kind, policy: each.policy, incident: each.incident)
        ]
      }
      #expect(lines(reply) == ["incident: \(each.words)"])
      #expect((reply.incident == nil) == each.words.hasPrefix("over"))
      #expect(reply.incident.map(\.failures) == (reply.incident == nil ? nil : each.incident?.count))
      #expect((reply.incident?.nextReminder != nil) == each.words.contains("next reminder"))
    }
  }
}
