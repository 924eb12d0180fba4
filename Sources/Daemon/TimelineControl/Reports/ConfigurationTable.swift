/// A table of the configuration in effect (`ConfigurationTable`).
package struct ConfigurationTable: Codable, Sendable, Equatable {
  /// A value under its key (`ConfigurationValue`).
  package struct Value: Codable, Sendable, Equatable {
    package var key: String
    /// The value as TOML in one line.
    package var text: String
    /// `FILE:LINE`, `default`, or the option or variable that sets the value.
    package var origin: String

    package init(key: String, text: String, origin: String) {
      self.key = key
      self.text = text
      self.origin = origin
    }
  }

  /// The words of the header, such as `job` and `backup`.
  package var path: [String]
  /// Whether the table is an element of an array of tables.
  package var isElement: Bool
  /// `FILE:LINE` of the header; `nil` for a table that is in no file.
  package var origin: String?
  package var values: [Value]

  package init(path: [String], isElement: Bool = false, origin: String? = nil, values: [Value] = []) {
    self.path = path
    self.isElement = isElement
    self.origin = origin
    self.values = values
  }
}
