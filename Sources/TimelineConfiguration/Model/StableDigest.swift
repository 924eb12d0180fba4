/// FNV-1a of 64 bits (Fowler, Noll, Vo; RFC 9923): stable over processes, machines and versions, which Swift's
/// `Hasher` is not. It tells revisions of one operator's file apart; it keeps nobody out.
package struct StableDigest {
  /// The digest so far.
  package private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

  /// Makes the digest of nothing.
  package init() {}

  /// Feeds the bytes of `text` and an end mark that no UTF-8 holds, so that two fields never run together.
  package mutating func combine(_ text: String) {
    for byte in text.utf8 { combine(byte) }
    combine(0xFF)
  }

  private mutating func combine(_ byte: UInt8) {
    value ^= UInt64(byte)
    value &*= 0x0000_0100_0000_01B3
  }
}
