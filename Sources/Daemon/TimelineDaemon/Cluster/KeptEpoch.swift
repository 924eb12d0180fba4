import TimelineCluster
import TimelineCore
import TimelineHostPool
import TimelineStoreWire
import TimelineSystem
import TimelineSystemd

/// Epoch of this node in its cluster, with its claims whose tokens were reassigned, in a file in memory that systemd's descriptor
/// store keeps for the next daemon of the service.
///
/// The file proves that the daemon with this epoch has ended, because systemd starts the next daemon only after that end. A
/// file on a disk cannot prove this, because a daemon may be started on a copy of the state directory while the original one
/// still runs.
///
/// The first line is the epoch. Each further line is a claim: the token in the store, the token in use, the nominal instant
/// and the job.
final class KeptEpoch {
  /// State of the last daemon of this service; without an epoch if there was no daemon, or its epoch was not kept.
  private(set) var former: FormerLife
  private let keeper: HostDescriptorStore
  private var file: MemoryFile?
  /// Identity of the store in the last state.
  private var store: String?
  /// Called with the number of claims when they no longer fit into a file in memory.
  private let tellTooMany: (Int) -> Void
  private var hasToldTooMany = false

  /// Reads the state from the descriptors that systemd has passed.
  ///
  /// - Parameter store: Identity of the store that the last daemon has recorded.
  init(
    _ passed: [PassedDescriptor], keeper: HostDescriptorStore, store: String? = nil,
    tellTooMany: @escaping (Int) -> Void = { _ in }
  ) {
    (self.keeper, self.store, self.tellTooMany) = (keeper, store, tellTooMany)
    let files = passed.filter { $0.name == Self.name }.map {
      MemoryFile(adopting: FileDescriptor(owning: $0.number))
    }
    file = files.first { Self.life(in: $0) != nil }
    former = file.flatMap(Self.life) ?? FormerLife()
    former.store = store
  }

  /// Replaces the state. Returns the identity of the store if it is another one than before, for the ledger. If the state cannot
  /// be kept, the next daemon waits until the lease of this daemon has ended.
  @discardableResult
  func replace(_ life: FormerLife) -> String? {
    defer { store = life.store ?? store }
    write(life)
    return life.store == store ? nil : life.store
  }

  private func write(_ life: FormerLife) {
    let lines = life.reassigned.map { "\n\($0.granted) \($0.token) \($0.key.nanoseconds) \($0.key.job)" }
    let bytes = Array(((life.epoch ?? "") + lines.joined()).utf8)
    let isTooLarge = bytes.count > MemoryFile.contentsMax
    if isTooLarge, !hasToldTooMany { tellTooMany(life.reassigned.count) }
    hasToldTooMany = isTooLarge
    if let file {
      if (try? file.replace(bytes)) == nil { try? file.replace([]) }
      return
    }
    guard let made = try? MemoryFile(name: "timelined: epoch"), (try? made.replace(bytes)) != nil,
      keeper.keep([made.rawValue], Self.name)
    else { return }
    file = made
  }

  var descriptorCount: Int { file == nil ? 0 : 1 }

  /// Name in the descriptor store.
  private static let name = "cluster-epoch"
  /// Hexadecimal digits of an epoch.
  private static let digitCount = 32

  private static func life(in file: MemoryFile) -> FormerLife? {
    guard let bytes = try? file.contents() else { return nil }
    let lines = String(decoding: bytes, as: UTF8.self).split(
      separator: "\n", omittingEmptySubsequences: false)
    guard let epoch = lines.first, epoch.utf8.count == digitCount, epoch.allSatisfy(\.isHexDigit) else {
      return nil
    }
    var life = FormerLife(epoch: String(epoch))
    life.reassigned = lines.dropFirst().compactMap(claim)
    // If an invalid claim were skipped, a token could be used twice.
    return life.reassigned.count == lines.count - 1 ? life : nil
  }

  private static func claim(_ line: Substring) -> ReassignedClaim? {
    let words = line.split(separator: " ", maxSplits: 3)
    guard words.count == 4, let granted = Int64(words[0]), let token = Int64(words[1]),
      let nominal = Int64(words[2]), let job = JobName(String(words[3]))
    else { return nil }
    return ReassignedClaim(EntryKey(job: job, nanoseconds: nominal), granted: granted, token: token)
  }
}
