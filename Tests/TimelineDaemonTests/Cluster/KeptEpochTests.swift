import Glibc
import Testing
import TimelineCluster
import TimelineCore
import TimelineHostPool
import TimelineStoreWire
import TimelineSystem

@testable import TimelineDaemon
@testable import TimelineSystemd

/// The epoch of a node, from one daemon of a service to the next.
@Suite final class KeptEpochTests {
  private static let epochs = ["0123456789abcdef0123456789abcdef", "0123456789abcdef01234567000000ff"]
  /// Copies of what is kept, as systemd has them.
  private var kept: [PassedDescriptor] = []
  private var messages = 0

  private func keeper(hasRoom: Bool = true) -> HostDescriptorStore {
    HostDescriptorStore(
      keep: { [unowned self] numbers, name in
        messages += 1
        guard hasRoom, let copies = try? DescriptorCopies(of: numbers) else { return false }
        // The next daemon owns what it is passed.
        kept += copies.numbers.map { PassedDescriptor(name: name, number: dup($0)) }
        return true
      }, forget: { _ in })
  }

  @Test func `the next daemon gets the last epoch, and one descriptor is used for all epochs`() throws {
    let first = KeptEpoch([], keeper: keeper())
    #expect(first.former.epoch == nil && first.descriptorCount == 0)
    first.replace(FormerLife(epoch: Self.epochs[0]))
    first.replace(FormerLife(epoch: Self.epochs[1]))
    #expect(first.descriptorCount == 1 && messages == 1)
    let copies = kept
    let second = KeptEpoch(copies, keeper: keeper())
    #expect(second.former == FormerLife(epoch: Self.epochs[1]))
    second.replace(FormerLife(epoch: Self.epochs[0]))
    #expect(second.descriptorCount == 1 && messages == 1, "systemd has it already")
  }

  @Test func `claims with reassigned tokens are kept, or no epoch is`() throws {
    let job = try #require(JobName("a-job"))
    var life = FormerLife(epoch: Self.epochs[0])
    let nominals = 0..<3_000 as Range<Int64>
    life.reassigned = nominals.map {
      ReassignedClaim(EntryKey(job: job, nanoseconds: $0 - 1), granted: $0, token: -$0)
    }
    let few = life.reassigned.prefix(3)
    let kept = try afterKeeping { $0.reassigned = Array(few) }
    #expect(kept.epoch == Self.epochs[0] && kept.reassigned == Array(few))
    #expect(try afterKeeping { $0.reassigned = [] } == FormerLife(epoch: Self.epochs[0]))
    #expect(
      try afterKeeping {
        $0.reassigned = life.reassigned.map { ReassignedClaim($0.key, granted: .max, token: .min) }
      }
        == FormerLife(), "more than a file in memory has room for")
  }

  @Test func `claims that do not fit are reported once, until they fit again`() throws {
    var counts: [Int] = []
    let job = try #require(JobName("a-job"))
    let epoch = KeptEpoch([], keeper: keeper()) { counts.append($0) }
    var life = FormerLife(epoch: Self.epochs[0])
    let many = (0..<4_000 as Range<Int64>).map {
      ReassignedClaim(EntryKey(job: job, nanoseconds: $0), granted: .max, token: .min)
    }
    for claims in [[], many, many, [], many] {
      life.reassigned = claims
      epoch.replace(life)
    }
    #expect(counts == [4_000, 4_000])
  }

  @Test func `the identity of the store is returned only if it is another one`() {
    let epoch = KeptEpoch([], keeper: keeper(), store: "s")
    #expect(epoch.former == FormerLife(store: "s"))
    let stores = ["s", nil, "s", "t", "t", "s"]
    #expect(
      stores.map { epoch.replace(FormerLife(epoch: Self.epochs[0], store: $0)) }
        == [nil, nil, nil, "t", nil, "s"])
  }

  /// Returns what the next daemon gets when this one has kept an epoch, and then the epoch with a change.
  private func afterKeeping(_ change: (inout FormerLife) -> Void) throws -> FormerLife {
    var life = FormerLife(epoch: Self.epochs[0])
    let first = KeptEpoch([], keeper: keeper())
    first.replace(life)
    change(&life)
    first.replace(life)
    return KeptEpoch(try [#require(kept.last)], keeper: keeper()).former
  }

  @Test func `without a place in the descriptor store nothing is kept`() {
    let epoch = KeptEpoch([], keeper: keeper(hasRoom: false))
    epoch.replace(FormerLife(epoch: Self.epochs[0]))
    #expect(epoch.descriptorCount == 0)
  }

  @Test(arguments: ["", "0123", "0123456789abcdef0123456789abcdeg", epochs[0] + "\n7 8 9", epochs[0] + "\n"])
  func `a text that is no epoch is ignored`(_ text: String) throws {
    let file = try MemoryFile(name: "test")
    try file.replace(Array(text.utf8))
    let passed = PassedDescriptor(name: "cluster-epoch", number: dup(file.rawValue))
    #expect(KeptEpoch([passed], keeper: keeper()).former == FormerLife())
  }
}
