import TimelineCore
import TimelineEngine

/// The starts that a daemon was about to make, as bytes for the next daemon of the same boot.
///
/// One block is one write. A block says how long it is, which generation it belongs to and what its bytes add up to; blocks of
/// one generation stand one behind the other from the beginning of the file. A block that was not written whole, that another
/// boot has left or that a former generation has left behind a shorter one is not taken for one.
enum StartNote {
  /// A block's head: length of what follows it, generation and digest, eight bytes each.
  static let headByteCount = 24
  /// What stands in the place of a head where no block follows.
  static let end = [UInt8](repeating: 0, count: 8)

  /// A block of `attempts`.
  static func block(_ attempts: some Sequence<Attempt>, generation: UInt64, boot: String) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: headByteCount)
    for attempt in attempts { append(attempt, to: &bytes) }
    replace(&bytes, 0, UInt64(bytes.count - headByteCount))
    replace(&bytes, 8, generation)
    replace(&bytes, 16, digest(bytes[headByteCount...], generation, boot))
    return bytes
  }

  /// The starts in `bytes` that were noted in this boot, in their order, and the generation of their blocks.
  static func read(_ bytes: [UInt8], boot: String) -> (attempts: [Attempt], generation: UInt64?) {
    var attempts: [Attempt] = []
    var generation: UInt64?
    var rest = bytes[...]
    while let length = number(rest, 0).flatMap({ Int(exactly: $0) }), length > 0,
      length <= rest.count - headByteCount, let own = number(rest, 8), generation ?? own == own
    {
      let body = rest.dropFirst(headByteCount).prefix(length)
      guard number(rest, 16) == digest(body, own, boot), let found = parse(body) else { break }
      generation = own
      attempts += found
      rest = rest.dropFirst(headByteCount + length)
    }
    return (attempts, generation)
  }

  private static func append(_ attempt: Attempt, to bytes: inout [UInt8]) {
    append(attempt.entry.nominal.nanosecondsSinceEpoch, to: &bytes)
    append(attempt.startedAt.nanosecondsSinceEpoch, to: &bytes)
    append(Int64(bitPattern: attempt.run.number), to: &bytes)
    append(Int64(attempt.entryCount), to: &bytes)
    append(Int64(attempt.number), to: &bytes)
    for text in [attempt.cause.rawValue, attempt.entry.job.text] {
      bytes.append(UInt8(clamping: text.utf8.count))
      bytes.append(contentsOf: text.utf8.prefix(Int(UInt8.max)))
    }
  }

  private static func parse(_ body: ArraySlice<UInt8>) -> [Attempt]? {
    var attempts: [Attempt] = []
    var rest = body
    while !rest.isEmpty {
      var numbers: [Int64] = []
      for index in 0..<5 {
        guard let number = number(rest, index * 8) else { return nil }
        numbers.append(Int64(bitPattern: number))
      }
      rest = rest.dropFirst(40)
      guard let cause = text(&rest).flatMap(RunCause.init(rawValue:)),
        let job = text(&rest).flatMap(JobName.init)
      else { return nil }
      attempts.append(
        Attempt(
          run: RunID(number: UInt64(bitPattern: numbers[2])),
          entry: EntryKey(job: job, nominal: WallInstant(nanosecondsSinceEpoch: numbers[0])), cause: cause,
          number: Int(numbers[4]), startedAt: WallInstant(nanosecondsSinceEpoch: numbers[1]),
          entryCount: Int(numbers[3])))
    }
    return attempts
  }

  private static func text(_ rest: inout ArraySlice<UInt8>) -> String? {
    guard let length = rest.first, rest.count > length else { return nil }
    let text = String(decoding: rest.dropFirst().prefix(Int(length)), as: UTF8.self)
    rest = rest.dropFirst(1 + Int(length))
    return text
  }

  private static func digest(_ body: ArraySlice<UInt8>, _ generation: UInt64, _ boot: String) -> UInt64 {
    var state: UInt64 = 0xCBF2_9CE4_8422_2325 ^ generation
    for byte in boot.utf8 { state = (state ^ UInt64(byte)) &* 0x100_0000_01B3 }
    for byte in body { state = (state ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return state
  }

  private static func append(_ number: Int64, to bytes: inout [UInt8]) {
    for shift in stride(from: 0, to: 64, by: 8) {
      bytes.append(UInt8(truncatingIfNeeded: number >> Int64(shift)))
    }
  }

  private static func replace(_ bytes: inout [UInt8], _ place: Int, _ number: UInt64) {
    for index in 0..<8 { bytes[place + index] = UInt8(truncatingIfNeeded: number >> UInt64(8 * index)) }
  }

  private static func number(_ bytes: ArraySlice<UInt8>, _ place: Int) -> UInt64? {
    guard bytes.count >= place + 8 else { return nil }
    let first = bytes.startIndex + place
    return (0..<8).reduce(0) { $0 | UInt64(bytes[first + $1]) << UInt64(8 * $1) }
  }
}
