/// One file's bytes and its name in diagnostics. The caller reads the file.
///
/// The main file comes first, then the files of `jobs.d` in the order of their names.
package struct ConfigurationSource: Sendable, Hashable {
  /// The path in the form for diagnostics.
  package var path: String
  /// The file's contents: UTF-8, at most ``ConfigurationLimits/fileByteCountMax`` bytes.
  package var bytes: [UInt8]

  /// The place that all diagnostics about this text name, if it was generated from another file; otherwise `nil`.
  package var origin: SourcePlace?

  /// Whether the file is private: some users may not read it.
  package var isPrivate = false

  /// Makes a source.
  package init(path: String, bytes: [UInt8], origin: SourcePlace? = nil) {
    self.path = path
    self.bytes = bytes
    self.origin = origin
  }
}
