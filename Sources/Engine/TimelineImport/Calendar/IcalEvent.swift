/// An event of an iCalendar file as it is written.
struct IcalEvent: Sendable {
  /// The times that libical makes of the rule of an event.
  enum Times: Sendable {
    /// Seconds since 1970 on the clock of the start; `isCut` if there are more.
    case seconds([Int], isCut: Bool)
    /// The reason why there are no times.
    case missing(String)
  }

  /// The line that begins the event.
  let line: Int
  /// Empty for an event without a UID.
  let uid: String
  /// Whether the event replaces a time of another one.
  let isOverride: Bool
  var summary = ""
  var start: IcalMoment?
  /// The time that the event replaces.
  var replaced: IcalMoment?
  var rule: (line: Int, text: String)?
  var added: [IcalMoment] = []
  var removed: [IcalMoment] = []
  var hasPeriods = false
  var hasAlarm = false
  var isCanceled = false
  /// The reason why the event cannot be read, with its line.
  var refusal: String?
  var times: Times
}

/// Output of `timeline-calendar series`, as described in its `calendar.h`.
package struct IcalOutput: Sendable {
  /// The reason why a whole file is refused.
  package struct Refusal: Error {
    package var line: Int
    package var column: Int
    package var reason: String
  }

  /// In the order of the file.
  private(set) var events: [IcalEvent] = []
  /// Components that are no events.
  private(set) var others: [(line: Int, name: String)] = []
  /// Places of described zones in the zone database, by TZID.
  private(set) var locations: [String: String] = [:]

  private let missingTimes: String

  /// Reads the output of the program.
  ///
  /// - Parameter missingTimes: The reason why the output has no times of rules.
  /// - Throws: The refusal of the file.
  package init(
    _ output: [UInt8], missingTimes: String = "the rules were not expanded"
  ) throws(Refusal) {
    self.missingTimes = missingTimes
    for bytes in output.split(separator: UInt8(ascii: "\n")) {
      let fields = Self.plain(String(decoding: bytes, as: UTF8.self))
        .split(separator: "\t", maxSplits: 3, omittingEmptySubsequences: false)
      if bytes.first == UInt8(ascii: "!") { throw Self.refusal(fields) }
      guard fields.count > 1, let line = Int(fields[1]), read(fields, line) else { throw Self.nonsense }
    }
  }

  private static let nonsense = Refusal(
    line: 1, column: 1, reason: "the reader of calendars answered with something else")

  /// Returns a record with spaces for control characters, except for the tabs between its fields.
  private static func plain(_ record: String) -> String {
    func isControl(_ scalar: Unicode.Scalar) -> Bool {
      scalar.value < 0x20 && scalar != "\t" || (0x7F...0x9F).contains(scalar.value)
    }
    guard record.unicodeScalars.contains(where: isControl) else { return record }
    return String(String.UnicodeScalarView(record.unicodeScalars.map { isControl($0) ? " " : $0 }))
  }

  private static func refusal(_ fields: [Substring]) -> Refusal {
    guard fields.count >= 3, let line = Int(fields[0].dropFirst()), let column = Int(fields[1]) else {
      return nonsense
    }
    return Refusal(line: max(line, 1), column: max(column, 1), reason: fields[2...].joined(separator: " "))
  }

  /// Reads a record. Returns whether it has the form of its kind.
  private mutating func read(_ fields: [Substring], _ line: Int) -> Bool {
    switch (fields[0], fields.count) {
    case ("event", 4):
      events.append(
        IcalEvent(
          line: line, uid: String(fields[3]), isOverride: fields[2] == "1", times: .missing(missingTimes)))
      return true
    case ("component", 3):
      others.append((line, String(fields[2])))
      return true
    case ("zone", 4):
      locations[String(fields[2])] = String(fields[3])
      return true
    default:
      guard !events.isEmpty else { return false }
      return events[events.count - 1].read(fields, line)
    }
  }
}

extension IcalEvent {
  /// Reads a record of the event. Returns whether it has the form of its kind.
  fileprivate mutating func read(_ fields: [Substring], _ line: Int) -> Bool {
    switch (fields[0], fields.count) {
    case ("refused", 4): refusal = "line \(line): \(fields[3])"
    case ("summary", 3...4): summary = fields[2...].joined(separator: " ")
    case ("rule", 3...4): rule = (line, fields[2...].joined(separator: " "))
    case ("canceled", 2): isCanceled = true
    case ("alarm", 2): hasAlarm = true
    case ("untimed", 3...4): times = .missing(fields[2...].joined(separator: " "))
    case ("times", 4):
      var (seconds, last) = ([Int](), 0)
      for word in fields[3].split(separator: " ") {
        guard let step = Int(word) else { return false }
        let (second, isTooLarge) = last.addingReportingOverflow(step)
        guard !isTooLarge else { return false }
        last = second
        seconds.append(second)
      }
      times = .seconds(seconds, isCut: fields[2] == "1")
    default: return readMoment(fields)
    }
    return true
  }

  private mutating func readMoment(_ fields: [Substring]) -> Bool {
    guard fields.count >= 3, let moment = IcalMoment(fields[2]) else { return false }
    switch (fields[0], fields.count) {
    case ("start", 3): start = moment
    case ("instead", 3): replaced = moment
    case ("except", 3): removed.append(moment)
    case ("extra", 4):
      added.append(moment)
      if fields[3] == "1" { hasPeriods = true }
    default: return false
    }
    return true
  }
}
