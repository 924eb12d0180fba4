import TimelineCore

/// Reads values of the kinds that keys may have. Each function returns `nil` after it has reported an error.
extension FileReading {
  /// Returns a string. With `isFree`, any text is valid, so for an integer the help proposes quotes. Otherwise the
  /// help does not, because an integer in quotes is no valid rule, path or zone.
  func string(
    _ item: Item, expected: @autoclosure () -> String = "a string", isFree: Bool = false
  ) -> String? {
    if case .string(let text) = item.value.content { return text }
    var help: [String] = []
    switch item.value.content {
    case .integer(let number) where isFree: help = ["write it in quotes: \"\(number)\""]
    case .array(let values) where values.count == 1:
      if case .string(let text)? = values.first?.content { help = ["write it without brackets: \"\(text)\""] }
    default: break
    }
    wrongKind(item, expected: expected(), help: help)
    return nil
  }

  /// Returns one line of text for people, which lists and logs print unchanged.
  func line(_ item: Item) -> String? {
    guard let text = string(item, isFree: true) else { return nil }
    let isOneLine = text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    guard isOneLine, text.utf8.count <= ConfigurationLimits.summaryByteCountMax else {
      log.error(
        "`\(item.path)` is not one short line", at: item.place,
        label: "expected at most \(ConfigurationLimits.summaryByteCountMax) bytes without control characters")
      return nil
    }
    return text
  }

  /// Returns a boolean.
  func boolean(_ item: Item) -> Bool? {
    if case .boolean(let value) = item.value.content { return value }
    var help: [String] = []
    if case .string(let text) = item.value.content,
      let word = Spelling.nearest(to: text, among: ["true", "false"])
    {
      help = ["write it without quotes: \(word)"]
    }
    wrongKind(item, expected: "true or false", help: help)
    return nil
  }

  /// Returns a whole number within `range`.
  func integer(_ item: Item, in range: ClosedRange<Int64>) -> Int? {
    var expected: String { "a whole number from \(range.lowerBound) to \(range.upperBound)" }
    guard case .integer(let value) = item.value.content else {
      var help: [String] = []
      if case .string(let text) = item.value.content, let number = Int64(text) {
        help = ["write it without quotes: \(number)"]
      }
      wrongKind(item, expected: expected, help: help)
      return nil
    }
    guard range.contains(value) else {
      let nearest = value < range.lowerBound ? range.lowerBound : range.upperBound
      log.error(
        "`\(item.path)` is out of range", at: item.place, label: "expected \(expected)",
        help: ["the nearest is \(nearest)"])
      return nil
    }
    return Int(value)
  }

  /// Returns one of the values of an enumeration.
  func choice<Choice: RawRepresentable<String> & CaseIterable>(_ item: Item, of type: Choice.Type) -> Choice?
  {
    var words: [String] { type.allCases.map(\.rawValue) }
    guard let text = string(item, expected: "one of \(Spelling.alternatives(words))") else { return nil }
    if let choice = type.init(rawValue: text) { return choice }
    let near = Spelling.nearest(to: text, among: words)
    log.error(
      "`\(item.path)` cannot be \"\(text)\"", at: item.place,
      label: "expected \(Spelling.alternatives(words))", help: near.map { ["did you mean \"\($0)\"?"] } ?? [])
    return nil
  }

  /// Returns the entries of a table.
  func table(
    _ item: Item, expected: @autoclosure () -> String, help: @autoclosure () -> [String] = []
  ) -> TOMLTable? {
    if case .table(let entries) = item.value.content { return entries }
    wrongKind(item, expected: expected(), help: help())
    return nil
  }

  /// Returns the elements of an array.
  func array(_ item: Item, expected: String, help: [String] = []) -> [Item]? {
    guard case .array(let values) = item.value.content else {
      wrongKind(item, expected: expected, help: help)
      return nil
    }
    return values.enumerated().map { Item($1, at: $0, of: item) }
  }

  /// Returns an array of strings, each read by `read`. Checks all elements; returns `nil` if any element has an
  /// error.
  func strings(_ item: Item, of what: String, _ read: (Item) -> String?) -> [String]? {
    var help: [String] = []
    if case .string(let text) = item.value.content { help = ["write it in brackets: [\"\(text)\"]"] }
    guard let items = array(item, expected: "an array of \(what)", help: help) else { return nil }
    let texts = items.map(read)
    return texts.contains(nil) ? nil : texts.compactMap(\.self)
  }
}

extension FileReading {
  /// Returns a duration such as `"30s"`, at least `minimum` and at most ``ConfigurationLimits/elapsedMax``. `reason`
  /// explains a minimum that is not obvious.
  func elapsed(_ item: Item, atLeast minimum: ElapsedTime, because reason: String = "") -> ElapsedTime? {
    let expected = "a length of time such as \"30s\", \"1h30m\" or \"250ms\""
    guard case .string(let text) = item.value.content else {
      let length: ElapsedTime? =
        switch item.value.content {
        case .integer(let seconds) where (0...1_000_000_000).contains(seconds): .seconds(seconds)
        case .float(let seconds) where seconds >= 0 && seconds < 1e9:
          .nanoseconds(Int64((seconds * 1e9).rounded()))
        default: nil
        }
      let help = length.map { length in
        length < minimum
          ? "it is at least \"\(minimum)\"\(reason)" : "for seconds write \"\(length)\", in quotes"
      }
      wrongKind(item, expected: expected, help: help.map { [$0] } ?? [])
      return nil
    }
    let value: ElapsedTime
    do {
      value = try ElapsedTime(parsing: text)
    } catch {
      log.error(
        "`\(item.path)` is not a length of time: \(error.reason)", at: item.place,
        label: "expected \(expected)", help: error.help)
      return nil
    }
    guard value >= minimum, value <= ConfigurationLimits.elapsedMax else {
      let bound =
        value < minimum ? "at least \"\(minimum)\"\(reason)" : "at most \"\(ConfigurationLimits.elapsedMax)\""
      log.error(
        "`\(item.path)` is too \(value < minimum ? "short" : "long")", at: item.place,
        label: "expected \(bound)")
      return nil
    }
    return value
  }

  /// Returns a zone by its name.
  func zone(_ item: Item) -> Zone? {
    guard let name = string(item, expected: "the name of a zone such as \"Europe/Berlin\"") else {
      return nil
    }
    if let zone = zone(named: name) {
      warnOfZone(name, at: item.place)
      return zone
    }
    lackZone(name, at: item.place)
    return nil
  }

  /// Returns an absolute path of at most ``JobLimits/pathMax`` bytes, without NUL and without `..`.
  func absolutePath(_ item: Item) -> String? {
    guard let path = string(item, expected: "an absolute path") else { return nil }
    return isAbsolutePath(path, of: item) ? path : nil
  }

  /// Whether `path`, the text of the value, is absolute, has at most ``JobLimits/pathMax`` bytes, and contains
  /// neither NUL nor `..`.
  func isAbsolutePath(_ path: String, of item: Item) -> Bool {
    guard path.hasPrefix("/"), !path.utf8.contains(0), !path.split(separator: "/").contains("..") else {
      log.error(
        "`\(item.path)` is not an absolute path", at: item.place,
        label: "expected a path that begins with `/` and has no `..`",
        help: path.hasPrefix("~") ? ["`~` is the shell's; write the directory out"] : [])
      return false
    }
    guard path.utf8.count <= JobLimits.pathMax else {
      log.error(
        "`\(item.path)` is too long for a path", at: item.place,
        label: "expected at most \(JobLimits.pathMax) bytes", help: ["use a shorter path, such as a link's"])
      return false
    }
    return true
  }

  /// Returns the name of a user or a group in the alphabet of useradd(8). The existence of the user or group is
  /// checked at its use.
  func accountName(_ item: Item, kind: String) -> String? {
    let isInteger = if case .integer = item.value.content { true } else { false }
    let hint = "write the \(kind)'s name, not its number"
    if isInteger { wrongKind(item, expected: "the name of a \(kind)", help: [hint]) }
    guard !isInteger, let name = string(item, expected: "the name of a \(kind)") else { return nil }
    let isWord = name.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."):
        true
      default: false
      }
    }
    let isNumber = name.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    guard isWord, !isNumber, !name.hasPrefix("-"),
      name.utf8.count <= ConfigurationLimits.accountNameByteCountMax
    else {
      log.error(
        "`\(item.path)` is not the name of a \(kind)", at: item.place,
        label: "expected letters, digits, `-`, `_` or `.`",
        help: isNumber && !name.isEmpty ? [hint] : [])
      return nil
    }
    return name
  }
}
