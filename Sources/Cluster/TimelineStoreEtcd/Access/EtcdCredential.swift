/// Secrets for the authentication to etcd, in the variables of etcdctl.
package struct EtcdCredential: Sendable, Equatable {
  package var user: String?
  package var password: String?
  /// Path of the client's certificate.
  package var certificate: String?
  /// Path of the certificate's key.
  package var key: String?
  /// Path of the file with the certificates of authorities; `nil` for the system's certificates.
  package var authority: String?

  package init() {}

  /// Reason why a text is not a valid credential.
  package struct Refusal: Error {
    /// One line for the operator, without secrets.
    package var message: String
  }

  /// Reads lines of the form `NAME=VALUE`; empty lines and lines that begin with `#` are skipped.
  package init(text: String) throws(Refusal) {
    for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      let words = line.trimmed
      if words.isEmpty || words.hasPrefix("#") { continue }
      guard let mark = words.firstIndex(of: "="), !words.contains("\0") else {
        throw Refusal(message: "line \(number + 1) is not of the form NAME=VALUE: write it so")
      }
      try set(words[..<mark].trimmed, words[words.index(after: mark)...].trimmed.unquoted)
    }
    guard (certificate == nil) == (key == nil) else {
      throw Refusal(message: "ETCDCTL_CERT and ETCDCTL_KEY belong together: set both")
    }
    guard (user == nil) == (password == nil) else {
      throw Refusal(message: "a user and a password belong together: set ETCDCTL_USER=NAME:PASSWORD")
    }
  }

  private mutating func set(_ name: Substring, _ value: Substring) throws(Refusal) {
    switch name {
    case "ETCDCTL_USER":
      let parts = value.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      user = String(parts[0])
      if parts.count == 2 { password = String(parts[1]) }
    case "ETCDCTL_PASSWORD": password = String(value)
    case "ETCDCTL_CERT": certificate = String(value)
    case "ETCDCTL_KEY": key = String(value)
    case "ETCDCTL_CACERT": authority = String(value)
    default:
      throw Refusal(
        message:
          "\"\(String(name).printableLine)\" is not known: use ETCDCTL_USER, ETCDCTL_PASSWORD, ETCDCTL_CERT, ETCDCTL_KEY and ETCDCTL_CACERT"
      )
    }
  }
}

extension Substring {
  fileprivate var trimmed: Substring {
    var text = drop { $0 == " " || $0 == "\t" }
    while let last = text.last, last == " " || last == "\t" || last == "\r" { text.removeLast() }
    return text
  }

  /// The text without enclosing single or double quotes, which a file for a shell may have.
  fileprivate var unquoted: Substring {
    guard count > 1, let first, first == last, first == "\"" || first == "'" else { return self }
    return dropFirst().dropLast()
  }
}
