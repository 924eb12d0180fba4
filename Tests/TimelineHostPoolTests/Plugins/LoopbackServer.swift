import Foundation
import Glibc
import Synchronization

/// A web server on 127.0.0.1 that answers by the path, for as long as a test needs it: one request per connection, but any
/// number for `/kept`.
final class LoopbackServer: Sendable {
  let port: UInt16
  private let listener: Int32
  private let requests = Requests()

  /// All received requests, one after the other.
  var received: String { requests.text.withLock { $0 } }

  private final class Requests: Sendable {
    let text = Mutex("")
  }

  init() throws {
    let accepting = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let code = unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
        unsafe bind(accepting, generic, length) == 0 && listen(accepting, 16) == 0
          && getsockname(accepting, generic, &length) == 0
      }
    }
    guard code else { throw Fixtures.BuildFailure(description: "there is no port to listen on") }
    port = UInt16(bigEndian: address.sin_port)
    listener = accepting
    let requests = requests
    Thread.detachNewThread {
      for number in 1... {
        let connection = accept(accepting, nil, nil)
        guard connection >= 0 else { return }
        Thread.detachNewThread {
          while Self.serve(connection, number, requests) {}
          close(connection)
        }
      }
    }
  }

  deinit {
    shutdown(listener, Int32(SHUT_RDWR))
    close(listener)
  }

  func url(_ path: String) -> String { "http://127.0.0.1:\(port)\(path)" }

  /// Serves one request; returns whether another may follow.
  private static func serve(_ connection: Int32, _ number: Int, _ requests: Requests) -> Bool {
    var text = ""
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while !isComplete(text) {
      let count = unsafe recv(connection, &buffer, buffer.count, 0)
      guard count > 0 else { return false }
      text += String(decoding: buffer[..<count], as: UTF8.self)
    }
    requests.text.withLock { $0 += text }
    let path = text.split(separator: " ").dropFirst().first.map(String.init) ?? ""
    let numbers = path.split { !$0.isNumber }.compactMap { Int($0) }
    switch path.split(separator: "/").first {
    case "status":
      answer(connection, status: Int(path.split(separator: "/").last ?? "") ?? 200, body: "as you wish\nmore")
    case "api" where path.hasPrefix("/api/13/"):
      answer(connection, status: 401, body: "no such monitor: \(path)")
    case "echo", "api": answer(connection, status: 200, body: text)
    case "redirect": answer(connection, status: 302, headers: "Location: /status/200\r\n", body: "")
    case "moved":
      let status = Int(path.split(separator: "/").last ?? "") ?? 302
      answer(connection, status: status, headers: "Location: /echo\r\n", body: "")
    // Redirects to another server, whose port is in the path.
    case "away":
      let url = "http://127.0.0.1:\(numbers[1])/echo"
      answer(
        connection, status: numbers[0], headers: "Location: \(url)\r\n",
        body: String(repeating: "x", count: 500))
    // Quotes the whole request in one line, as servers do in error messages.
    case "quote": answer(connection, status: 401, body: text.replacing("\r\n", with: " "))
    // Quotes the token in the spellings of JSON, of HTML and of URLs.
    case "spell":
      let token = text.firstMatch(of: /Bearer (\S+)/)?.1 ?? ""
      let spellings = [
        token.replacing("/", with: "\\/"),
        token.replacing("=", with: "\\u003D").replacing("/", with: "\\u002f"),
        token.replacing("/", with: "&#x2F;").replacing("=", with: "&#61;"), token.replacing("/", with: "%2f"),
      ]
      answer(connection, status: 401, body: spellings.joined(separator: " "))
    case "big": answer(connection, status: 200, body: String(repeating: "x", count: 10_000))
    // Sends no response until the client closes the connection.
    case "silence": while unsafe recv(connection, &buffer, buffer.count, 0) > 0 {}
    // Closes the connection without a response.
    case "break": break
    case "kept":
      answer(connection, status: 200, body: "connection \(number)", isLast: false)
      return true
    default: answer(connection, status: 404, body: "no such thing")
    }
    return false
  }

  private static func isComplete(_ text: String) -> Bool {
    guard let end = text.range(of: "\r\n\r\n") else { return false }
    let length = text[..<end.lowerBound].split(separator: "\r\n").first {
      $0.lowercased().hasPrefix("content-length:")
    }
    let wanted = length.flatMap { Int($0.dropFirst(15).trimmingCharacters(in: .whitespaces)) } ?? 0
    return text[end.upperBound...].utf8.count >= wanted
  }

  private static func answer(
    _ connection: Int32, status: Int, headers: String = "", body: String, isLast: Bool = true
  ) {
    let text =
      "HTTP/1.1 \(status) Test\r\n\(headers)Content-Length: \(body.utf8.count)\r\n"
      + "Connection: \(isLast ? "close" : "keep-alive")\r\n\r\n\(body)"
    let bytes = Array(text.utf8)
    _ = unsafe send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL))
  }
}
