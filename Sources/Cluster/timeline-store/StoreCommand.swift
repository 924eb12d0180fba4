internal import TimelineSystem

/// The parsed command line.
enum StoreCommand: Equatable {
  case postgresql(credential: String)
  case etcd(endpoints: [String], credential: String?)
  case help
  case version
  case wrong(String)

  /// Maximum number of endpoints: an etcd cluster has three to seven members, and each may have two addresses.
  private static let endpointsMax = 16

  init(_ arguments: [String]) {
    switch arguments.first {
    case nil: self = .wrong("store: none is given")
    case "--help", "-h": self = .help
    case "--version": self = .version
    case "postgresql":
      self =
        arguments.count == 3 && arguments[1] == "--credential"
        ? .postgresql(credential: arguments[2])
        : .wrong("postgresql: it takes --credential FILE and nothing else")
    case "etcd": self = Self.etcd(Array(arguments.dropFirst()))
    case .some(let other): self = .wrong("store \"\(other.printable)\": it is not known")
    }
  }

  private static func etcd(_ arguments: [String]) -> StoreCommand {
    var (endpoints, credential): ([String], String?) = ([], nil)
    for place in stride(from: 0, to: arguments.count, by: 2) {
      let value = place + 1 < arguments.count ? arguments[place + 1] : nil
      switch (arguments[place], value) {
      case ("--endpoint", let url?) where url.hasPrefix("http://") || url.hasPrefix("https://"):
        endpoints.append(url.hasSuffix("/") ? String(url.dropLast()) : url)
      case ("--credential", let file?) where credential == nil: credential = file
      default:
        return .wrong(
          "etcd: it takes --endpoint URL (http:// or https://), at most \(endpointsMax) times, and --credential FILE"
        )
      }
    }
    guard (1...endpointsMax).contains(endpoints.count) else {
      return .wrong("etcd: \(endpoints.count) endpoints: give 1 to \(endpointsMax), each by --endpoint URL")
    }
    return .etcd(endpoints: endpoints, credential: credential)
  }
}
