import TimelineCore

/// A unit of systemd: its settings, in the order of its file and of its drop-ins.
package struct UnitFile: Sendable {
  /// A file of the unit: the fragment or a drop-in.
  package struct Part: Sendable {
    /// Path, as messages name it.
    package var path: String
    /// The text.
    package var text: String

    /// Makes a part.
    package init(path: String, text: String) {
      (self.path, self.text) = (path, text)
    }
  }

  /// A line `KEY=VALUE`, continuation lines joined.
  struct Setting: Equatable {
    var section: String
    var key: String
    var value: String
    var path: String
    var line: Int
    /// The line, with its continuation lines joined.
    var text: String

    /// Whether it is `Unit=` of a timer. systemd keeps the first one.
    var isOfFirstUnit: Bool { section == "Timer" && key == "Unit" }
  }

  /// Name with its suffix, for example `logrotate.timer`.
  package var name: String
  /// Paths of its files.
  package let paths: [String]
  /// The settings.
  private(set) var settings: [Setting] = []
  /// Comments and blank lines, and lines that are no setting.
  private(set) var others: [ImportedLine] = []

  /// Longest unit that is read.
  package static let byteCountMax = 1_048_576

  /// Reads a unit from its files.
  package init(name: String, parts: [Part]) {
    self.name = name
    paths = parts.map(\.path)
    for part in parts { read(part) }
  }

  private mutating func read(_ part: Part) {
    // A carriage return and a newline are one character.
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
        // Comments between continuation lines are passed over.
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
  /// Values that systemd can read. It ignores a line with another.
  enum Kind {
    case any
    case boolean
    case span
  }

  /// The setting that holds, of one key or of several that set the same; `nil` where none does. Not inlined: it has many callers, and a
  /// program is to be small.
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

  /// The value of a setting that holds; `nil` where none does.
  func value(_ section: String, _ key: String) -> String? { setting(section, key)?.value }

  /// The values of a list that hold.
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

  /// The value of a boolean.
  func isTrue(_ section: String, _ key: String) -> Bool {
    setting(section, key, as: .boolean).flatMap { Self.boolean($0.value) } ?? false
  }

  /// The value of a time span.
  func span(_ section: String, _ key: String) -> ElapsedTime? {
    setting(section, key, as: .span).flatMap { UnitTimespan.parse($0.value) }
  }

  /// A remark about an assignment that systemd ignores, where it seems to take back one above it.
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

  /// The unit with each value's specifiers replaced, and those that only systemd can replace.
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
  /// The files that `systemctl cat` prints, each behind a line `# /PATH`: a unit's own file, then its drop-ins.
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

  /// Name of the template of an instance: `a@.timer` for `a@b.timer`; `nil` for other units.
  package static func template(of name: String) -> String? {
    guard let at = name.firstIndex(of: "@"), let dot = name.lastIndex(of: "."), at < dot else { return nil }
    let template = name[...at] + name[dot...]
    return template == name ? nil : String(template)
  }
}
