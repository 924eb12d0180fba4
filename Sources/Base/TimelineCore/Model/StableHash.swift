/// A hash that is the same in every process, on every machine and in every version: FNV-1a of 64 bits (Fowler, Noll, Vo; RFC
/// 9923).
///
/// Decisions by it can be rehearsed, and it distinguishes revisions of one operator's file. It does not protect against attackers.
package struct StableHash: Sendable {
  /// FNV-1a of all input.
  package private(set) var digest: UInt64 = 0xCBF2_9CE4_8422_2325

  /// Makes the hash of an empty input.
  package init() {}

  /// Adds the bytes of `text`.
  package mutating func combine(bytesOf text: String) {
    for byte in text.utf8 { combine(byte) }
  }

  /// Adds the bytes of `text` and their number.
  package mutating func combine(_ text: String) {
    combine(bytesOf: text)
    combine(UInt64(text.utf8.count))
  }

  /// Adds the bytes of `text` and an end mark that does not occur in UTF-8, so that two fields never have the digest of one
  /// field.
  package mutating func combine(field text: String) {
    combine(bytesOf: text)
    combine(0xFF as UInt8)
  }

  /// Adds a number.
  package mutating func combine(_ number: UInt64) {
    for shift in stride(from: UInt64(0), to: 64, by: 8) {
      combine(UInt8(truncatingIfNeeded: number >> shift))
    }
  }

  private mutating func combine(_ byte: UInt8) {
    digest = (digest ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
  }

  /// The spread hash: every bit depends on all input.
  package var value: UInt64 { Self.spread(digest) }

  /// Returns a number whose bits each depend on all bits of `number`: the finish of SplitMix64.
  package static func spread(_ number: UInt64) -> UInt64 {
    var mixed = (number ^ (number >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
