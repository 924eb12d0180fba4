import TimelineCore

/// A place in a file as the parser counts: lines and columns from 1, columns in Unicode scalars.
struct TextPosition: Sendable, Hashable {
  var line: Int
  var column: Int
}

/// A value of a TOML file, and from where to where it stands.
///
/// For a table with a header the stretch is the header, for one made by a dotted key it is the key.
struct TOMLValue: Sendable {
  var content: Content
  var begin: TextPosition
  /// The place after the last character.
  var end: TextPosition

  enum Content: Sendable {
    case string(String)
    case integer(Int64)
    case float(Double)
    case boolean(Bool)
    case localDate(CivilDate)
    case localTime(CivilTime)
    case localDateTime(CivilDateTime)
    case offsetDateTime(CivilDateTime, offsetMinutes: Int)
    case array([TOMLValue])
    case table([TOMLEntry])
  }
}

/// A key of a table, with its value; a table holds its entries in the file's order.
struct TOMLEntry: Sendable {
  var key: String
  var keyBegin: TextPosition
  var keyEnd: TextPosition
  var value: TOMLValue
}

extension TOMLValue {
  /// What the value is, with its article, for sentences.
  var kind: String {
    switch content {
    case .string: "a string"
    case .integer: "an integer"
    case .float: "a float"
    case .boolean: "a boolean"
    case .localDate: "a date"
    case .localTime: "a time of day"
    case .localDateTime: "a date-time without an offset"
    case .offsetDateTime: "a date-time"
    case .array: "an array"
    case .table: "a table"
    }
  }
}
