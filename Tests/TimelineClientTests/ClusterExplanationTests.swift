import Testing
import TimelineClient
import TimelineControl
import TimelineCore
import TimelineEngineTestSupport

@Suite struct `The story of an entry in a cluster` {
  private func reply(_ verdict: WhyVerdict, _ outcome: Outcome? = nil) -> WhyReply {
    var reply = WhyReply(
      job: "report", zone: "UTC", now: t(1_000), verdict: verdict,
      headline: "report: this node has no record of that entry")
    reply.node = "c"
    reply.entry = Timestamp(t(100))
    reply.record = outcome.map { EntryReport(job: "report", entry: t(100), outcome: $0) }
    reply.details = [.init("cluster", "node c runs the job"), .init("schedule", "every 10s")]
    return reply
  }

  private func entry(
    on node: String, _ outcome: Outcome?, started: Int64? = nil, reason: String = "", token: Int64? = nil,
    count: Int = 1
  ) -> EntryReport {
    EntryReport(
      job: "report", entry: t(100), firstEntry: count > 1 ? t(70) : nil, entryCount: count,
      outcome: outcome, reason: reason, node: node, token: token, claimedAt: outcome == nil ? t(95) : nil,
      leaseUntil: outcome == nil ? t(115) : nil, startedAt: started.map(t),
      endedAt: outcome == nil ? nil : t(108), attempts: started == nil ? 0 : 2)
  }

  private func texts(_ story: ClusterExplanation) -> [String] {
    story.reply.details.map { "\($0.name): \($0.text)" }
  }

  private static let rest = [
    "this node: has no record of the entry", "cluster: node c runs the job", "schedule: every 10s",
  ]

  @Test func `begins with the node that ran it, followed by the facts of this node`() {
    let lost = entry(on: "a", .unknown, reason: "its node was lost", token: 3)
    let ran = entry(on: "b", .failed, started: 101, reason: "no route", token: 4)
    for entries in [[lost, ran], [ran, lost]] {
      let story = ClusterExplanation(reply(.unrecorded), entries, in: .utc)
      #expect(
        story.reply.headline
          == "report at 1970-01-01 00:01:40 UTC, on node b: failed. \(Outcome.failed.meaning)")
      #expect(story.outcome == "failed")
      #expect(
        texts(story) == [
          "node: b, token 4", "reason: no route", "started: 1970-01-01 00:01:41 UTC, 1.00s late",
          "attempts: 2", "ended: 1970-01-01 00:01:48 UTC, after 7.00s",
        ] + Self.rest + ["node a: unknown, token 3: its node was lost"])
    }
  }

  @Test func `has the record of an entry that did not run, or has no outcome yet`() {
    let missed = ClusterExplanation(reply(.unrecorded), [entry(on: "b", .missed, count: 4)], in: .utc)
    #expect(
      texts(missed) == [
        "node: b",
        "entries: 4 that share a record, 1970-01-01 00:01:10 UTC to 1970-01-01 00:01:40 UTC",
        "decided: 1970-01-01 00:01:48 UTC",
      ] + Self.rest)
    let claimed = ClusterExplanation(reply(.unrecorded), [entry(on: "b", nil, token: 4)], in: .utc)
    #expect(
      claimed.outcome == nil
        && claimed.reply.headline.hasSuffix(", on node b: claimed. It has no outcome yet."))
    #expect(
      texts(claimed) == [
        "node: b, token 4", "claimed: 1970-01-01 00:01:35 UTC, its lease until 1970-01-01 00:01:55 UTC",
      ] + Self.rest)
  }

  @Test func `begins with this node's record if there is one, or if the store has none`() {
    let own = ClusterExplanation(
      reply(.settled, .succeeded), [entry(on: "c", .succeeded, started: 100)], in: .utc)
    let known = ["cluster: node c runs the job", "schedule: every 10s"]
    #expect(own.outcome == "succeeded" && texts(own) == known + ["node c: succeeded"])
    let none = ClusterExplanation(reply(.unrecorded), [], in: .utc)
    #expect(none.outcome == nil && texts(none) == known + ["store: has nothing of the entry"])
    #expect(none.reply.headline == reply(.unrecorded).headline)
    #expect(texts(ClusterExplanation(reply(.planned), [], in: .utc)) == known)
    let down = ClusterExplanation(reply(.unrecorded), storeFault: "the store does not answer")
    #expect(texts(down) == known + ["store: the store does not answer"])
  }

  @Test func `is requested only for entries of a cluster`() {
    var alone = reply(.unrecorded)
    #expect(Control.History(entryOf: alone)?.since == "1970-01-01T00:01:40Z")
    #expect(Control.History(entryOf: alone)?.until == "1970-01-01T00:01:40.000000001Z")
    alone.node = nil
    #expect(Control.History(entryOf: alone) == nil)
  }
}
