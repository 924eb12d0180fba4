import Glibc

/// The environment of the plugin host, without the variables for the host itself.
enum HostEnvironment {
  static var variables: [String: String] {
    var result: [String: String] = [:]
    var entry = environ
    while let text = entry.pointee {
      let pair = String(cString: text).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if pair.count == 2 { result[String(pair[0])] = String(pair[1]) }
      entry += 1
    }
    // The daemon sets this variable for the Swift runtime of the host, so commands do not inherit it.
    result["SWIFT_BACKTRACE"] = nil
    return result
  }
}
