import TimelineCore

/// A systemd unit: its settings, in the order of its file and its drop-ins.
package struct UnitFile: Sendable {
  /// A file of the unit: the main file or a drop-in.
  package struct Part: Sendable {
    /// Path in messages.
    package var path: String
    package var text: String

    package init(path: String, text: String) {
      (self.path, self.text) = (path, text)
    }
  }

  /// A line `KEY=VALUE`, with continuation lines joined.
  struct Setting: Equatable {
    var section: String
    var key: String
    var value: String
    var path: String
    var line: Int
    /// Text of the line, with continuation lines joined.
    var text: String

    /// Whether this is `Unit=` of a timer. systemd uses the first value of this key.
    var isOfFirstUnit: Bool { section == "Timer" && key == "Unit" }
  }

  /// With suffix, for example `logrotate.timer`.
  package var name: String
  package let paths: [String]
  private(set) var settings: [Setting] = []
  /// Comments, blank lines, and lines that are not settings.
  private(set) var others: [ImportedLine] = []

  /// Largest size of a file that is read, in bytes.
  package static let byteCountMax = 1_048_576

  /// Reads a unit from its files.
  package init(name: String, parts: [Part]) {
    self.name = name
    paths = parts.map(\.path)
    for part in parts { read(part) }
  }

  private mutating func read(_ part: Part) {
    // A carriage return with a newline is one Swift character.
    let lines = part.text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
    var section = ""
    var index = 0
    while index < lines.count {
      let first = index
      var text = lines[index].trimmed
      index += 1
      let isComment = text.hasPrefix("#") || text.hasPrefix(";")
      if text.isEmpty || isComment {
        if index < lines.count || !text.isEmpty {
          others.append(account(part, first, text, isComment ? .comment : .blank))
        }
        continue
      }
      var pieces = [text]
      while pieces[pieces.count - 1].hasSuffix("\\"), index < lines.count {
        let next = lines[index].trimmed
        index += 1
        // Comments between continuation lines are skipped.
        if next.hasPrefix("#") || next.hasPrefix(";") { continue }
        pieces[pieces.count - 1].removeLast()
        pieces.append(next)
      }
      text = pieces.joined(separator: " ")
      if text.hasPrefix("["), text.hasSuffix("]") {
        section = String(text.dropFirst().dropLast())
        others.append(account(part, first, text, .setting))
      } else if let mark = text.firstIndex(of: "=") {
        settings.append(
          Setting(
            section: section, key: text[..<mark].trimmed, value: text[text.index(after: mark)...].trimmed,
            path: part.path, line: first + 1, text: text))
      } else {
        var line = account(part, first, text, .unknown)
        line.refuse("it is no setting: correct the unit")
        others.append(line)
      }
    }
  }

  private func account(_ part: Part, _ index: Int, _ text: String, _ kind: ImportedLine.Kind) -> ImportedLine
  {
    ImportedLine(source: part.path, line: index + 1, text: text, kind: kind)
  }
}

extension UnitFile {
  /// Kinds of values. systemd ignores a line with a value of the wrong kind for its key.
  enum Kind {
    case any
    case boolean
    case span
  }

  /// Returns the setting in effect for one key, or for several keys that set the same value; `nil` if there is none.
  /// Not inlined, because its many callers would enlarge the program.
  @inline(never) func setting(_ section: String, _ keys: String..., as kind: Kind = .any) -> Setting? {
    var held: Setting?
    for setting in settings where setting.section == section {
      if setting.value.isEmpty {
        for key in keys where EmptyAssignment.resets(setting.key, key) { held = nil }
      } else if keys.contains(setting.key), Self.isRead(setting.value, as: kind),
        held == nil || !setting.isOfFirstUnit
      {
        held = setting
      }
    }
    return held
  }

  private static func isRead(_ value: String, as kind: Kind) -> Bool {
    switch kind {
    case .any: true
    case .boolean: boolean(value) != nil
    case .span: UnitTimespan.parse(value) != nil
    }
  }

  private static func boolean(_ value: String) -> Bool? {
    switch value.lowercased() {
    case "1", "yes", "true", "on", "y", "t": true
    case "0", "no", "false", "off", "n", "f": false
    default: nil
    }
  }

  /// Returns the value in effect; `nil` if there is none.
  func value(_ section: String, _ key: String) -> String? { setting(section, key)?.value }

  /// Returns the values of a list that are in effect.
  func list(_ section: String, _ key: String) -> [String] {
    settings.reduce(into: []) { values, setting in
      guard setting.section == section else { return }
      if setting.value.isEmpty {
        if EmptyAssignment.resets(setting.key, key) { values = [] }
      } else if setting.key == key {
        values.append(setting.value)
      }
    }
  }

  /// Returns the value of a boolean setting.
  func isTrue(_ section: String, _ key: String) -> Bool {
    setting(section, key, as: .boolean).flatMap { Self.boolean($0.value) } ?? false
  }

  /// Returns the value of a time span.
  func span(_ section: String, _ key: String) -> ElapsedTime? {
    setting(section, key, as: .span).flatMap { UnitTimespan.parse($0.value) }
  }

  /// Returns a remark about an assignment that systemd ignores, if the assignment seems to reset an earlier one.
  func remark(onIgnored setting: Setting) -> String? {
    guard setting.value.isEmpty ? EmptyAssignment.isIgnored(setting.key) : setting.isOfFirstUnit else {
      return nil
    }
    var above = self
    above.settings = Array(settings.prefix { $0 != setting })
    guard let held = above.value(setting.section, setting.key) else { return nil }
    return setting.value.isEmpty
      ? "systemd ignores an empty \(setting.key)=: `\(held)` stays"
      : "systemd ignores a further \(setting.key)=: `\(held)` stays"
  }

  /// Returns the unit with the specifiers in its values replaced, and the specifiers that only systemd can replace.
  func resolvingSpecifiers(in context: ImportContext) -> (
    unit: UnitFile, unresolved: Set<String>
  ) {
    var unit = self
    let specifiers = UnitSpecifiers(unit: name, context: context)
    var unresolved: Set<String> = []
    for index in unit.settings.indices {
      let (text, unknown) = specifiers.resolve(unit.settings[index].value)
      unit.settings[index].value = text
      unresolved.formUnion(unknown)
    }
    return (unit, unresolved)
  }
}

extension UnitFile {
  /// Returns the files in the output of `systemctl cat`: the unit's main file, then its drop-ins. In the output, each
  /// file follows a line `# /PATH`.
  package static func parts(ofListing text: String) -> [Part] {
    var parts: [Part] = []
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      let isDropIn = ["timer.d/", "service.d/"].contains { line.contains($0) }
      if line.hasPrefix("# /"), !line.dropFirst(2).contains(" "), parts.isEmpty || isDropIn {
        parts.append(Part(path: String(line.dropFirst(2)), text: ""))
      } else if !parts.isEmpty {
        parts[parts.count - 1].text += line + "\n"
      }
    }
    return parts
  }

  /// Returns the name of an instance's template: `a@.timer` for `a@b.timer`; `nil` for any other unit.
  package static func template(of name: String) -> String? {
    guard let at = name.firstIndex(of: "@"), let dot = name.lastIndex(of: "."), at < dot else { return nil }
    let template = name[...at] + name[dot...]
    return template == name ? nil : String(template)
  }
}
