package import TimelineControl
package import TimelineCore
import TimelineEngine

extension Control.History {
  /// Makes the query for the store's records of a reply's entry; `nil` without a cluster.
  package init?(entryOf reply: WhyReply) {
    guard reply.node != nil, let entry = reply.entry?.instant else { return nil }
    self.init(
      job: reply.job, since: "\(entry)", until: "\(entry + .nanoseconds(1))",
      limit: ControlLimits.clusterHistoryMax)
  }
}

/// Explanation of an entry of a cluster job, from the store and the queried node.
package struct ClusterExplanation {
  /// The answer. Another node's record comes first if the queried node has no record.
  package private(set) var reply: WhyReply
  /// The outcome at the beginning of ``reply``; `nil` for an entry without an outcome.
  package private(set) var outcome: String?

  /// Makes the answer from a node's reply and all records of the reply's entry in the store, oldest first. Times are
  /// shown in `zone`.
  package init(_ reply: WhyReply, _ entries: [EntryReport], in zone: Zone) {
    (self.reply, outcome) = (reply, reply.record?.outcome)
    var others = entries
    if reply.verdict == WhyVerdict.unrecorded.rawValue, let place = Self.decisive(entries) {
      let entry = others.remove(at: place)
      outcome = entry.outcome
      let instant = reply.entry?.instant ?? entry.entry.instant
      self.reply.headline =
        "\(reply.job) at \(Self.text(instant, zone)), on node \(entry.node ?? "-"): \(Self.verdict(on: entry))"
      let known = reply.details.filter { $0.name != "reason" }
      self.reply.details =
        Self.lines(about: entry, zone) + [.init("this node", "has no record of the entry")] + known
    }
    self.reply.details += others.map { entry in
      .init(
        "node \(entry.node ?? "-")",
        (entry.outcome ?? "claimed, without an outcome") + Self.reason(for: entry))
    }
    // A future entry has no records yet.
    let isPast = reply.record != nil || reply.verdict == WhyVerdict.unrecorded.rawValue
    if entries.isEmpty, isPast { self.reply.details.append(.init("store", "has nothing of the entry")) }
  }

  /// Makes the answer from a node's reply alone, because there is no cluster or the store could not be reached.
  package init(_ reply: WhyReply, storeFault: String? = nil) {
    (self.reply, outcome) = (reply, reply.record?.outcome)
    if let storeFault { self.reply.details.append(.init("store", storeFault)) }
  }

  /// Returns the index of the decisive record: the last record of a run, or else the last record with an outcome.
  /// Several nodes have a record if a node was lost.
  private static func decisive(_ entries: [EntryReport]) -> Int? {
    entries.lastIndex { $0.outcome != nil && $0.startedAt != nil }
      ?? entries.lastIndex { $0.outcome != nil } ?? entries.indices.last
  }

  private static func verdict(on entry: EntryReport) -> String {
    guard let outcome = entry.outcome else { return "claimed. It has no outcome yet." }
    return "\(outcome). \(Outcome(rawValue: outcome)?.meaning ?? "")"
  }

  private static func lines(about entry: EntryReport, _ zone: Zone) -> [WhyReply.Detail] {
    var lines: [WhyReply.Detail] = [.init("node", (entry.node ?? "-") + token(of: entry))]
    if let first = entry.firstEntry, entry.entryCount > 1 {
      let stretch = "\(text(first.instant, zone)) to \(text(entry.entry.instant, zone))"
      lines.append(.init("entries", "\(entry.entryCount) that share a record, \(stretch)"))
    }
    if !entry.reason.isEmpty { lines.append(.init("reason", entry.reason)) }
    if let claimedAt = entry.claimedAt {
      let lease = entry.leaseUntil.map { ", its lease until \(text($0.instant, zone))" } ?? ""
      lines.append(.init("claimed", text(claimedAt.instant, zone) + lease))
    }
    if let startedAt = entry.startedAt {
      let isOfSchedule = RunCause(rawValue: entry.cause)?.isOfSchedule ?? false
      let lateness = startedAt.instant - entry.entry.instant
      lines.append(
        .init(
          "started",
          text(startedAt.instant, zone) + (isOfSchedule ? ", \(lateness.approximateText) late" : "")))
    }
    if entry.attempts > 1 { lines.append(.init("attempts", "\(entry.attempts)")) }
    if let endedAt = entry.endedAt?.instant {
      let length = entry.startedAt.map { startedAt in
        endedAt < startedAt.instant
          ? "; the clock was set during the run" : ", after \((endedAt - startedAt.instant).approximateText)"
      }
      lines.append(.init(entry.startedAt == nil ? "decided" : "ended", text(endedAt, zone) + (length ?? "")))
    }
    return lines
  }

  private static func token(of entry: EntryReport) -> String {
    entry.token.map { ", token \($0)" } ?? ""
  }

  private static func reason(for entry: EntryReport) -> String {
    token(of: entry) + (entry.reason.isEmpty ? "" : ": \(entry.reason)")
  }

  private static func text(_ instant: WallInstant, _ zone: Zone) -> String {
    instant.text(in: zone)
  }
}
