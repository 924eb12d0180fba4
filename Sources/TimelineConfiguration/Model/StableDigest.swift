/// FNV-1a of 64 bits (Fowler, Noll, Vo; RFC 9923). Unlike Swift's `Hasher`, the digest is the same in all processes,
/// machines and versions. It distinguishes revisions of one operator's file, and does not protect against attackers.
package struct StableDigest {
  package private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

  /// Makes the digest of an empty input.
  package init() {}

  /// Adds the bytes of `text` and an end mark that does not occur in UTF-8, so that two fields never have the digest
  /// of one field.
  package mutating func combine(_ text: String) {
    for byte in text.utf8 { combine(byte) }
    combine(0xFF)
  }

  private mutating func combine(_ byte: UInt8) {
    value ^= UInt64(byte)
    value &*= 0x0000_0100_0000_01B3
  }
}
