import TimelineCore
import TimelineEngine

/// Format of the start log: the starts that a daemon was about to make, and the ends of runs, as bytes for the next daemon.
///
/// One block is one write. It begins with its length, its generation and a checksum of its bytes. Blocks of one generation
/// follow each other from the beginning of the file. A block that was written in part, or that remains from a former
/// generation, is ignored. An end has the form of a start whose attempt has the number 0. An attempt with a negative number
/// withdraws the last attempt of its run, because the plugin was not called. A filing has the form of a start of no entries,
/// with the number of the commit in place of the run's number.
enum StartNote {
  /// Filing: a note that the ledger, since a commit, has all starts before the note.
  struct Filing: Equatable {
    var commit: Int64
    /// Boot identifier of the machine at the time of the filing; empty if it is not available.
    var boot = ""
    /// Whether the ledger has the notes before; otherwise only the commit is known.
    var coversNotes = true
  }

  /// The notes found in a file.
  struct Found {
    /// Starts that the ledger may not have and that were not withdrawn, in their order.
    var attempts: [Attempt] = []
    /// Runs whose ends were noted.
    var ended: Set<RunID> = []
    /// The last filing; `nil` if there is none.
    var filing: Filing?
    /// The generation of the blocks; `nil` if there are none.
    var generation: UInt64?
    /// The length of the blocks.
    var byteCount = 0
  }

  /// Length of a block's head: the length of the rest, the generation and the digest, eight bytes each.
  static let headByteCount = 24
  /// Bytes in place of a head behind the last block.
  static let end = [UInt8](repeating: 0, count: 8)

  /// Returns the note that the run of `attempt` has ended.
  static func end(of attempt: Attempt) -> Attempt {
    Attempt(
      run: attempt.run, entry: attempt.entry, cause: attempt.cause, number: 0, startedAt: attempt.startedAt)
  }

  /// Returns a block of `attempts`, behind a filing if there is one.
  static func block(
    _ attempts: some Collection<Attempt>, behind filing: Filing? = nil, generation: UInt64
  ) -> [UInt8] {
    let capacity = headByteCount + (attempts.count + 1) * byteCountMax
    return unsafe [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
      let bytes = UnsafeMutableRawBufferPointer(buffer)
      count = headByteCount
      if let filing { unsafe count += write(filing, to: bytes, at: count) }
      for attempt in attempts { unsafe count += write(attempt, to: bytes, at: count) }
      let body = unsafe UnsafeRawBufferPointer(rebasing: bytes[headByteCount..<count])
      unsafe store(UInt64(body.count), in: bytes, at: 0)
      unsafe store(generation, in: bytes, at: 8)
      unsafe store(digest(body, generation), in: bytes, at: 16)
    }
  }

  /// Reads the notes in `bytes`, without the notes that a ledger with the last commit `commit` has.
  static func read(_ bytes: [UInt8], ledgerHas commit: Int64 = .max) -> Found {
    var notes = Found()
    var rest = bytes[...]
    while let length = number(rest, 0).flatMap({ Int(exactly: $0) }), length > 0,
      length <= rest.count - headByteCount, let own = number(rest, 8), notes.generation ?? own == own
    {
      let body = rest.dropFirst(headByteCount).prefix(length)
      let sum = unsafe body.withUnsafeBytes { unsafe digest($0, own) }
      guard number(rest, 16) == sum, let found = parse(body) else { break }
      notes.generation = own
      notes.byteCount += headByteCount + length
      for note in found {
        switch note {
        case .filing(let filing):
          notes.filing = filing
          if filing.coversNotes, filing.commit <= commit { (notes.attempts, notes.ended) = ([], []) }
        case .attempt(let end) where end.number == 0: notes.ended.insert(end.run)
        case .attempt(let attempt): notes.attempts.append(attempt)
        }
      }
      rest = rest.dropFirst(headByteCount + length)
    }
    notes.attempts = withoutUnstarted(notes.attempts)
    return notes
  }

  /// Returns the attempts that were not withdrawn.
  private static func withoutUnstarted(_ attempts: [Attempt]) -> [Attempt] {
    guard attempts.contains(where: { $0.number < 0 }) else { return attempts }
    var places: [RunID: Int] = [:]
    var kept: [Attempt?] = []
    for attempt in attempts {
      if attempt.number > 0 {
        places[attempt.run] = kept.count
        kept.append(attempt)
      } else if let place = places.removeValue(forKey: attempt.run) {
        kept[place] = nil
      }
    }
    return kept.compactMap { $0 }
  }

  /// The longest text in a note; names of jobs and causes are not longer.
  private static let textMax = JobName.lengthMax
  /// Largest number of bytes of one attempt: five numbers and two texts with their lengths.
  private static let byteCountMax = 5 * 8 + 2 * (1 + textMax)

  /// Writes an attempt at `offset`, where there is room for ``byteCountMax``; returns the number of bytes written.
  private static func write(
    _ attempt: Attempt, to bytes: UnsafeMutableRawBufferPointer, at offset: Int
  ) -> Int {
    unsafe store(UInt64(bitPattern: attempt.entry.nominal.nanosecondsSinceEpoch), in: bytes, at: offset)
    unsafe store(UInt64(bitPattern: attempt.startedAt.nanosecondsSinceEpoch), in: bytes, at: offset + 8)
    unsafe store(attempt.run.number, in: bytes, at: offset + 16)
    unsafe store(UInt64(bitPattern: Int64(attempt.entryCount)), in: bytes, at: offset + 24)
    unsafe store(UInt64(bitPattern: Int64(attempt.number)), in: bytes, at: offset + 32)
    var end = offset + 40
    unsafe end += write(attempt.cause.rawValue, to: bytes, at: end)
    unsafe end += write(attempt.entry.job.text, to: bytes, at: end)
    return end - offset
  }

  private static func write(
    _ filing: Filing, to bytes: UnsafeMutableRawBufferPointer, at offset: Int
  ) -> Int {
    for place in 0..<5 { unsafe store(0, in: bytes, at: offset + 8 * place) }
    unsafe store(UInt64(bitPattern: filing.commit), in: bytes, at: offset + 16)
    unsafe store(filing.coversNotes ? 0 : 1, in: bytes, at: offset + 32)
    var end = offset + 40
    unsafe end += write("", to: bytes, at: end)
    unsafe end += write(filing.boot, to: bytes, at: end)
    return end - offset
  }

  private static func write(_ text: String, to bytes: UnsafeMutableRawBufferPointer, at offset: Int) -> Int {
    var text = text
    return text.withUTF8 { text in
      let count = min(text.count, textMax)
      unsafe bytes[offset] = UInt8(count)
      unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[(offset + 1)...]).copyMemory(
        from: UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(text)[..<count]))
      return 1 + count
    }
  }

  private enum Note {
    case attempt(Attempt)
    case filing(Filing)
  }

  private static func parse(_ body: ArraySlice<UInt8>) -> [Note]? {
    var notes: [Note] = []
    var rest = body
    while !rest.isEmpty {
      var numbers: [Int64] = []
      for index in 0..<5 {
        guard let number = number(rest, index * 8) else { return nil }
        numbers.append(Int64(bitPattern: number))
      }
      rest = rest.dropFirst(40)
      guard let first = text(&rest), let second = text(&rest) else { return nil }
      if numbers[3] == 0 {
        notes.append(.filing(Filing(commit: numbers[2], boot: second, coversNotes: numbers[4] == 0)))
        continue
      }
      guard let cause = RunCause(rawValue: first), let job = JobName(second) else { return nil }
      notes.append(
        .attempt(
          Attempt(
            run: RunID(number: UInt64(bitPattern: numbers[2])),
            entry: EntryKey(job: job, nominal: WallInstant(nanosecondsSinceEpoch: numbers[0])), cause: cause,
            number: Int(numbers[4]), startedAt: WallInstant(nanosecondsSinceEpoch: numbers[1]),
            entryCount: Int(numbers[3]))))
    }
    return notes
  }

  private static func text(_ rest: inout ArraySlice<UInt8>) -> String? {
    guard let length = rest.first, rest.count > length else { return nil }
    let text = String(decoding: rest.dropFirst().prefix(Int(length)), as: UTF8.self)
    rest = rest.dropFirst(1 + Int(length))
    return text
  }

  /// Returns the checksum of the bytes, eight at a time. Each step is invertible, so every single change is detected.
  private static func digest(_ body: UnsafeRawBufferPointer, _ generation: UInt64) -> UInt64 {
    var state: UInt64 = 0xCBF2_9CE4_8422_2325 ^ generation
    func take(_ word: UInt64) {
      state = (state ^ word) &* 0x9E37_79B9_7F4A_7C15
      state ^= state >> 32
    }
    var offset = 0
    while offset + 8 <= body.count {
      take(UInt64(littleEndian: unsafe body.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
      offset += 8
    }
    while offset < body.count {
      take(UInt64(unsafe body[offset]))
      offset += 1
    }
    return state
  }

  private static func store(_ number: UInt64, in bytes: UnsafeMutableRawBufferPointer, at offset: Int) {
    unsafe bytes.storeBytes(of: number.littleEndian, toByteOffset: offset, as: UInt64.self)
  }

  private static func number(_ bytes: ArraySlice<UInt8>, _ place: Int) -> UInt64? {
    guard bytes.count >= place + 8 else { return nil }
    let first = bytes.startIndex + place
    return (0..<8).reduce(0) { $0 | UInt64(bytes[first + $1]) << UInt64(8 * $1) }
  }
}
