import TimelineCore
import TimelineEngine
import TimelineSystem

/// The file beside the ledger in which starts are noted before a plugin is called, until the ledger has them.
///
/// A note is one short write into memory that the kernel keeps when this process dies, and costs a tenth of the ledger's
/// transaction. It does not outlive a loss of power, for which the ledger has the intents that are on the disk long before.
/// So notes count in the boot that made them and in no other.
final class StartNotes {
  /// What the file may hold: the starts of some 200,000 entries of one instant.
  private static let byteCountMax = 16 << 20
  /// What has room from the beginning.
  private static let byteCountMin = 64 << 10

  private let file: NoteFile
  private let boot: String
  private var generation: UInt64
  /// Where the next block goes; 0 when the ledger has all that was noted.
  private var length = 0
  /// What an earlier daemon of this boot noted, and its ledger may not have; nothing is noted until it is cleared away.
  private(set) var left: [Attempt]

  /// Opens the notes at `path`; `boot` is what the machine calls its present boot.
  init(path: String, boot: String) throws(SystemError) {
    file = try NoteFile(path: path, byteCount: Self.byteCountMin)
    self.boot = boot
    let found = StartNote.read(try file.contents(limit: Self.byteCountMax), boot: boot)
    left = found.attempts
    // Of a file that another boot has left nothing is known; a clock never gives what it may hold.
    generation = (found.generation ?? UInt64(bitPattern: SystemTime.now().nanosecondsSinceEpoch)) &+ 1
  }

  /// Notes starts; `false` when they are not noted, so that the ledger has to have them first.
  func note(_ attempts: ArraySlice<Attempt>) -> Bool {
    let block = StartNote.block(attempts, generation: generation, boot: boot)
    guard left.isEmpty, length + block.count <= Self.byteCountMax else { return false }
    do {
      try file.write(block, at: length)
    } catch {
      return false
    }
    length += block.count
    return true
  }

  /// Takes the file away, if the ledger has all.
  func remove() {
    if length == 0, left.isEmpty { try? file.remove() }
  }

  /// Forgets all: the ledger has it.
  func clear() {
    guard length > 0 || !left.isEmpty else { return }
    // What stays when this cannot be written says of starts that they were made, which the ledger then hears twice.
    try? file.write(StartNote.end, at: 0)
    generation &+= 1
    length = 0
    left = []
  }
}
