/// Reads a crontab line by line as Debian's cron does, and goes on where cron would give the whole file up.
struct CrontabReader {
  let format: CrontabSource.Format

  /// Longest command that cron takes (cron.h, `MAX_COMMAND`).
  private static let commandMax = 998

  /// Reads the lines of a file.
  func lines(_ bytes: [UInt8]) -> [CrontabLine] {
    var texts = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    let isWhole = texts.last?.isEmpty == true
    if isWhole { texts.removeLast() }
    return texts.enumerated().map { index, bytes in
      var line = line(index + 1, bytes)
      if index == texts.count - 1, !isWhole, line.isActive {
        line.remarks.append("cron ignores a file whose last line has no newline")
      }
      return line
    }
  }

  private func line(_ number: Int, _ bytes: ArraySlice<UInt8>) -> CrontabLine {
    let hasReturn = bytes.last == UInt8(ascii: "\r")
    let bytes = hasReturn ? bytes.dropLast() : bytes
    guard let text = String(validating: bytes, as: UTF8.self), !bytes.contains(0) else {
      return CrontabLine(
        number: number, text: String(decoding: bytes, as: UTF8.self),
        content: .refused(
          CrontabRefusal(
            reason: "it is no UTF-8 text: convert the file, for example with iconv", isCrons: false)))
    }
    var line = CrontabLine(number: number, text: text, content: .blank)
    let content = bytes.drop(while: \.isBlank)
    if content.first == UInt8(ascii: "#") {
      line.content = .comment(String(decoding: content.dropFirst(), as: UTF8.self).trimmed)
    } else if !content.isEmpty {
      read(Array(content), into: &line)
      if hasReturn {
        line.remarks.append("the carriage return at its end, which cron gives to the shell, is left out")
      }
    }
    return line
  }

  private func read(_ bytes: [UInt8], into line: inout CrontabLine) {
    switch CrontabVariable(bytes) {
    case .variable(let name, let value): line.content = .variable(name: name, value: value)
    case .empty(let name):
      line.content = .variable(name: name, value: "")
      line.remarks.append(
        "cron refuses an empty value without quotes, and the file with it: here it is empty")
    case nil:
      do {
        line.content = .job(try entry(String(decoding: bytes, as: UTF8.self), &line.remarks))
      } catch {
        line.content = .refused(error)
      }
    }
  }

  private func entry(_ text: String, _ remarks: inout [String]) throws(CrontabRefusal) -> CrontabEntry {
    var rest = text[...]
    if format == .anacron {
      let line = try AnacronLine(text)
      remarks.append(AnacronLine.difference)
      return line.entry
    }
    let times = try times(&rest)
    remarks += times.fields?.ignored.map { "cron ignores \($0)" } ?? []
    var user: String?
    if format == .system {
      let name = rest.word()
      guard !name.isEmpty else {
        throw CrontabRefusal(reason: "there is no user and no command: complete the line")
      }
      user = String(name)
    } else if rest.hasPrefix("*") {
      throw CrontabRefusal(reason: "there is a sixth `*` in the place of the command: remove it")
    }
    guard !rest.isEmpty else { throw CrontabRefusal(reason: "there is no command: complete the line") }
    guard rest.utf8.count <= Self.commandMax else {
      throw CrontabRefusal(
        reason: "the command has more than \(Self.commandMax) bytes, which cron refuses: shorten it")
    }
    return CrontabEntry(times: times, user: user, column: String(rest))
  }

  private func times(_ rest: inout Substring) throws(CrontabRefusal) -> CrontabEntry.Times {
    if rest.hasPrefix("@") {
      let word = String(rest.word())
      if word == "@reboot" { return .reboot }
      guard let fields = Self.words[word] else {
        throw CrontabRefusal(
          reason:
            "`\(word)` is no word of cron's: write @hourly, @daily, @weekly, @monthly, @yearly or five fields"
        )
      }
      return .word(word, try CrontabFields(fields.split(separator: " ")))
    }
    var fields: [Substring] = []
    for field in CrontabFields.Field.allCases {
      let text = rest.word()
      guard !text.isEmpty else {
        throw CrontabRefusal(reason: "\(field.title) is missing: a line has five times, then a command")
      }
      fields.append(text)
    }
    return .fields(try CrontabFields(fields))
  }

  /// The words of Debian's cron; `@hourly` alone follows the clock through a clock change, as `*` in its hour says.
  private static let words = [
    "@yearly": "0 0 1 1 *", "@annually": "0 0 1 1 *", "@monthly": "0 0 1 * *", "@weekly": "0 0 * * 0",
    "@daily": "0 0 * * *", "@midnight": "0 0 * * *", "@hourly": "0 * * * *",
  ]
}

extension CrontabLine {
  /// Whether it is more than a comment.
  var isActive: Bool {
    switch content {
    case .blank, .comment: false
    case .variable, .job, .refused: true
    }
  }
}

extension StringProtocol {
  /// The text without blanks at both ends.
  var trimmed: String {
    let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
    return String(drop(while: isBlank).reversed().drop(while: isBlank).reversed())
  }
}

extension Substring {
  /// Takes the first word, and the blanks behind it. Not inlined: it has many callers, and a program is to be small.
  @inline(never) mutating func word() -> Substring {
    let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
    let word = prefix { !isBlank($0) }
    self = dropFirst(word.count).drop(while: isBlank)
    return word
  }
}
