import PluginSupport
import TimelinePluginKit

extension Template {
  /// Returns the URL with the values of the run. Each value stays within its part of the path or the query.
  ///
  /// Throws if a value makes a part of the path `.` or `..`. Clients and servers remove such a part even if it is encoded,
  /// and for `..` also the part before it (RFC 3986, 5.2.4 and 6.2.2.2).
  func filledURL(for context: RunContext) throws -> String {
    let url = filled(for: context) { $0.percentEncoded }
    for (part, plain) in zip(Self.parts(of: url), Self.parts(of: filled(for: context) { _ in "x" }))
    where part != plain && [".", ".."].contains(part.percentDecoded) {
      throw Failure(
        "the path of the URL would have the part \"\(part.percentDecoded)\" by a placeholder, and servers remove it: "
          + "put the placeholder into the query, a header or the body")
    }
    return url
  }

  /// Returns the parts of the URL before the query, split at slashes.
  private static func parts(of url: String) -> [String] {
    url.prefix { $0 != "?" && $0 != "#" }.split(separator: "/", omittingEmptySubsequences: false).map {
      String($0)
    }
  }
}
