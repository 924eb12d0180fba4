/// Takes out of bytes what was there before, as a file of many jobs says nearly the same over and over (the idea of LZ77:
/// Ziv, Lempel, 1977).
///
/// The packed form is stretches of: a count and as many bytes as they are; then, but for the last, how many bytes to take
/// again and from how far back. Numbers have seven bits a byte, the lowest first. It stays in one process.
enum Repetitions {
  /// The shortest stretch that is worth two numbers.
  private static let lengthMin = 4

  /// The bytes in a form that is seldom longer and mostly a fraction; at most `Int32.max` of them.
  static func pack(_ bytes: [UInt8]) -> [UInt8] {
    var packed: [UInt8] = []
    packed.reserveCapacity(bytes.count / 4)
    // Where each four bytes, by their hash, stood last.
    var last = [Int32](repeating: -1, count: 1 << 15)
    var (index, literals) = (0, 0)
    while index + lengthMin <= bytes.count {
      let word =
        UInt32(bytes[index]) | UInt32(bytes[index + 1]) << 8 | UInt32(bytes[index + 2]) << 16
        | UInt32(bytes[index + 3]) << 24
      let slot = Int((word &* 2_654_435_761) >> 17)  // Knuth's multiplier.
      let candidate = Int(last[slot])
      last[slot] = Int32(index)
      var length = 0
      if candidate >= 0 {
        while index + length < bytes.count, bytes[candidate + length] == bytes[index + length] { length += 1 }
      }
      guard length >= lengthMin else {
        index += 1
        continue
      }
      append(index - literals, to: &packed)
      packed += bytes[literals..<index]
      append(length, to: &packed)
      append(index - candidate, to: &packed)
      index += length
      literals = index
    }
    append(bytes.count - literals, to: &packed)
    packed += bytes[literals...]
    return packed
  }

  /// The bytes that ``pack(_:)`` was given, `count` of them.
  static func unpack(_ packed: [UInt8], count: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count)
    var index = 0
    while true {
      let literalCount = number(in: packed, at: &index)
      bytes += packed[index..<index + literalCount]
      index += literalCount
      guard index < packed.count else { return bytes }
      let length = number(in: packed, at: &index)
      let first = bytes.count - number(in: packed, at: &index)
      // What is taken again may reach into itself.
      for position in first..<first + length { bytes.append(bytes[position]) }
    }
  }

  private static func append(_ number: Int, to packed: inout [UInt8]) {
    var rest = number
    while rest >= 0x80 {
      packed.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    packed.append(UInt8(rest))
  }

  private static func number(in packed: [UInt8], at index: inout Int) -> Int {
    var (number, shift) = (0, 0)
    while packed[index] >= 0x80 {
      number |= Int(packed[index] & 0x7F) << shift
      shift += 7
      index += 1
    }
    number |= Int(packed[index]) << shift
    index += 1
    return number
  }
}
