/// FNV-1a of 64 bits (Fowler, Noll, Vo; RFC 9923). Unlike Swift's `Hasher`, it is stable over processes, machines and
/// versions. It distinguishes revisions of one operator's file, and is no protection against attackers.
package struct StableDigest {
  /// The digest so far.
  package private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

  /// Makes the digest of an empty input.
  package init() {}

  /// Feeds the bytes of `text` and an end mark that does not occur in UTF-8, so that two fields are never confused with
  /// one.
  package mutating func combine(_ text: String) {
    for byte in text.utf8 { combine(byte) }
    combine(0xFF)
  }

  private mutating func combine(_ byte: UInt8) {
    value ^= UInt64(byte)
    value &*= 0x0000_0100_0000_01B3
  }
}
