import Testing
import TimelineCore
import TimelineEngineTestSupport

@testable import TimelineEngine

@Suite struct `The gate of groups` {
  private let g = group("g")
  private let h = group("h")

  /// Jobs 0 in `g`, 1 in `g` and `h`, 2 in a group without a limit, 3 in none.
  private func gate(g limit: Int = 1, runs: [Int] = [0, 0, 0, 0]) -> GroupGate {
    var gate = GroupGate()
    let groups = [[g], [h, g], [group("free")], []]
    gate.set([g: limit, h: 2], members: zip(groups, runs).map { ($0, $1) })
    return gate
  }

  @Test func `concerns members of groups that have a limit`() {
    let gate = gate()
    #expect((0..<9).map(gate.isMember) == [true, true, false, false, false, false, false, false, false])
    #expect(gate.groups(of: 1).map(\.name) == [g, h], "by name")
    #expect(gate.groups(of: 2).isEmpty && gate.groups(of: 8).isEmpty)
    #expect(GroupGate().isEmpty && !gate.isEmpty)
  }

  @Test func `has room for a job as long as all its groups have`() {
    var gate = gate()
    #expect(gate.mayStart(0) && gate.mayStart(1) && gate.mayStart(3))
    gate.count(1, of: 1)
    #expect(!gate.hasRoom(for: 0) && !gate.hasRoom(for: 1) && gate.hasRoom(for: 3))
    gate.count(-1, of: 1)
    #expect(gate.hasRoom(for: 0))
    gate.count(5, of: 3)
    #expect(gate.hasRoom(for: 0), "its runs are of no group")
  }

  @Test func `counts active runs when limits are taken over, which may be more than the limit`() {
    var gate = gate(runs: [2, 1, 7, 7])
    #expect(gate.groups(of: 1).map(\.runCount) == [3, 1])
    gate.count(-1, of: 0)
    gate.count(-1, of: 0)
    #expect(!gate.hasRoom(for: 0))
    gate.count(-1, of: 1)
    #expect(gate.hasRoom(for: 0))
  }

  @Test func `lets no job start before those that wait`() {
    var gate = gate(g: 2)
    gate.enqueue(1, rank: t(1))
    #expect(gate.hasRoom(for: 0) && !gate.mayStart(0) && gate.mayStart(3))
  }

  /// The jobs that are served in one search, and whether each starts.
  private func search(_ gate: inout GroupGate, _ ranks: [Int: WallInstant]) -> [String] {
    var (turns, ranks) = ([String](), ranks)
    gate.beginSearch()
    while let job = gate.first(rank: { ranks[$0] }) {
      let starts = gate.admitOrReserve(job)
      turns.append("\(job) \(starts ? "starts" : "reserves")")
      guard starts else { continue }
      gate.count(1, of: job)
      ranks[job] = nil
    }
    return turns
  }

  @Test func `serves the first job, which reserves the groups that it needs`() {
    var gate = gate()
    gate.count(1, of: 0)
    gate.enqueue(1, rank: t(1))
    gate.enqueue(0, rank: t(2))
    gate.enqueue(1, rank: t(0))
    let reserved = search(&gate, [0: t(2), 1: t(1)])
    #expect(reserved == ["1 reserves"], "all groups of the other are reserved")
    gate.count(-1, of: 0)
    let started = search(&gate, [0: t(2), 1: t(1)])
    #expect(started == ["1 starts", "0 reserves"])
    #expect(!gate.isIdle)
  }

  @Test func `rebuilds its queue when an arrival is earlier than the last`() {
    var gate = gate(runs: [1, 0, 0, 0])
    let inOrder = [t(5), t(5), t(4), t(6)].map { gate.noteArrival(at: $0) }
    #expect(inOrder == [true, true, false, true])
    gate.enqueue(0, rank: t(5))
    gate.enqueue(1, rank: t(4))
    gate.requeue(0..<4) { $0 == 0 ? t(3) : nil }
    let turns = search(&gate, [0: t(3), 1: t(4)])
    #expect(turns == ["0 reserves"], "the other does not wait any more")
    gate.requeue(0..<4) { _ in nil }
    #expect(gate.isIdle)
  }
}
