/// The specifiers of systemd.unit(5) whose values depend only on the name of the unit, the host, and the system manager of
/// root.
struct UnitSpecifiers {
  private let values: [Character: String]

  /// Makes the specifiers of a unit.
  init(unit: String, context: ImportContext) {
    let stem = unit.lastIndex(of: ".").map { String(unit[..<$0]) } ?? unit
    let at = stem.firstIndex(of: "@")
    let prefix = at.map { String(stem[..<$0]) } ?? stem
    let instance = at.map { String(stem[stem.index(after: $0)...]) } ?? ""
    let lastPart = { (text: String) in
      text.lastIndex(of: "-").map { String(text[text.index(after: $0)...]) } ?? text
    }
    values = [
      "%": "%", "n": unit, "N": stem, "p": prefix, "P": Self.unescaped(prefix), "i": instance,
      "I": Self.unescaped(instance), "j": lastPart(prefix), "J": Self.unescaped(lastPart(prefix)),
      "f": "/" + Self.unescaped(instance.isEmpty ? prefix : instance),
      "H": context.hostName, "l": String(context.hostName.prefix { $0 != "." }), "u": "root",
      "h": "/root",
      "t": "/run", "S": "/var/lib", "C": "/var/cache", "L": "/var/log", "E": "/etc", "T": "/tmp",
      "V": "/var/tmp",
    ]
  }

  /// Replaces the specifiers in a value. Unknown specifiers remain, and are returned.
  func resolve(_ text: String) -> (text: String, unknown: Set<String>) {
    guard text.contains("%") else { return (text, []) }
    var result = ""
    var unknown: Set<String> = []
    var rest = text[...]
    while let character = rest.popFirst() {
      guard character == "%", let letter = rest.first else {
        result.append(character)
        continue
      }
      if let value = values[letter] {
        result += value
        rest = rest.dropFirst()
      } else {
        // A percent sign before any character that is not a letter is a plain percent sign.
        if letter.isLetter { unknown.insert("%\(letter)") }
        result.append(character)
      }
    }
    return (result, unknown)
  }

  /// Returns a name unescaped as by systemd-escape(1).
  private static func unescaped(_ text: String) -> String {
    var bytes: [UInt8] = []
    var rest = text[...]
    while let character = rest.popFirst() {
      if character == "-" {
        bytes.append(UInt8(ascii: "/"))
      } else if character == "\\", rest.first == "x", let value = UInt8(rest.dropFirst().prefix(2), radix: 16)
      {
        bytes.append(value)
        rest = rest.dropFirst(3)
      } else {
        bytes += Array(String(character).utf8)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
