import TimelineCore

/// Writes entries of a dry run into bytes.
///
/// A row is copied together from texts that were prepared, those of its job and of its disposition, and from instants,
/// each column of which changes little from row to row. Every piece may write behind its end what has no meaning.
struct EntryPen: Sendable {
  /// What stands before the entry, or in the table behind it; by job.
  private var heads = PreparedTexts()
  /// What comes last, in the order of ``dispositions``.
  private var tails = PreparedTexts()
  /// What stands between.
  private var joints = PreparedTexts()
  private let dispositions = Disposition.allCases
  private let width: Int
  /// The zones in which the instants of jobs are written, by job; none for UTC in the form of RFC 3339.
  private let zones: [Zone]

  // A column of its own has each: most begin and end when the entry before did.
  private var entry = InstantWriter()
  private var start = InstantWriter()
  private var end = InstantWriter()

  /// More than a row and what its last text may write behind it: names have at most 64 bytes, instants 30.
  static let room = 512

  /// Prepares to write objects of JSON, a line each.
  init(writingObjectsAbout jobs: [JobName]) {
    // Names and dispositions are of letters, digits, `-`, `_` and `.`: nothing in them needs escaping.
    for job in jobs { heads.append("{\"job\":\"\(job.text)\",\"entry\":\"") }
    joints.append("\",\"start\":\"")
    joints.append("\",\"end\":\"")
    for disposition in dispositions { tails.append("\",\"disposition\":\"\(disposition.rawValue)\"}\n") }
    width = 0
    zones = []
  }

  /// Prepares to write lines of a table.
  init(writingLinesOf table: DryRunTable, about jobs: [JobName]) {
    for job in jobs { heads.append("  \(table.column(job))  ") }
    joints.append("-")
    joints.append("  ")
    for disposition in dispositions { tails.append("  \(disposition.rawValue)\n") }
    width = table.instantWidth
    zones = table.zones
  }

  /// Writes an object into `block` at `offset`, where there is ``room``, and returns where its line ends.
  mutating func object(_ row: DryRunEntry, into block: inout [UInt8], at offset: Int) -> Int {
    var bytes = block.mutableSpan
    // Safe: of bytes nothing can be written that is not one.
    var span = unsafe bytes.mutableBytes
    var place = heads.put(row.job, into: &span, at: offset)
    place = entry.put(row.entry, into: &span, at: place)
    if let began = row.start, let ended = row.end {
      place = joints.put(0, into: &span, at: place)
      place = start.put(began, into: &span, at: place)
      place = joints.put(1, into: &span, at: place)
      place = end.put(ended, into: &span, at: place)
    }
    return tails.put(number(of: row.disposition), into: &span, at: place)
  }

  /// Writes a line of the table into `block` at `offset`, where there is ``room``, and returns where it ends.
  mutating func line(_ row: DryRunEntry, into block: inout [UInt8], at offset: Int) -> Int {
    var bytes = block.mutableSpan
    // Safe as above.
    var span = unsafe bytes.mutableBytes
    var column = offset
    let zone = zones.isEmpty ? nil : zones[row.job]
    var place = Self.put(row.entry, in: zone, with: &entry, into: &span, at: column)
    pad(&span, &place, to: column + width)
    column = heads.put(row.job, into: &span, at: place)
    if let began = row.start {
      place = Self.put(began, in: zone, with: &start, into: &span, at: column)
    } else {
      place = joints.put(0, into: &span, at: column)
    }
    pad(&span, &place, to: column + width)
    column = joints.put(1, into: &span, at: place)
    if let ended = row.end {
      place = Self.put(ended, in: zone, with: &end, into: &span, at: column)
    } else {
      place = joints.put(0, into: &span, at: column)
    }
    pad(&span, &place, to: column + width)
    return tails.put(number(of: row.disposition), into: &span, at: place)
  }

  private func number(of disposition: Disposition) -> Int {
    var number = 0
    while dispositions[number] != disposition { number += 1 }
    return number
  }

  /// Writes an instant as clocks in `zone` show it, such as `2026-03-29 03:30:00 CEST`, or in UTC without one; returns where it ends.
  @inline(__always)
  private static func put(
    _ instant: WallInstant, in zone: Zone?, with writer: inout InstantWriter, into span: inout MutableRawSpan,
    at offset: Int
  ) -> Int {
    guard let zone else { return writer.put(instant, into: &span, at: offset) }
    let shift = Int64(zone.offset(at: instant)) * 1_000_000_000
    let shown = WallInstant(
      nanosecondsSinceEpoch: instant.nanosecondsSinceEpoch.addingSaturating(shift))
    var place = writer.put(shown, into: &span, at: offset)
    // In the place of the `T` between date and time, and of the `Z` at the end.
    span.storeBytes(of: UInt8(ascii: " "), toByteOffset: offset + 10, as: UInt8.self)
    span.storeBytes(of: UInt8(ascii: " "), toByteOffset: place - 1, as: UInt8.self)
    // A damaged zone file may have a longer one, for which there is no room.
    for byte in zone.abbreviation(at: instant).utf8.prefix(8) {
      span.storeBytes(of: byte, toByteOffset: place, as: UInt8.self)
      place += 1
    }
    return place
  }

  /// Fills up with blanks; a column has at most 38 characters.
  @inline(__always)
  private func pad(_ span: inout MutableRawSpan, _ place: inout Int, to end: Int) {
    guard place < end else { return }
    let blanks = InlineArray<40, UInt8>(repeating: UInt8(ascii: " "))
    span.storeBytes(of: blanks, toByteOffset: place, as: InlineArray<40, UInt8>.self)
    place = end
  }
}

/// Texts that are copied often: each lies in whole pieces of 16 bytes, so that a copy is a few moves and no call.
private struct PreparedTexts: Sendable {
  private var pieces: [InlineArray<16, UInt8>] = []
  private var places: [(piece: Int, length: Int)] = []

  /// Adds a text, numbered from 0.
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

  /// Puts text `number` into `span` at `offset` and returns where it ends; up to 15 bytes behind that are written as well.
  @inline(__always)
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
