import Testing
import TimelineControl
import TimelineCore

@Suite struct `A search through the history` {
  /// A daemon with `count` entries a second apart; every tenth was missed.
  private struct Past {
    var count: Int
    /// Number of entries that share an instant.
    var perInstant = 1

    func page(_ query: Control.History, _ asked: inout Int) throws -> HistoryReply {
      asked += 1
      let until = try query.until.map { try WallInstant(rfc3339: $0) } ?? .max
      let all = (0..<count).map { number in
        EntryReport(
          job: "job\(number % perInstant)", entry: .epoch + .seconds(Int64(number / perInstant)),
          outcome: number % 10 == 0 ? .missed : .succeeded)
      }.filter { $0.entry.instant < until }
      let limit = query.limit ?? 50
      var reply = HistoryReply(entries: Array(all.suffix(limit)), isCut: all.count > limit, zone: "UTC")
      reply.zones = ["job0": "UTC"]
      return reply
    }
  }

  @Test(arguments: [
    (count: 0, perInstant: 1, limit: 5, found: 0, isCut: false, pages: 1),
    (count: 100, perInstant: 1, limit: 50, found: 10, isCut: false, pages: 1),
    (count: 100, perInstant: 1, limit: 10, found: 10, isCut: false, pages: 1),
    (count: 100, perInstant: 1, limit: 9, found: 9, isCut: true, pages: 1),
    (count: 2_500, perInstant: 1, limit: 1_000, found: 250, isCut: false, pages: 3),
    (count: 2_500, perInstant: 1, limit: 120, found: 120, isCut: true, pages: 2),
    (count: 2_500, perInstant: 7, limit: 1_000, found: 250, isCut: false, pages: 3),
    (count: 200_000, perInstant: 1, limit: 50, found: 50, isCut: true, pages: 1),
  ])
  func `finds the last matches, each once, and whether there are more`(
    _ row: (count: Int, perInstant: Int, limit: Int, found: Int, isCut: Bool, pages: Int)
  ) throws {
    let past = Past(count: row.count, perInstant: row.perInstant)
    var asked = 0
    let reply = try HistorySearch(Control.History(limit: row.limit), for: ["missed"]).run { query in
      try past.page(query, &asked)
    }
    #expect(reply.entries.count == row.found && reply.isCut == row.isCut && asked == row.pages, "\(asked)")
    #expect(reply.entries.allSatisfy { $0.outcome == "missed" })
    #expect(Set(reply.entries).count == row.found && reply.zones == ["job0": "UTC"])
    #expect(reply.entries.map(\.entry.instant) == reply.entries.map(\.entry.instant).sorted())
  }

  @Test func `ends when there are no matches, and leaves failures to the daemon's index`() throws {
    var asked = 0
    let none = try HistorySearch(Control.History(), for: ["excluded"]).run { query in
      try Past(count: 3_000).page(query, &asked)
    }
    #expect(none.entries.isEmpty && !none.isCut && asked == 4)
    var wanted: [Bool?] = []
    for outcomes in [["failed", "lost"], ["failed", "missed"]] as [Set<String>] {
      _ = HistorySearch(Control.History(), for: outcomes).run { query in
        wanted.append(query.onlyFailures)
        return HistoryReply(entries: [], isCut: false, zone: "UTC")
      }
    }
    #expect(wanted == [true, false])
  }
}
