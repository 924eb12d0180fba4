import TimelineCore

/// Turns `with` into the text that the plugin is opened with.
///
/// Keys are sorted by their bytes, so that moving a line in the file changes nothing; there is no white space; dates
/// and times are RFC 3339 text. What JSON cannot say, `inf` and `nan`, is reported.
struct CanonicalJSON {
  let reading: FileReading

  /// The object of those entries.
  func text(of entries: [TOMLEntry]) -> String { object(entries, path: "with") }

  private func object(_ entries: [TOMLEntry], path: String) -> String {
    let sorted = entries.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    return JSONText.object(sorted.map { ($0.key, text(of: $0.value, path: "\(path).\($0.key)")) })
  }

  private func text(of value: TOMLValue, path: String) -> String {
    switch value.content {
    case .string(let text): return JSONText.quoted(text)
    case .integer(let number): return String(number)
    case .float(let number):
      guard number.isFinite else {
        reading.log.error(
          "`\(path)` is \(number), which cannot be handed to a plugin", at: reading.place(of: value),
          label: "expected a number that JSON can write")
        return "null"
      }
      return number.description
    case .boolean(let value): return value ? "true" : "false"
    case .localDate, .localTime, .localDateTime, .offsetDateTime: return JSONText.quoted(value.dateText ?? "")
    case .array(let values):
      return JSONText.array(values.enumerated().map { text(of: $1, path: "\(path)[\($0)]") })
    case .table(let entries): return object(entries, path: path)
    }
  }
}

extension TOMLValue {
  /// RFC 3339 for a date, a time or both, as in the file; `nil` for everything else.
  var dateText: String? {
    switch content {
    case .localDate(let date): date.description
    case .localTime(let time): time.description
    case .localDateTime(let civil): RFC3339.text(civil)
    case .offsetDateTime(let civil, let minutes): RFC3339.text(civil, offsetMinutes: minutes)
    default: nil
    }
  }
}
