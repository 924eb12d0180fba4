/// Parser of one field of a line: numbers, names, ranges and steps, separated by commas.
struct CrontabList {
  let field: CrontabFields.Field
  private let program: CronProgram
  private let text: Substring
  private var rest: Substring

  /// Bit n is the number n.
  private(set) var bits: UInt64 = 0
  /// Elements that match at least one number.
  private(set) var elements: [String] = []
  /// Parts that cron ignores.
  private(set) var ignored: [String] = []
  /// Range of cron's random minute, in minutes.
  private(set) var randomMinutes = 0
  /// Whether Debian's cron refuses the field, although another cron accepts it.
  private(set) var isRefusedByCron = false
  /// Differences between this cron and Debian's cron, as clauses.
  private(set) var differences: [String] = []
  /// Readings that depend on the version of the cron.
  private(set) var versions: [VersionedReading] = []

  init(field: CrontabFields.Field, text: Substring, by program: CronProgram) {
    (self.field, self.text, self.program, rest) = (field, text, program, text)
  }

  /// Reads the field.
  mutating func read() throws(CrontabRefusal) {
    if field == .minute, readRandom() { return }
    repeat { try readElement() } while take(",")
    // cron skips the text from the end of the last element to the next blank.
    if !rest.isEmpty {
      let part = "`\(rest)` in the field `\(text)`"
      if program == .cronie || program == .systemdCron {
        throw refusal("\(program.title) passes over the line because of \(part)", isCrons: false)
      }
      ignored.append(part)
    }
    if elements.isEmpty, program == .systemdCron, field == .dayOfWeek {
      (bits, elements, ignored) = (0xFF, ["*"], [])
      versions = [
        VersionedReading(
          clause: "version 1.15 reads `\(text)` as every day, and 2.5 as it is written", followed: "1.15")
      ]
    }
    if elements.isEmpty {
      throw refusal(
        "cron reads a range that descends as empty, so that the line never runs",
        isCrons: false)
    }
  }

  /// Reads `A~B`, a random minute of cronie and of OpenBSD's cron. Debian's cron stops at the `~`.
  private mutating func readRandom() -> Bool {
    let ends = text.split(separator: "~", maxSplits: 1, omittingEmptySubsequences: false)
    guard ends.count == 2, ends.allSatisfy({ $0.allSatisfy { $0.isASCII && $0.isNumber } }),
      let first = ends[0].isEmpty ? 0 : Int(ends[0]),
      let last = ends[1].isEmpty ? field.bounds.upperBound : Int(ends[1]),
      first <= last, last <= field.bounds.upperBound
    else { return false }
    bits = 1 << UInt64(first)
    elements = ["\(first)"]
    randomMinutes = last - first
    isRefusedByCron = ends[0].isEmpty
    return true
  }

  private mutating func readElement() throws(CrontabRefusal) {
    let start = rest
    var (first, last) = (field.bounds.lowerBound, field.bounds.upperBound)
    if !take("*") {
      first = try number()
      last = first
      if take("-") {
        last = try number()
        if program == .systemdCron, field == .dayOfWeek, last == 7 { last = 0 }
      } else if rest.hasPrefix("/"), program != .systemdCron {
        throw refusal(
          "a step needs a range in front of it: write `\(first)-\(field.bounds.upperBound)\(rest)`")
      }
    }
    var step = 1
    if take("/") {
      let word = rest.prefix { $0.isASCII && ($0.isLetter || $0.isNumber) }
      guard word.allSatisfy(\.isNumber), let number = digits(), number > 0 else {
        throw refusal("a step is a number above 0")
      }
      step = number
    }
    guard field.bounds.contains(first), field.bounds.contains(last) else {
      throw refusal("\(field.title) is \(field.bounds.lowerBound) to \(field.bounds.upperBound)")
    }
    var element = String(start[..<rest.startIndex])
    if program == .systemdCron, field == .dayOfWeek, element.hasSuffix("-7"), first == 0 {
      versions.append(
        VersionedReading(
          clause: "version 1.15 reads `\(element)` as Sunday alone, and 2.5 as it is written",
          followed: "1.15"))
      element = "0"
    }
    guard first <= last else {
      ignored.append("the range `\(element)`, which descends")
      return
    }
    if program == .systemdCron, !start.hasPrefix("*"), !element.contains("-"), element.contains("/") {
      differences.append("`\(element)` is \(first)")
      element = "\(first)"
    }
    for value in stride(from: first, through: last, by: step) { bits |= 1 << UInt64(value) }
    elements.append(element)
  }

  /// Reads a number or a name.
  private mutating func number() throws(CrontabRefusal) -> Int {
    let word = rest.prefix { $0.isASCII && ($0.isLetter || $0.isNumber) }
    if let value = field.value(ofName: word) {
      rest = rest.dropFirst(word.count)
      return value
    }
    guard word.allSatisfy(\.isNumber), let value = digits() else {
      throw refusal("\(field.title) is expected")
    }
    return value
  }

  private mutating func digits() -> Int? {
    let word = rest.prefix { $0.isASCII && $0.isNumber }
    rest = rest.dropFirst(word.count)
    // The result of atoi() is an int, so a number of 2^31 or more becomes another number.
    return word.isEmpty ? nil : Int(Int32(truncatingIfNeeded: Int(word) ?? .max))
  }

  private mutating func take(_ mark: String) -> Bool {
    guard rest.hasPrefix(mark) else { return false }
    rest = rest.dropFirst(mark.count)
    return true
  }

  private func refusal(_ reason: String, isCrons: Bool = true) -> CrontabRefusal {
    CrontabRefusal(reason: "`\(text)`: \(reason)", isCrons: isCrons)
  }
}
