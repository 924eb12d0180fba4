import TimelineCore
import TimelineJSON

/// Converts `with` to the text for opening the plugin.
///
/// Keys are sorted by their bytes, so the order of lines in the file has no effect. There is no white space. Dates
/// and times are RFC 3339 text. The values `inf` and `nan`, which JSON does not have, are reported.
struct CanonicalJSON {
  let reading: FileReading

  /// Returns the object of these entries.
  func text(of entries: TOMLTable) -> String {
    var text = ""
    append(entries, path: "with", to: &text)
    return text
  }

  /// Returns the text of a value.
  func text(of value: TOMLValue) -> String {
    var text = ""
    append(value, path: value.document.key(at: value.index), to: &text)
    return text
  }

  private func append(_ entries: TOMLTable, path: @autoclosure () -> String, to text: inout String) {
    var members = entries.map { (key: $0.key, value: $0.value) }
    if members.count > 1 { members.sort { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) } }
    text += "{"
    for (index, member) in members.enumerated() {
      if index > 0 { text += "," }
      text += JSONText.quoted(member.key)
      text += ":"
      append(member.value, path: "\(path()).\(member.key)", to: &text)
    }
    text += "}"
  }

  private func append(_ value: TOMLValue, path: @autoclosure () -> String, to text: inout String) {
    switch value.content {
    case .string(let string): text += JSONText.quoted(string)
    case .integer(let number): text += String(number)
    case .float(let number):
      if number.isFinite { return text += number.description }
      reading.log.error(
        "`\(path())` is \(number), which cannot be handed to a plugin", at: value.place,
        label: "expected a number that JSON can write")
      text += "null"
    case .boolean(let value): text += value ? "true" : "false"
    case .localDate, .localTime, .localDateTime, .offsetDateTime:
      text += JSONText.quoted(value.dateText ?? "")
    case .array(let values):
      text += "["
      for (index, element) in values.enumerated() {
        if index > 0 { text += "," }
        append(element, path: "\(path())[\(index)]", to: &text)
      }
      text += "]"
    case .table(let entries): append(entries, path: path(), to: &text)
    }
  }
}

extension TOMLValue {
  /// RFC 3339 text of a date, a time or both, as in the file; `nil` for any other value.
  var dateText: String? {
    switch content {
    case .localDate(let date): date.description
    case .localTime(let time): time.description
    case .localDateTime(let civil): RFC3339.text(civil)
    case .offsetDateTime(let civil, let minutes): RFC3339.text(civil, offsetMinutes: minutes)
    default: nil
    }
  }

  /// Whether the value contains a date or a time, which canonical JSON cannot distinguish from a string.
  var holdsDates: Bool {
    switch content {
    case .localDate, .localTime, .localDateTime, .offsetDateTime: true
    case .array(let values): values.contains(where: \.holdsDates)
    case .table(let entries): entries.contains(where: \.value.holdsDates)
    case .string, .integer, .float, .boolean: false
    }
  }
}
