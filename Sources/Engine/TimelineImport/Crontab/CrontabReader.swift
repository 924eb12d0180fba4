/// Reads a crontab line by line. Unlike cron, continues after an error that makes cron ignore the whole file.
struct CrontabReader {
  let format: CrontabSource.Format
  let program: CronProgram

  init(format: CrontabSource.Format, as program: CronProgram = .debian) {
    (self.format, self.program) = (format, program)
  }

  /// Longest command and variable that cron accepts (cron.h, `MAX_COMMAND` and `MAX_ENVSTR`).
  private static let commandMax = 998

  /// Whether a wrong line makes cron ignore the whole file, as with Debian's cron.
  private var isStrict: Bool { program == .debian && format != .anacron }

  /// Reads the lines of a file.
  func lines(_ bytes: [UInt8]) -> [CrontabLine] {
    var texts = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    let isWhole = texts.last?.isEmpty == true
    if isWhole { texts.removeLast() }
    return texts.enumerated().map { index, bytes in
      var line = line(index + 1, bytes)
      if index == texts.count - 1, !isWhole, line.isActive, isStrict {
        line.silence("cron ignores a file whose last line has no newline")
      }
      return line
    }
  }

  private func line(_ number: Int, _ bytes: ArraySlice<UInt8>) -> CrontabLine {
    let hasReturn = bytes.last == UInt8(ascii: "\r")
    let bytes = hasReturn ? bytes.dropLast() : bytes
    let content = bytes.drop(while: \.isBlank)
    let isComment = content.first == UInt8(ascii: "#")
    var line = CrontabLine(number: number, text: String(decoding: bytes, as: UTF8.self), content: .blank)
    let isText = String(validating: bytes, as: UTF8.self) != nil || isComment
    if isComment, !bytes.contains(0) {
      line.content = .comment(String(decoding: content.dropFirst(), as: UTF8.self).trimmed)
    } else if !content.isEmpty {
      read(Array(String(decoding: content, as: UTF8.self).utf8), hasReturn: hasReturn, into: &line)
    } else if hasReturn, isStrict {
      line.silence("cron ignores a file with a carriage return on a line of its own")
    }
    guard isText, !bytes.contains(0) else {
      let isCrons = line.isRefused && !isComment
      line.content = .refused(
        CrontabRefusal(
          reason: "it is no UTF-8 text: convert the file, for example with iconv", isCrons: isCrons))
      return line
    }
    if hasReturn, line.isActive {
      line.remarks.append("the carriage return at its end, which cron gives to the shell, is left out")
    }
    return line
  }

  private func read(_ bytes: [UInt8], hasReturn: Bool, into line: inout CrontabLine) {
    switch CrontabVariable(bytes) {
    case .variable(let name, let value):
      line.content = .variable(name: name, value: value)
      if bytes.count > Self.commandMax, isStrict {
        line.remarks.append("cron cuts it off after \(Self.commandMax) bytes, and the job has all of it")
      }
    case .empty(let name):
      line.content = .variable(name: name, value: "")
      if isStrict {
        line.silence("cron refuses an empty value without quotes, and the file with it: here it is empty")
      }
    case nil:
      do throws(CrontabRefusal) {
        line.content = .job(try entry(String(decoding: bytes, as: UTF8.self), hasReturn: hasReturn, &line))
      } catch {
        line.content = .refused(error)
      }
    }
  }

  private func entry(
    _ text: String, hasReturn: Bool, _ line: inout CrontabLine
  ) throws(CrontabRefusal) -> CrontabEntry {
    if format == .anacron {
      let anacron = try AnacronLine(text, by: program)
      line.remarks += anacron.differences
      return anacron.entry
    }
    var rest = text[...]
    var times = CrontabEntry.Times.reboot
    var refusal: CrontabRefusal?
    do throws(CrontabRefusal) {
      times = try self.times(&rest)
    } catch {
      refusal = error
      // A second or a day may be out of range for the field at its position.
      if let rule = SixFields.withSeconds(text) ?? SixFields.ofOthers(text) { refusal?.reason += "; \(rule)" }
      if let refusal, refusal.isCrons { throw refusal }
    }
    let isWord = text.hasPrefix("@")
    if times.fields?.isRefusedByCron == true, isStrict {
      line.silence("Debian's cron refuses a `~` without a number in front, and the file with it")
    }
    // Without a blank after the word, the carriage return is part of the word.
    let isCutOff = isWord && hasReturn && !text.contains { " \t".contains($0) }
    let (user, command) = try command(rest, behind: text, isCutOff: isCutOff)
    if var refusal {
      refusal.user = user
      throw refusal
    }
    line.remarks += times.fields?.ignored.map { "cron ignores \($0)" } ?? []
    if format != .system, let sixth = command.split(separator: " ").first,
      let readings = SixFields.readings(times.rule, sixth)
    {
      line.remarks.append("cron takes `\(sixth)` for the command: \(readings)")
    }
    var entry = CrontabEntry(times: times, user: user, column: String(command))
    entry.differences = times.fields?.differences ?? []
    entry.versions = times.fields?.versions ?? []
    if isWord, times != .reboot, program == .systemdCron {
      entry.isCaughtUp = true
      entry.differences.append("what falls due while the machine is off runs when it is on again")
    }
    return entry
  }

  /// Returns the columns after the times. cron accepts a line without a command. In a file with users, however, cron
  /// refuses a line that ends with the times or with the user, because it reads the missing column from the next
  /// line.
  private func command(
    _ rest: Substring, behind text: String, isCutOff: Bool
  ) throws(CrontabRefusal) -> (user: String?, command: Substring) {
    var rest = rest
    var user: String?
    var isCutOff = isCutOff
    if format == .system {
      let name = rest.prefix { !" \t".contains($0) }
      guard !name.isEmpty else {
        throw CrontabRefusal(reason: "there is no user and no command: complete the line")
      }
      isCutOff = name.endIndex == rest.endIndex
      user = String(rest.word())
    } else if rest.hasPrefix("*") {
      let fields = text.split { " \t".contains($0) }.prefix(6)
      let readings = SixFields.readings(fields.dropLast().joined(separator: " "), fields.last ?? "")
      throw CrontabRefusal(
        reason: "there is a sixth `*` in the place of the command: \(readings ?? "remove it")")
    }
    guard !rest.isEmpty else {
      throw CrontabRefusal(
        reason: "there is no command: complete the line", isCrons: isCutOff, user: isCutOff ? nil : user)
    }
    guard rest.utf8.count <= Self.commandMax else {
      throw CrontabRefusal(
        reason: "the command has more than \(Self.commandMax) bytes, which cron refuses: shorten it")
    }
    return (user, rest)
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
      if word == "@weekly", program == .systemdCron {
        var fields = try CrontabFields("0 0 * * 1".split(separator: " "))
        fields.differences = ["@weekly is Monday"]
        return .fields(fields)
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
    return .fields(try CrontabFields(fields, by: program))
  }

  /// The words of Debian's cron. Only `@hourly` follows local time through a clock change, because its hour is `*`.
  private static let words = [
    "@yearly": "0 0 1 1 *", "@annually": "0 0 1 1 *", "@monthly": "0 0 1 * *", "@weekly": "0 0 * * 0",
    "@daily": "0 0 * * *", "@midnight": "0 0 * * *", "@hourly": "0 * * * *",
  ]
}

extension CrontabLine {
  /// Whether the line is neither a comment nor blank.
  var isActive: Bool {
    switch content {
    case .blank, .comment: false
    case .variable, .job, .refused: true
    }
  }

  /// Whether cron refuses the line, and therefore the whole file.
  var isRefused: Bool {
    if case .refused(let refusal) = content, refusal.isCrons { return true }
    return isRefusedByCron
  }

  /// Records that cron refuses the line, and therefore the whole file.
  mutating func silence(_ remark: String) {
    isRefusedByCron = true
    remarks.append(remark)
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
  /// Removes and returns the first word; also removes the blanks after it. Not inlined, because its many callers
  /// would enlarge the program.
  @inline(never) mutating func word() -> Substring {
    let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
    let word = prefix { !isBlank($0) }
    self = dropFirst(word.count).drop(while: isBlank)
    return word
  }
}
