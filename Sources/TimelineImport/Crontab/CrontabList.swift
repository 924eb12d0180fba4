/// One field of a line while it is read: numbers, names, ranges and steps between commas.
struct CrontabList {
  let field: CrontabFields.Field
  private let text: Substring
  private var rest: Substring

  /// Bit n for the number n.
  private(set) var bits: UInt64 = 0
  /// The elements that match something.
  private(set) var elements: [String] = []
  /// Parts that cron passes over.
  private(set) var ignored: [String] = []
  /// Minutes within which one is drawn.
  private(set) var randomMinutes = 0

  init(field: CrontabFields.Field, text: Substring) {
    (self.field, self.text, rest) = (field, text, text)
  }

  /// Reads the field.
  mutating func read() throws(CrontabRefusal) {
    if text.contains("~") { return try readRandom() }
    repeat { try readElement() } while take(",")
    // cron skips from the end of the last element to the next blank.
    if !rest.isEmpty { ignored.append("`\(rest)` in the field `\(text)`") }
    if elements.isEmpty {
      throw refusal(
        "cron reads a range that descends as empty, so that the line never runs",
        isCrons: false)
    }
  }

  /// Reads `A~B`, a random number of cronie's and OpenBSD's cron, in the field of the minute.
  private mutating func readRandom() throws(CrontabRefusal) {
    guard field == .minute else {
      throw refusal("a random number is supported for the minute alone: write a number", isCrons: false)
    }
    let first = rest.hasPrefix("~") ? 0 : try number()
    guard take("~") else { throw refusal("a random number is `A~B`") }
    let last = rest.isEmpty ? field.bounds.upperBound : try number()
    guard rest.isEmpty, first <= last, last <= field.bounds.upperBound else {
      throw refusal("a random number is `A~B`, with A not above B")
    }
    bits = 1 << UInt64(first)
    elements = ["\(first)"]
    randomMinutes = last - first
  }

  private mutating func readElement() throws(CrontabRefusal) {
    let start = rest
    var (first, last) = (field.bounds.lowerBound, field.bounds.upperBound)
    if !take("*") {
      first = try number()
      last = first
      if take("-") {
        last = try number()
      } else if rest.hasPrefix("/") {
        throw refusal(
          "a step needs a range in front of it: write `\(first)-\(field.bounds.upperBound)\(rest)`")
      }
    }
    var step = 1
    if take("/") {
      guard let number = digits(), number > 0 else { throw refusal("a step is a number above 0") }
      step = number
    }
    guard field.bounds.contains(first), field.bounds.contains(last) else {
      throw refusal("\(field.title) is \(field.bounds.lowerBound) to \(field.bounds.upperBound)")
    }
    let element = String(start[..<rest.startIndex])
    guard first <= last else {
      ignored.append("the range `\(element)`, which descends")
      return
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
    return Int(word)
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
