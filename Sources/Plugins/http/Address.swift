import PluginSupport
import TimelinePluginKit

extension Template {
  /// The URL with the values of the run, each within its part of the path or the query.
  ///
  /// A part of the path that a value makes `.` or `..` cannot be sent: clients and servers take it out, encoded or not, and `..` with
  /// the part before it (RFC 3986, 5.2.4 and 6.2.2.2).
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

  /// The texts between slashes before the query.
  private static func parts(of url: String) -> [String] {
    url.prefix { $0 != "?" && $0 != "#" }.split(separator: "/", omittingEmptySubsequences: false).map {
      String($0)
    }
  }
}
