import TimelineCore
import TimelineEngine

/// Writes entries of a dry run into bytes.
///
/// A row consists of prepared texts for its job and its outcome, and of its instants, which change little from row to row.
/// Each piece may write meaningless bytes after its end. The next piece overwrites these bytes.
struct EntryWriter: Sendable {
  /// Text by job: before the entry's instant in JSON, after the instant in the table.
  private var heads = PreparedTexts()
  /// Text at the end of a row, in the order of ``outcomes``.
  private var tails = PreparedTexts()
  /// Text between instants. In JSON: the keys of start and end. In the table: the placeholder for no instant, and the gap
  /// between columns.
  private var joints = PreparedTexts()
  private let outcomes = Outcome.allCases
  private let width: Int
  /// Zones of the instants, by job; empty for UTC in the form of RFC 3339.
  private let zones: [Zone]

  // One writer for entry and start: most runs start at their nominal time, often the nominal time of the previous row.
  private var start = InstantWriter()
  private var end = InstantWriter()

  /// Maximum number of bytes of a row, with the bytes that its last text may write after it. Names have at most 64 bytes,
  /// instants 30.
  static let room = 512

  /// Makes a writer of JSON objects, one per line.
  init(writingObjectsAbout jobs: [JobName]) {
    // Names and outcomes consist of letters, digits, `-`, `_` and `.`: nothing in them needs escaping.
    for job in jobs { heads.append("{\"job\":\"\(job.text)\",\"entry\":\"") }
    joints.append("\",\"start\":\"")
    joints.append("\",\"end\":\"")
    for outcome in outcomes { tails.append("\",\"outcome\":\"\(outcome.rawValue)\"}\n") }
    width = 0
    zones = []
  }

  /// Makes a writer of the lines of a table.
  init(writingLinesOf table: DryRunTable, about jobs: [JobName]) {
    for job in jobs { heads.append("  \(table.column(job))  ") }
    joints.append("-")
    joints.append("  ")
    for outcome in outcomes { tails.append("  \(outcome.rawValue)\n") }
    width = table.instantWidth
    zones = table.zones
  }

  /// Writes an object into `block` at `offset`. At least ``room`` bytes must be free there. Returns the end of the object's
  /// line.
  mutating func object(_ row: DryRunEntry, into block: inout [UInt8], at offset: Int) -> Int {
    var bytes = block.mutableSpan
    // Safe: any bit pattern is a valid byte.
    var span = unsafe bytes.mutableBytes
    var place = heads.put(row.job, into: &span, at: offset)
    place = start.put(row.entry, into: &span, at: place)
    if let began = row.start, let ended = row.end {
      place = joints.put(0, into: &span, at: place)
      place = start.put(began, into: &span, at: place)
      place = joints.put(1, into: &span, at: place)
      place = end.put(ended, into: &span, at: place)
    }
    return tails.put(number(of: row.outcome), into: &span, at: place)
  }

  /// Writes a line of the table into `block` at `offset`. At least ``room`` bytes must be free there. Returns the end of the
  /// line.
  mutating func line(_ row: DryRunEntry, into block: inout [UInt8], at offset: Int) -> Int {
    var bytes = block.mutableSpan
    // Safe as above.
    var span = unsafe bytes.mutableBytes
    var column = offset
    let zone = zones.isEmpty ? nil : zones[row.job]
    var place = start.put(row.entry, in: zone, into: &span, at: column)
    pad(&span, &place, to: column + width)
    column = heads.put(row.job, into: &span, at: place)
    // Times in a job's zone are for people, without fractions; the entry stays exact, because it is an argument of `why`.
    if let began = row.start {
      place = start.put(began, in: zone, into: &span, at: column)
    } else {
      place = joints.put(0, into: &span, at: column)
    }
    pad(&span, &place, to: column + width)
    column = joints.put(1, into: &span, at: place)
    if let ended = row.end {
      place = end.put(ended, in: zone, into: &span, at: column)
    } else {
      place = joints.put(0, into: &span, at: column)
    }
    pad(&span, &place, to: column + width)
    return tails.put(number(of: row.outcome), into: &span, at: place)
  }

  private func number(of outcome: Outcome) -> Int {
    var number = 0
    while outcomes[number] != outcome { number += 1 }
    return number
  }

  /// Pads with blanks. A column has at most 38 characters.
  private func pad(_ span: inout MutableRawSpan, _ place: inout Int, to end: Int) {
    guard place < end else { return }
    let blanks = InlineArray<40, UInt8>(repeating: UInt8(ascii: " "))
    span.storeBytes(of: blanks, toByteOffset: place, as: InlineArray<40, UInt8>.self)
    place = end
  }
}

/// Texts that are copied often. Each text is stored in blocks of 16 bytes, so that a copy is a few moves without a call.
private struct PreparedTexts: Sendable {
  private var pieces: [InlineArray<16, UInt8>] = []
  private var places: [(piece: Int, length: Int)] = []

  /// Adds a text. Texts are numbered from 0.
  mutating func append(_ text: String) {
    places.append((pieces.count, text.utf8.count))
    var piece = InlineArray<16, UInt8>(repeating: 0)
    var count = 0
    for byte in text.utf8 {
      piece[count] = byte
      count += 1
      if count == 16 {
        pieces.append(piece)
        count = 0
      }
    }
    if count > 0 { pieces.append(piece) }
  }

  /// Writes text `number` into `span` at `offset`. Returns the end of the text. May write up to 15 bytes after the end.
  func put(_ number: Int, into span: inout MutableRawSpan, at offset: Int) -> Int {
    let (first, length) = places[number]
    var piece = first
    for place in stride(from: 0, to: length, by: 16) {
      span.storeBytes(of: pieces[piece], toByteOffset: offset + place, as: InlineArray<16, UInt8>.self)
      piece += 1
    }
    return offset + length
  }
}
