/// A key of a table: its values, and its row in the reference.
///
/// `TIMELINED_REGENERATE=1` with `KeyRowTests` writes the schema for editors and the tables of the reference from the rows.
package struct KeyRow: Sendable {
  package let key: String
  package let value: KeyValue
  /// The values in words.
  package let words: String
  /// The default in words; ``required`` for a key without one.
  package let fallback: String
  package let meaning: String
  /// Keys of the table that must be present beside this one.
  package let needs: [String]

  /// Default of a key that must be present.
  package static let required = "required"

  init(
    _ key: String, _ value: KeyValue, _ words: String, or fallback: String = "none", _ meaning: String,
    needs: [String] = []
  ) {
    (self.key, self.value, self.words) = (key, value, words)
    (self.fallback, self.meaning, self.needs) = (fallback, meaning, needs)
  }
}

/// The values of a key, as the schema for editors describes them.
package indirect enum KeyValue: Sendable {
  /// A value that the schema defines once, by its name.
  case definition(String)
  case word([String])
  /// A text; `pattern` is a regular expression, `nil` for any text.
  case text(pattern: String?)
  /// A whole number except 0.
  case position(ClosedRange<Int>)
  case integer(ClosedRange<Int>)
  case boolean
  /// `true` alone.
  case yes
  case list(of: KeyValue, ClosedRange<Int>, isSet: Bool = false)
  case table(KeyTable)

  static let duration = KeyValue.definition("duration")
  static let instant = KeyValue.definition("instant")
  static let localTime = KeyValue.definition("local-time")
  static let weekday = KeyValue.word(["mon", "tue", "wed", "thu", "fri", "sat", "sun"])
}
