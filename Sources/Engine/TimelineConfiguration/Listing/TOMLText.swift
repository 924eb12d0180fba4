import TimelineJSON

/// TOML in the form of a configuration listing: one line for each value.
package enum TOMLText {
  /// Returns the key, in quotes if it has bytes that a bare key may not have.
  package static func key(_ key: String) -> String {
    let isBare =
      !key.isEmpty
      && key.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
          true
        default: false
        }
      }
    return isBare ? key : string(key)
  }

  /// Returns the string in quotes. All escapes of JSON are also valid in a basic string of TOML.
  package static func string(_ text: String) -> String { JSONText.quoted(text) }

  /// Returns an array of strings.
  package static func array(_ texts: [String]) -> String {
    "[" + texts.map(string).joined(separator: ", ") + "]"
  }

  /// Returns an inline table; the texts of `members` are already TOML.
  package static func table(_ members: [(key: String, text: String)]) -> String {
    if members.isEmpty { return "{}" }
    return "{ " + members.map { "\(key($0.key)) = \($0.text)" }.joined(separator: ", ") + " }"
  }
}

extension TOMLValue {
  /// The value as TOML in one line. Tables become inline tables, regardless of their form in the file.
  var inlineText: String {
    switch content {
    case .string(let text): TOMLText.string(text)
    case .integer(let number): String(number)
    case .float(let number): number.description
    case .boolean(let value): value ? "true" : "false"
    case .localDate, .localTime, .localDateTime, .offsetDateTime: dateText ?? ""
    case .array(let values): "[" + values.map(\.inlineText).joined(separator: ", ") + "]"
    case .table(let entries): TOMLText.table(entries.map { ($0.key, $0.value.inlineText) })
    }
  }

  /// The value as JSON, with members in the order of the file. Dates become RFC 3339 text, and numbers that JSON does not
  /// have become text.
  var jsonText: String {
    switch content {
    case .string(let text): JSONText.quoted(text)
    case .integer(let number): String(number)
    case .float(let number): number.isFinite ? number.description : JSONText.quoted(number.description)
    case .boolean(let value): value ? "true" : "false"
    case .localDate, .localTime, .localDateTime, .offsetDateTime: JSONText.quoted(dateText ?? "")
    case .array(let values): JSONText.array(values.map(\.jsonText))
    case .table(let entries): JSONText.object(entries.map { ($0.key, $0.value.jsonText) })
    }
  }
}
