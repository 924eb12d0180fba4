import TimelineHostPool
import TimelineSystem
import TimelineSystemd

/// Epoch of this node in its cluster, in a file in memory that systemd's descriptor store keeps for the next daemon of the
/// service.
///
/// The file proves that the daemon with this epoch has ended, because systemd starts the next daemon only after that end. A
/// file on a disk cannot prove this, because a daemon may be started on a copy of the state directory while the original one
/// still runs.
final class KeptEpoch {
  /// Epoch of the last daemon of this service; `nil` if there was none, or it was not kept.
  private(set) var former: String?
  private let keeper: HostDescriptorStore
  private var file: MemoryFile?

  /// Reads the epoch from the descriptors that systemd has passed.
  init(_ passed: [PassedDescriptor], keeper: HostDescriptorStore) {
    self.keeper = keeper
    let files = passed.filter { $0.name == Self.name }.map {
      MemoryFile(adopting: FileDescriptor(owning: $0.number))
    }
    file = files.first { Self.epoch(in: $0) != nil }
    former = file.flatMap(Self.epoch)
  }

  /// Replaces the epoch. If the epoch cannot be kept, the next daemon waits until the lease of this daemon has ended.
  func replace(_ epoch: String) {
    let bytes = Array(epoch.utf8)
    if let file { return (try? file.replace(bytes)) ?? () }
    guard let made = try? MemoryFile(name: "timelined: epoch"), (try? made.replace(bytes)) != nil,
      keeper.keep([made.rawValue], Self.name)
    else { return }
    file = made
  }

  /// Number of descriptors that are kept.
  var descriptorCount: Int { file == nil ? 0 : 1 }

  /// Name in the descriptor store.
  private static let name = "cluster-epoch"
  /// Hexadecimal digits of an epoch.
  private static let digitCount = 32

  private static func epoch(in file: MemoryFile) -> String? {
    guard let bytes = try? file.contents(), bytes.count == digitCount else { return nil }
    let text = String(decoding: bytes, as: UTF8.self)
    return text.allSatisfy(\.isHexDigit) ? text : nil
  }
}
