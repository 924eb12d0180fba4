/// Sizes in bytes in the syntax of configuration files: a whole number and a unit K, M, G or T, a power of 1,024 as
/// usual on Linux.
enum ByteSize {
  private static let units: [(symbol: Character, shift: UInt64)] = [
    ("T", 40), ("G", 30), ("M", 20), ("K", 10),
  ]

  /// Returns the number of bytes in `text`; `nil` if `text` is not a size or does not fit in 64 bits.
  static func parse(_ text: String) -> UInt64? {
    guard let unit = units.first(where: { $0.symbol == text.last }) else { return nil }
    let digits = text.dropLast()
    guard !digits.isEmpty, digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
      let number = UInt64(digits)
    else { return nil }
    let (bytes, overflow) = number.multipliedReportingOverflow(by: 1 << unit.shift)
    return overflow ? nil : bytes
  }

  /// Returns the size in its largest whole unit. A size that is not a multiple of 1 K is rounded up to K.
  static func text(_ bytes: UInt64) -> String {
    for unit in units where bytes > 0 && bytes.isMultiple(of: 1 << unit.shift) {
      return "\(bytes >> unit.shift)\(unit.symbol)"
    }
    return "\((bytes >> 10) + 1)K"
  }

  /// Returns the valid spelling of a size such as `256MB`, `1.5 GiB`, `256m` or `1048576`; `nil` if its meaning is unclear.
  static func suggestion(for text: String) -> String? {
    let folded = text.uppercased().filter { $0 != " " && $0 != "_" }
    let number = folded.prefix { $0.isASCII && $0.isNumber || $0 == "." }
    let word = folded.dropFirst(number.count)
    guard let value = Double(number), value > 0, value < 1e15 else { return nil }
    if word.isEmpty || word == "B" { return value < 1_024 ? nil : Self.text(UInt64(value)) }
    guard let unit = units.first(where: { $0.symbol == word.first }),
      ["", "B", "IB", "BYTE", "BYTES"].contains(word.dropFirst())
    else { return nil }
    let bytes = value * Double(UInt64(1) << unit.shift)
    return bytes < 0x1p63 ? Self.text(UInt64(bytes)) : nil
  }
}

extension FileReading {
  /// Returns a size such as `"256M"` within `range`, in bytes.
  func byteSize(_ item: Item, in range: ClosedRange<UInt64>) -> UInt64? {
    let expected = "a size such as \"256M\" or \"2G\""
    guard case .string(let text) = item.value.content else {
      var help: [String] = []
      if case .integer(let bytes) = item.value.content, bytes >= 1_024 {
        help = ["for bytes write \"\(ByteSize.text(UInt64(bytes)))\", in quotes"]
      }
      wrongKind(item, expected: expected, help: help)
      return nil
    }
    guard let bytes = ByteSize.parse(text) else {
      let near = ByteSize.suggestion(for: text)
      log.error(
        "`\(item.path)` is not a size: a whole number with a unit (K, M, G or T) is expected", at: item.place,
        label: "expected \(expected)", help: near.map { ["did you mean \"\($0)\"?"] } ?? [])
      return nil
    }
    guard range.contains(bytes) else {
      let bound =
        bytes < range.lowerBound
        ? "at least \"\(ByteSize.text(range.lowerBound))\"" : "at most \"\(ByteSize.text(range.upperBound))\""
      log.error(
        "`\(item.path)` is too \(bytes < range.lowerBound ? "small" : "large")", at: item.place,
        label: "expected \(bound)")
      return nil
    }
    return bytes
  }

  /// Returns a percentage such as `"10%"` within `range`.
  func percentage(_ item: Item, in range: ClosedRange<Int> = 0...100) -> Int? {
    let expected = "a percentage such as \"10%\""
    guard case .string(let text) = item.value.content else {
      var help: [String] = []
      switch item.value.content {
      case .integer(let number) where number >= range.lowerBound && number <= range.upperBound:
        help = ["write it in quotes: \"\(number)%\""]
      case .float(let share) where share >= 0 && share <= 1:
        help = ["for that share write \"\(Int((share * 100).rounded()))%\""]
      default: break
      }
      wrongKind(item, expected: expected, help: help)
      return nil
    }
    let digits = text.hasSuffix("%") ? text.dropLast() : ""
    guard let number = Int(digits), digits.first?.isNumber == true, range.contains(number) else {
      let near = Int(text).flatMap { range.contains($0) ? $0 : nil }
      log.error(
        "`\(item.path)` is not a percentage", at: item.place,
        label: "expected \"\(range.lowerBound)%\" to \"\(range.upperBound)%\"",
        help: near.map { ["did you mean \"\($0)%\"?"] } ?? [])
      return nil
    }
    return number
  }
}
