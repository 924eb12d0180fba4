/// One file's bytes and its name in diagnostics. The caller reads the file.
///
/// The main file comes first, then the files of `jobs.d` in the order of their names.
package struct ConfigurationSource: Sendable, Equatable {
  /// The path as printed in diagnostics.
  package var path: String
  /// UTF-8, at most ``ConfigurationLimits/fileByteCountMax`` bytes.
  package var bytes: [UInt8]

  /// The place named by all diagnostics about a text that was generated from another file; otherwise `nil`.
  package var origin: SourcePlace?

  /// Whether some users may not read the file.
  package var isPrivate = false

  package init(path: String, bytes: [UInt8], origin: SourcePlace? = nil) {
    self.path = path
    self.bytes = bytes
    self.origin = origin
  }
}
