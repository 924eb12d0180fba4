import Testing

@testable import TimelineStoreEtcd

/// Keys, tokens and the clock of etcd.
struct EtcdLayoutTests {
  private static let keys = EtcdKeys(cluster: "prod")

  @Test func `later entries have earlier keys`() {
    let instants: [Int64] = [.min, -2, -1, 0, 1, 1 << 40, .max]
    let keys = instants.map { Self.keys.open("j", $0) }
    #expect(keys == keys.sorted(by: >))
    #expect(keys.map { EtcdKeys.entry(ofOpen: $0)?.nominal } == instants)
  }

  @Test(arguments: ["report", "a/b", "50%", "%2F/", "ü \"\\'", "a.b-c_d"])
  func `a name is one part of a key`(name: String) {
    #expect(EtcdKeys.name(Self.keys.owner(name)) == name)
    #expect(EtcdKeys.entry(ofOpen: Self.keys.open(name, 7))?.job == name)
    #expect(Self.keys.record(ofTime: Self.keys.time(7, name, "e")) == Self.keys.record(name, 7, "e"))
    #expect(Self.keys.owner(name).split(separator: "/", omittingEmptySubsequences: false).count == 4)
  }

  @Test func `keys of a job are apart from those of a job whose name has the same beginning`() {
    let range = EtcdRange.all(Self.keys.opens(of: "a"))
    for job in ["a.b", "a/0", "a0", "ab"] {
      let key = Self.keys.open(job, 0)
      #expect(key < range.key || key >= range.end ?? "", "\(job)")
    }
    #expect((range.key..<(range.end ?? "")).contains(Self.keys.open("a", .min)))
  }

  @Test func `tokens ascend with the era, the revision and the place`() {
    let order: [(era: Int64, revision: Int64, place: Int)] = [
      (1, 1, 0), (1, 1, 1), (1, 1, 99), (1, 2, 0), (1, 1 << 39, 99), (2, 1, 0), (60_000, 1, 0),
    ]
    let tokens = order.map {
      EtcdMeta(version: 1, system: "", era: $0.era).token(revision: $0.revision, place: $0.place)
    }
    #expect(tokens == tokens.sorted() && Set(tokens).count == tokens.count && tokens.allSatisfy { $0 > 0 })
  }

  @Test func `a claim keeps its token when it is written again`() {
    var claim = EtcdClaim(epoch: "e", entryCount: 1, claimedAt: 0, place: 3, era: 2)
    let token = claim.token(writtenAt: 10)
    claim.token = token
    #expect(claim.token(writtenAt: 11) == token)
  }

  private static let second: Int64 = 1_000_000_000

  @Test func `a clock is measured to half a second by one reply, and closer by several`() {
    var clock = StoreClock()
    // The store is 300 ms ahead; its date has whole seconds.
    for (count, offset) in [0, 100, 350, 620, 690, 710].enumerated() {
      let sent = 1_000 * Self.second + Int64(offset) * 1_000_000
      let date = (sent + 300_000_000) / Self.second
      clock.take(date: date, sent: sent, received: sent + 1_000_000)
      let error = abs(clock.time(at: sent) - sent - 300_000_000)
      #expect(error <= (count < 5 ? 501_000_000 : 20_000_000), "reply \(count)")
      #expect(clock.latest(at: sent) - sent >= 300_000_000)
    }
    // The clock is set: earlier replies do not count any more.
    clock.take(date: 2_000, sent: 1_000 * Self.second, received: 1_000 * Self.second)
    #expect(abs(clock.time(at: 0) - 1_000 * Self.second) <= Self.second)
  }

  @Test func `without a reply the store's clock is that of the machine`() {
    #expect(StoreClock().time(at: 7) == 7 && StoreClock().latest(at: 7) == 7)
  }
}
