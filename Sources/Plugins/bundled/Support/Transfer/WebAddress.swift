import PluginSupport

/// A URL with a host, split into its parts (RFC 3986, 3).
package struct WebAddress {
  let scheme: Substring
  /// User and password before the host; `nil` for none.
  private let userInfo: Substring?
  /// The host, with the port if the URL has one.
  package let host: Substring
  let path: Substring
  /// The query with its question mark; empty for none.
  private let query: Substring

  /// Parses a URL.
  package init(_ url: String) {
    let parts = url.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
    scheme = (parts.first ?? "").dropLast()
    let afterScheme = parts.count == 3 ? parts[2] : ""
    let authority = afterScheme.prefix { !"/?#".contains($0) }
    let at = authority.lastIndex(of: "@")
    userInfo = at.map { authority[..<$0] }
    host = at.map { authority[authority.index(after: $0)...] } ?? authority
    let target = afterScheme[authority.endIndex...].prefix { $0 != "#" }
    path = target.prefix { $0 != "?" }
    query = target[path.endIndex...]
  }

  /// The URL for operators, with a mark in place of user, password and query, because these often contain secrets.
  var shown: String {
    "\(scheme)://\(userInfo == nil ? "" : "\(Secrets.mark)@")\(host)\(path)\(query.isEmpty ? "" : "?\(Secrets.mark)")"
  }

  /// The server: scheme, host and port (RFC 6454, 4).
  private var origin: String {
    let scheme = scheme.lowercased()
    let hasPort = host.last?.isNumber == true && host.split(separator: ":").count > 1 && !host.hasSuffix("]")
    return "\(scheme)://\(host.lowercased())\(hasPort ? "" : scheme == "https" ? ":443" : ":80")"
  }

  /// Whether both URLs are on the same server.
  func isOnServer(of other: WebAddress) -> Bool { origin == other.origin }

  /// The URL with the user and password of `other`, unless it has a user of its own.
  func withUserInfo(of other: WebAddress) -> String {
    let userInfo = (userInfo ?? other.userInfo).map { "\($0)@" } ?? ""
    return "\(scheme)://\(userInfo)\(host)\(path)\(query)"
  }

  /// The path with the query, the path alone, the query alone, and the parts of the path that are long enough for a key. All
  /// of them are secrets if the whole URL is a secret.
  package var targets: [String] {
    let wholes = ["\(path)\(query)", String(path), String(query.dropFirst())]
      .filter(SecretName.isLongEnough)
    // Shorter parts are words, such as `backups`.
    return wholes + path.split(separator: "/").filter { $0.utf8.count >= 16 }.map { String($0) }
  }

  /// The secrets of the URL: its user and password, also in the form of the header Authorization, and values of the query
  /// whose names suggest a secret, such as `token`.
  var secrets: [String] {
    let values = query.dropFirst().split(separator: "&").map { $0.split(separator: "=", maxSplits: 1) }
    var secrets = values.filter { $0.count == 2 && SecretName.fits($0[0]) }.map { String($0[1]) }
      .filter(SecretName.isLongEnough)
    guard let userInfo else { return secrets }
    let words = userInfo.split(separator: ":", maxSplits: 1).map { String($0) }
    // A user without a password is a token.
    if let last = words.last { secrets.append(last) }
    let pair = words.count == 2 ? String(userInfo) : "\(userInfo):"
    return secrets + [String(userInfo), pair.percentDecoded.base64]
  }
}

/// Names of headers and of parts of a query that suggest a secret value.
enum SecretName {
  private static let words = ["auth", "cookie", "key", "pass", "secret", "session", "sig", "token"]

  /// Whether `name` suggests a secret value.
  static func fits(_ name: some StringProtocol) -> Bool {
    let name = Substring(name.lowercased())
    return words.contains { word in name.indices.contains { name[$0...].hasPrefix(word) } }
  }

  /// Whether a text is long enough for a secret. A shorter text would also be replaced in the middle of words.
  static func isLongEnough(_ text: String) -> Bool { text.utf8.count >= 4 }
}

extension String {
  /// The text in base64 (RFC 4648, 4). Implemented here because the plugins link no library that has base64.
  fileprivate var base64: String {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    let bytes = Array(utf8)
    var result: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start...].prefix(3)
      let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
      for place in 0..<4 {
        result.append(place <= group.count ? alphabet[bits >> (18 - 6 * place) & 63] : UInt8(ascii: "="))
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}
