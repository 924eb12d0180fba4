/// One file's bytes and the name under which diagnostics speak of it. Who read them is the caller's business.
///
/// The main file comes first, then the files of `jobs.d` in the order of their names.
package struct ConfigurationSource: Sendable, Hashable {
  /// The path as diagnostics print it.
  package var path: String
  private var stored: [UInt8]
  /// The number of bytes, if they are stored packed.
  private var unpackedCount: Int?

  /// Makes a source.
  package init(path: String, bytes: [UInt8]) {
    self.path = path
    stored = bytes
  }

  /// The file's contents; at most ``Limits/fileByteCountMax``, UTF-8.
  package var bytes: [UInt8] {
    get { unpackedCount.map { Repetitions.unpack(stored, count: $0) } ?? stored }
    set { (stored, unpackedCount) = (newValue, nil) }
  }

  /// Whether the file of that name has the very same contents.
  func hasBytes(of other: ConfigurationSource) -> Bool {
    guard byteCount == other.byteCount else { return false }
    return bytes == other.bytes
  }

  /// The number of bytes of the file.
  var byteCount: Int { unpackedCount ?? stored.count }

  /// Keeps a long file in less memory from now on; ``bytes`` takes as long as making a copy.
  mutating func pack() {
    guard unpackedCount == nil, stored.count >= Limits.packedByteCountMin else { return }
    let count = stored.count
    let packed = Repetitions.pack(stored)
    guard packed.count < count / 2 else { return }
    unpackedCount = count
    // As much room as it takes: what was guessed for packing is more.
    stored = []
    stored.reserveCapacity(packed.count)
    stored += packed
  }
}
