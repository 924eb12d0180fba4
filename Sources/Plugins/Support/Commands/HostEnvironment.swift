import Glibc

/// The environment of the plugin host, without what is meant for the host itself.
enum HostEnvironment {
  /// The variables by their names.
  static var variables: [String: String] {
    var result: [String: String] = [:]
    var entry = environ
    while let text = entry.pointee {
      let pair = String(cString: text).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if pair.count == 2 { result[String(pair[0])] = String(pair[1]) }
      entry += 1
    }
    // The daemon's word to the host's own Swift runtime, and no business of the command's.
    result["SWIFT_BACKTRACE"] = nil
    return result
  }
}
