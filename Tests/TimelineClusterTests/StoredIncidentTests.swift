import Testing
import TimelineCluster
import TimelineCore
import TimelineEngine
import TimelineEngineTestSupport
import TimelineStoreWire

@Suite struct `An incident in the store` {
  private let job: JobName = "a"

  private func note(_ kind: IncidentKind, _ stage: EntryRecord.Stage = .ended) -> IncidentNote {
    var last = EntryRecord(
      entry: EntryKey(job: job, nominal: t(7)), cause: .schedule,
      outcome: stage == .ended ? .timedOut : .unknown,
      reason: "it took too long", startedAt: t(8), endedAt: t(9), attempts: 2, entryCount: 3,
      firstNominal: t(5))
    last.stage = stage
    let policy = IncidentPolicy(after: 2, within: .seconds(60), remind: stage == .ended ? .seconds(600) : nil)
    return IncidentNote(
      job: job, kind: kind, policy: policy,
      incident: Incident(count: 3, since: t(5), toldAt: t(9), recent: [t(8), t(9)], last: last))
  }

  @Test(arguments: IncidentKind.allCases, [EntryRecord.Stage.ended, .waiting, .running])
  func `is the same after a round trip`(_ kind: IncidentKind, _ stage: EntryRecord.Stage) throws {
    let note = note(kind, stage)
    let stored = try #require(StoredIncident(note, node: "n", epoch: "e"))
    let request = StoreRequest(
      id: 1, StoreCaller(cluster: "c"),
      .record(
        RecordCall(
          records: [], progress: [], incidents: [StoredIncidents(job: "a", term: 7, incidents: [stored])])))
    let read = try StoreRequest(message: request.message)
    #expect(read == request)
    #expect(IncidentNote(stored, of: job) == note)
  }

  @Test func `is dropped if it has a value of a later program`() throws {
    let stored = try #require(StoredIncident(note(.failure), node: "n", epoch: "e"))
    var (kind, outcome, cause) = (stored, stored, stored)
    kind.kind = "other"
    outcome.last.outcome = "other"
    cause.last.cause = "other"
    #expect([kind, outcome, cause].compactMap { IncidentNote($0, of: job) } == [])
  }

  @Test func `is not kept once it has ended`() {
    var ended = note(.failure)
    ended.incident = nil
    #expect(StoredIncident(ended, node: "n", epoch: "e") == nil)
  }
}
