/// Reads one compiled zone from its first byte to its last.
struct TZifReader {
  let name: String
  private var cursor: ByteCursor

  init(name: String, bytes: [UInt8]) {
    self.name = name
    self.cursor = ByteCursor(bytes)
  }

  mutating func read() throws(ZoneError) -> ZoneStorage {
    let narrow = try header()
    guard narrow.version > 1 else {
      let table = try table(narrow, timeSize: 4)
      return storage(table, rule: nil)
    }
    try skip(narrow.size(timeSize: 4))
    let wide = try header()
    let table = try table(wide, timeSize: 8)
    return storage(table, rule: try footer())
  }

  /// The counts of RFC 8536 section 3.1.
  private struct Header {
    var version = 1
    var counts: [Int] = []

    var universalCount: Int { counts[0] }
    var standardCount: Int { counts[1] }
    var leapCount: Int { counts[2] }
    var transitionCount: Int { counts[3] }
    var localTimeCount: Int { counts[4] }
    var abbreviationBytes: Int { counts[5] }

    /// The bytes of the data block that follows, with times of `timeSize` bytes.
    func size(timeSize: Int) -> Int {
      transitionCount * (timeSize + 1) + localTimeCount * 6 + abbreviationBytes
        + leapCount * (timeSize + 4) + standardCount + universalCount
    }
  }

  private mutating func header() throws(ZoneError) -> Header {
    guard cursor.take("TZif") else {
      throw cursor.offset == 0
        ? .notCompiledZone(name: name) : malformed("the second header does not begin with \"TZif\"")
    }
    var header = Header()
    switch try integer(size: 1) {
    case 0: header.version = 1
    case 0x32: header.version = 2
    case 0x33: header.version = 3
    case 0x34: header.version = 4
    default: throw malformed(at: cursor.offset - 1, "is a version that is none of 1 to 4")
    }
    try skip(15)
    for _ in 0..<6 { header.counts.append(Int(UInt32(truncatingIfNeeded: try integer(size: 4)))) }
    return header
  }

  /// The local times and the instants at which they begin, in seconds since the epoch.
  private struct Table {
    var types: [ZoneLocalTime] = []
    var transitions: [(seconds: Int64, type: Int)] = []
  }

  private mutating func table(_ header: Header, timeSize: Int) throws(ZoneError) -> Table {
    try check(header)
    guard cursor.bytes.count - cursor.offset >= header.size(timeSize: timeSize) else {
      throw malformed("the file ends before its table does")
    }
    var table = Table()
    let timesStart = cursor.offset
    var times: [Int64] = []
    for _ in 0..<header.transitionCount { times.append(try integer(size: timeSize)) }
    if let index = times.indices.dropFirst().first(where: { times[$0] <= times[$0 - 1] }) {
      throw malformed(at: timesStart + index * timeSize, "a transition is not later than the one before it")
    }
    for time in times {
      let type = Int(try integer(size: 1))
      guard type < header.localTimeCount else {
        throw malformed(at: cursor.offset - 1, "a transition leads to a local time that is not there")
      }
      table.transitions.append((seconds: time, type: type))
    }
    table.types = try localTimes(header)
    try skip(header.standardCount + header.universalCount)
    return table
  }

  private func check(_ header: Header) throws(ZoneError) {
    let parts = [
      ("transitions", header.transitionCount, ZoneLimits.transitionCountMax),
      ("local times", header.localTimeCount, ZoneLimits.localTimeCountMax),
      ("bytes of abbreviations", header.abbreviationBytes, ZoneLimits.abbreviationBytesMax),
    ]
    for (part, count, limit) in parts where count > limit {
      throw .tooLarge(name: name, part: part, count: count, limit: limit)
    }
    guard header.leapCount == 0 else { throw .countsLeapSeconds(name: name) }
    guard header.localTimeCount > 0 else { throw malformed("the table has no local time") }
    for count in [header.standardCount, header.universalCount]
    where ![0, header.localTimeCount].contains(count) {
      throw malformed("the header counts \(count) indicators for \(header.localTimeCount) local times")
    }
  }

  private mutating func localTimes(_ header: Header) throws(ZoneError) -> [ZoneLocalTime] {
    let abbreviationsStart = cursor.offset + header.localTimeCount * 6
    let abbreviations = cursor.bytes[abbreviationsStart..<abbreviationsStart + header.abbreviationBytes]
    var types: [ZoneLocalTime] = []
    for _ in 0..<header.localTimeCount {
      let start = cursor.offset
      let offset = Int(try integer(size: 4))
      guard ZoneLimits.offsets.contains(offset) else {
        throw malformed(at: start, "an offset of \(offset) seconds is more than a day")
      }
      let flag = try integer(size: 1)
      guard flag == 0 || flag == 1 else {
        throw malformed(at: start + 4, "a daylight saving flag is neither 0 nor 1")
      }
      let index = Int(try integer(size: 1))
      let text = abbreviations.dropFirst(index)
      guard let end = text.firstIndex(of: 0) else {
        throw malformed(at: start + 5, "an abbreviation has no end")
      }
      guard text[..<end].allSatisfy({ 0x21...0x7E ~= $0 }) else {
        throw malformed(at: abbreviationsStart + index, "an abbreviation has a character that is not ASCII")
      }
      types.append(
        ZoneLocalTime(
          offset: offset, isDaylightSaving: flag == 1,
          abbreviation: String(decoding: text[..<end], as: UTF8.self)))
    }
    try skip(header.abbreviationBytes)
    return types
  }

  /// Reads the rule between two line ends; an empty line means that there is no rule.
  private mutating func footer() throws(ZoneError) -> RecurringRule? {
    guard cursor.take("\n") else { throw malformed("the rule after the table is missing") }
    let start = cursor.offset
    let rule = cursor.takeAll(upTo: ZoneLimits.footerLengthMax) { $0 != UInt8(ascii: "\n") }
    guard cursor.take("\n") else {
      throw malformed(
        at: start, "the rule after the table has no end within \(ZoneLimits.footerLengthMax) bytes")
    }
    if rule.isEmpty { return nil }
    do {
      return try RecurringRule(posix: Array(rule))
    } catch {
      throw .malformedRule(
        name: name, rule: String(decoding: rule, as: UTF8.self), offset: error.offset, reason: error.reason)
    }
  }

  /// Reads a big-endian number of 1, 4 or 8 bytes; a single byte is unsigned.
  private mutating func integer(size: Int) throws(ZoneError) -> Int64 {
    guard cursor.bytes.count - cursor.offset >= size else { throw malformed("the file ends too soon") }
    let number = cursor.bytes[cursor.offset..<cursor.offset + size].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    cursor.offset += size
    return size == 4 ? Int64(Int32(truncatingIfNeeded: number)) : Int64(bitPattern: number)
  }

  private mutating func skip(_ count: Int) throws(ZoneError) {
    guard cursor.bytes.count - cursor.offset >= count else { throw malformed("the file ends too soon") }
    cursor.offset += count
  }

  private func malformed(at offset: Int? = nil, _ reason: String) -> ZoneError {
    .malformed(name: name, offset: offset ?? cursor.offset, reason: reason)
  }
}

extension TZifReader {
  /// Joins the table with the transitions of the rule after it, in nanoseconds and within the representable range.
  private func storage(_ table: Table, rule: RecurringRule?) -> ZoneStorage {
    var types = table.types
    var transitions = table.transitions
    if let rule {
      let standard = types.count
      types += rule.localTimes
      let recurring = rule.transitions(after: transitions.last?.seconds)
      // Without a table the rule alone gives the local time (RFC 8536, 3.3). Before the rule's first change, local
      // time is standard time.
      if transitions.isEmpty { transitions.append((seconds: .min, type: standard)) }
      transitions += recurring.map { (seconds: $0.seconds, type: standard + $0.type) }
    }
    var stretches: [(start: Int64, type: Int)] = [(start: .min, type: 0)]
    for (seconds, type) in transitions {
      let (start, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
      if overflow, seconds > 0 { break }
      if overflow {
        stretches = [(start: .min, type: type)]
      } else {
        stretches.append((start: start, type: type))
      }
    }
    return ZoneStorage(name: name, types: types, stretches: stretches)
  }
}
