/// An address to listen at, such as `127.0.0.1:8463`.
struct ListenAddress: Sendable, Hashable, CustomStringConvertible {
  /// Without brackets.
  let host: String
  let port: Int

  /// Reads `HOST:PORT`; `nil` for other text. An IPv6 address has brackets.
  init?(_ text: String) {
    guard let colon = text.lastIndex(of: ":"), let port = Int(text[text.index(after: colon)...]),
      (1...65_535).contains(port)
    else { return nil }
    var host = String(text[..<colon])
    if host.hasPrefix("["), host.hasSuffix("]") {
      host = String(host.dropFirst().dropLast())
    } else if host.contains(":") {
      return nil
    }
    guard !host.isEmpty else { return nil }
    self.host = host.lowercased()
    self.port = port
  }

  /// The address in the form of URLs.
  var description: String { "\(host.contains(":") ? "[\(host)]" : host):\(port)" }

  /// Whether only this machine can reach the address.
  var isLoopback: Bool { host == "localhost" || host == "::1" || host.hasPrefix("127.") }

  /// The hosts that a browser may name.
  var hostNames: Set<String> {
    let loopback = ["127.0.0.1", "localhost", "[::1]"].map { "\($0):\(port)" }
    return Set(isLoopback ? loopback : []).union([description])
  }
}
