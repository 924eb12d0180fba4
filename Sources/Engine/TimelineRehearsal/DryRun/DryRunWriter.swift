package import TimelineCore
import TimelineEngine

/// Writes the rows of a dry run as text, in blocks, so that a million rows are not a million system calls.
///
///     var writer = DryRunWriter(jobs: names, as: .json)
///     dryRun.run { row in
///       writer.write(row)
///       if writer.isFull { writer.flush { bytes in ... } }
///     }
///     writer.flush { bytes in ... }
package struct DryRunWriter: Sendable {
  /// Output format of the rows.
  package enum Form: Sendable, Equatable {
    /// A table for people. The columns fit these names, and fractions of a second if there may be any. Instants are shown in
    /// the zone of their job, with the zone's abbreviation. Without zones, instants are RFC 3339 in UTC.
    case table(fitting: [JobName], hasFractions: Bool, zones: [Zone] = [])
    /// JSON for programs, one object per line; instants are UTC with as many fraction digits as they need.
    ///
    /// An entry: `{"job":"report","entry":"…","start":"…","end":"…","outcome":"succeeded"}`, without `start` and
    /// `end` when it did not run. Consecutive entries with the same outcome are one row at the last entry, followed by
    /// `firstEntry` and by their number as `entries`. A minute of a counted job:
    /// `{"job":"sampler","entry":"…","per":"minute","entries":3750,"outcomes":{"succeeded":3750}}`.
    case json
  }

  private let jobs: [JobName]
  /// `nil` for JSON.
  private let table: DryRunTable?
  private var pen: EntryWriter

  private var block = [UInt8](repeating: 0, count: Self.blockLength)
  private var count = 0

  /// Large enough that the bytes and not the system call determine the cost, small enough for a cache.
  private static let blockLength = 128 << 10

  /// Makes a writer of rows about `jobs`, the jobs of the dry run's summary in their order.
  package init(jobs: [JobName], as form: Form) {
    self.jobs = jobs
    switch form {
    case .json:
      table = nil
      pen = EntryWriter(writingObjectsAbout: jobs)
    case .table(let names, let hasFractions, let zones):
      precondition(zones.isEmpty || zones.count == jobs.count, "each job has a zone, or none has")
      let table = DryRunTable(jobs: names, hasFractions: hasFractions, zones: zones)
      self.table = table
      pen = EntryWriter(writingLinesOf: table, about: jobs)
    }
  }

  /// Whether the block is full. A further row without a flush makes the block grow.
  package var isFull: Bool { count > Self.blockLength - EntryWriter.room }

  /// Whether there is nothing to flush.
  package var isEmpty: Bool { count == 0 }

  /// Passes on the collected bytes, if any, and begins a new block.
  package mutating func flush<Failure: Error>(_ body: (RawSpan) throws(Failure) -> Void) throws(Failure) {
    guard count > 0 else { return }
    let gathered = count
    count = 0
    // Safe: the elements are bytes, without padding.
    let bytes = unsafe block.span.bytes
    try body(bytes.extracting(first: gathered))
  }

  /// Adds the heading of the table; JSON has none.
  package mutating func writeHeading() {
    if let table { write(line: table.heading) }
  }

  /// Adds a row.
  package mutating func write(_ row: DryRunRow) {
    switch row {
    case .minute(let minute):
      let name = jobs[minute.job]
      write(line: table.map { $0.line(minute, name) } ?? minute.jsonLine(name))
    case .entry(let row):
      makeRoom(EntryWriter.room)
      if table == nil {
        count = pen.object(row, into: &block, at: count)
      } else {
        count = pen.line(row, into: &block, at: count)
      }
      if row.count > 1 {
        // Replaces the end of the row for one entry.
        count -= table == nil ? 2 : 1
        write(line: table.map { "  " + row.textOfSeveral(in: $0.zone(ofJob: row.job)) } ?? row.jsonOfSeveral)
      }
    }
  }

  private mutating func write(line: String) {
    makeRoom(line.utf8.count + 1)
    for byte in line.utf8 {
      block[count] = byte
      count += 1
    }
    block[count] = UInt8(ascii: "\n")
    count += 1
  }

  private mutating func makeRoom(_ length: Int) {
    guard count + length > block.count else { return }
    block += [UInt8](repeating: 0, count: max(length, block.count))
  }
}
