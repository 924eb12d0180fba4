import TimelinePluginKit

extension Request {
  /// Returns the request that follows a redirect with the status `status` to the absolute URL `location` (RFC 9110, 15.4).
  /// A GET follows 303, and also 301 and 302 after a POST.
  ///
  /// The headers and the body are only for the server that the job names: they are not sent to another server.
  func redirected(by status: Int64, to location: String) throws -> Request {
    let (old, new) = (WebAddress(url), WebAddress(location))
    guard ["http", "https"].contains(new.scheme.lowercased()), !new.host.isEmpty else {
      throw Failure(
        "\(words) failed: it was redirected to what is no URL of http or https: correct the job's `with`")
    }
    var request = self
    request.secrets.add(new.secrets)
    if status == 303 && method != "HEAD" || [301, 302].contains(status) && method == "POST" {
      (request.method, request.body) = ("GET", nil)
      request.headers.removeAll { $0.name.lowercased() == "content-type" }
    }
    if new.isOnServer(of: old) {
      request.url = new.withUserInfo(of: old)
    } else {
      request.url = location
      request.body = nil
      request.headers = []
    }
    return request
  }
}
