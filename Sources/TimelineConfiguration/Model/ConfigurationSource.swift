/// One file's bytes and the name under which diagnostics speak of it. Who read them is the caller's business.
///
/// The main file comes first, then the files of `jobs.d` in the order of their names.
package struct ConfigurationSource: Sendable, Hashable {
  /// The path as diagnostics print it.
  package var path: String
  /// The file's contents; at most ``ConfigurationLimits/fileByteCountMax``, UTF-8.
  package var bytes: [UInt8]

  /// Makes a source.
  package init(path: String, bytes: [UInt8]) {
    self.path = path
    self.bytes = bytes
  }
}
