import TimelineCore

/// A position in a file as counted by the parser: lines and columns from 1, columns in Unicode scalars.
struct TextPosition: Sendable, Equatable {
  var line: Int
  var column: Int
}

/// A value of a TOML file with its range in the file. Retains the document.
///
/// The range of a table is its header, or the key if a dotted key makes the table.
struct TOMLValue: Sendable {
  let document: TOMLDocument
  let index: UInt32

  var begin: TextPosition { document.stretch(at: index).begin }
  /// Position after the last character.
  var end: TextPosition { document.stretch(at: index).end }
  var place: SourcePlace { document.source.place(begin, end) }
  var keyPlace: SourcePlace {
    let (begin, end) = document.stretch(ofKeyAt: index)
    return document.source.place(begin, end)
  }
  var content: Content { document.content(at: index) }

  enum Content: Sendable {
    case string(String)
    case integer(Int64)
    case float(Double)
    case boolean(Bool)
    case localDate(CivilDate)
    case localTime(CivilTime)
    case localDateTime(CivilDateTime)
    case offsetDateTime(CivilDateTime, offsetMinutes: Int)
    case array(TOMLArray)
    case table(TOMLTable)
  }
}

/// A key of a table with its value.
struct TOMLEntry: Sendable {
  let value: TOMLValue

  /// Without quotes.
  var key: String { value.document.key(at: value.index) }
  var place: SourcePlace { value.keyPlace }
}

/// The entries of a table in the file's order.
struct TOMLTable: Collection, Sendable {
  let document: TOMLDocument
  let parent: UInt32

  var startIndex: UInt32 { document.firstChild(of: parent) }
  var endIndex: UInt32 { TOMLDocument.end }
  var count: Int { document.childCount(of: parent) }
  func index(after index: UInt32) -> UInt32 { document.sibling(after: index) }
  subscript(index: UInt32) -> TOMLEntry { TOMLEntry(value: TOMLValue(document: document, index: index)) }
}

/// The elements of an array in order.
struct TOMLArray: Collection, Sendable {
  let document: TOMLDocument
  let parent: UInt32

  var startIndex: UInt32 { document.firstChild(of: parent) }
  var endIndex: UInt32 { TOMLDocument.end }
  var count: Int { document.childCount(of: parent) }
  func index(after index: UInt32) -> UInt32 { document.sibling(after: index) }
  subscript(index: UInt32) -> TOMLValue { TOMLValue(document: document, index: index) }
}

extension TOMLValue {
  /// The kind of the value with its article, for messages.
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
