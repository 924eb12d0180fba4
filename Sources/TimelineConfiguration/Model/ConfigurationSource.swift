/// One file's bytes and the name under which diagnostics speak of it. Who read them is the caller's business.
///
/// The main file comes first, then the files of `jobs.d` in the order of their names.
package struct ConfigurationSource: Sendable, Hashable {
  /// The path as diagnostics print it.
  package var path: String
  /// The file's contents; at most ``ConfigurationLimits/fileByteCountMax``, UTF-8.
  package var bytes: [UInt8]

  /// The place that every diagnostic about it names, for text that was made of something else; `nil` for a file.
  package var origin: SourcePlace?

  /// Whether some users may not read the file.
  package var isPrivate = false

  /// Makes a source.
  package init(path: String, bytes: [UInt8], origin: SourcePlace? = nil) {
    self.path = path
    self.bytes = bytes
    self.origin = origin
  }
}
