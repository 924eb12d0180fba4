/// One request, filled in for a run.
package struct Request {
  /// The method, in capital letters.
  package var method: String
  /// The whole URL.
  package var url: String
  /// Headers beside libcurl's own.
  package var headers: [(name: String, value: String)]
  /// The body; `nil` for none.
  package var body: String?
  /// The request as messages name it: its method and URL, unless the URL holds a secret.
  package var words: String

  /// Makes a request.
  package init(
    method: String, url: String, headers: [(name: String, value: String)] = [], body: String? = nil,
    words: String? = nil
  ) {
    (self.method, self.url, self.headers, self.body) = (method, url, headers, body)
    self.words = words ?? "\(method) \(url)"
  }

  /// Whether it has a header of that name.
  package func sets(_ name: String) -> Bool {
    headers.contains { $0.name.lowercased() == name.lowercased() }
  }

  /// The body as it goes out: a method that is made for one says that there is none by an empty one (RFC 9110, 8.6).
  var sentBody: String? { body ?? (["POST", "PUT", "PATCH"].contains(method) ? "" : nil) }
}

/// The response to the request.
package struct Response {
  /// The status.
  package var status: Int64
  /// The beginning of the body, at most 64 KiB of it.
  package var body: String
  /// All of the body's bytes.
  package var length: Int
  /// The time that the request took.
  package var microseconds: Int64

  /// Whether the same request may well succeed later.
  package var isTransient: Bool { [408, 425, 429].contains(status) || (500...599).contains(status) }

  /// The first line of the body after a colon, if it has one worth showing.
  package var quote: String {
    let line = body.split(whereSeparator: \.isNewline).first ?? ""
    let text = line.prefix(200).filter {
      !$0.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0xFFFD }
    }
    return text.isEmpty ? "" : ": \(text)"
  }
}
