internal import FoundationEssentials

/// Reasons why a call has no reply.
package enum VarlinkClientError: Error, Sendable {
  /// The service replied with an error.
  case remote(VarlinkError)
  /// Reading from or writing to the connection failed.
  case connection(any Error)
  /// The service closed the connection before it had replied.
  case closed
  /// The received message is not a reply, or has an unexpected form; the text names the fault.
  case malformedReply(String)
  /// The caller's handler of replies failed with this error.
  case receiver(any Error)
}

extension VarlinkClientError: CustomStringConvertible {
  /// Message with the cause and the remedy; the caller prefixes it with the program's name and "error".
  package var description: String {
    switch self {
    case .remote(let error): ControlError(error)?.description ?? "the daemon refused: \(error)"
    case .connection(let error), .receiver(let error): "\(error)"
    case .closed: "the daemon closed the connection without an answer: see its log"
    case .malformedReply(let text):
      "the daemon's answer was not understood (\(text)): use timelinectl of the daemon's version"
    }
  }
}

/// The client side of one Varlink connection over blocking reads and writes; one call at a time.
package final class VarlinkClient {
  /// The connection: two blocking closures.
  package struct Port {
    /// Waits for bytes and returns at least one byte. Returns no bytes at the end of the stream.
    package var read: () throws -> [UInt8]
    /// Writes all bytes.
    package var write: ([UInt8]) throws -> Void
    /// Called before the wait for each reply, so that each wait can have a timeout.
    package var replyIsExpected: () -> Void

    package init(
      read: @escaping () throws -> [UInt8], write: @escaping ([UInt8]) throws -> Void,
      replyIsExpected: @escaping () -> Void = {}
    ) {
      self.read = read
      self.write = write
      self.replyIsExpected = replyIsExpected
    }
  }

  private let port: Port
  private var inbox: [UInt8] = []
  private var searchedCount = 0

  package init(port: Port) {
    self.port = port
  }

  /// Calls `method` (with its interface) and waits for the reply.
  package func call<Reply: Decodable>(
    _ method: String, _ parameters: some Encodable, replying type: Reply.Type = Reply.self
  ) throws(VarlinkClientError) -> Reply {
    try send(method, parameters, more: false)
    return try receive(type).parameters
  }

  /// Calls `method` with `more`, passes each reply to `each` on arrival, and returns the last reply. The last reply is also
  /// passed to `each`.
  package func callForMore<Reply: Decodable>(
    _ method: String, _ parameters: some Encodable, each: (Reply) throws -> Void
  ) throws(VarlinkClientError) -> Reply {
    try send(method, parameters, more: true)
    while true {
      let reply = try receive(Reply.self)
      do { try each(reply.parameters) } catch { throw .receiver(error) }
      if reply.continues != true { return reply.parameters }
    }
  }

  private func send(_ method: String, _ parameters: some Encodable, more: Bool) throws(VarlinkClientError) {
    do {
      try port.write(try VarlinkEncoding.call(method, parameters, more: more))
    } catch {
      throw .connection(error)
    }
  }

  private func receive<Reply: Decodable>(_ type: Reply.Type) throws(VarlinkClientError) -> ReplyMessage<Reply>
  {
    port.replyIsExpected()
    let message = Data(try nextMessage())
    do {
      if let failure = try JSONDecoder().decode(FailureMessage.self, from: message).error {
        throw VarlinkClientError.remote(failure)
      }
      return try JSONDecoder().decode(ReplyMessage<Reply>.self, from: message)
    } catch let error as VarlinkClientError {
      throw error
    } catch {
      throw .malformedReply("\(error)")
    }
  }

  private func nextMessage() throws(VarlinkClientError) -> [UInt8] {
    while true {
      if let end = inbox[searchedCount...].firstIndex(of: 0) {
        defer {
          inbox.removeFirst(end + 1)
          searchedCount = 0
        }
        return Array(inbox[..<end])
      }
      searchedCount = inbox.count
      guard inbox.count < ControlLimits.replyBytesMax else {
        throw .malformedReply("a reply of more than \(ControlLimits.replyBytesMax) bytes")
      }
      let bytes: [UInt8]
      do { bytes = try port.read() } catch { throw .connection(error) }
      if bytes.isEmpty { throw .closed }
      inbox += bytes
    }
  }
}

private struct ReplyMessage<Parameters: Decodable>: Decodable {
  var parameters: Parameters
  var continues: Bool?

  enum CodingKeys: CodingKey { case parameters, continues }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    continues = try container.decodeIfPresent(Bool.self, forKey: .continues)
    parameters = try container.decode(Parameters.self, forKey: .parameters)
  }
}

private struct FailureMessage: Decodable {
  var error: VarlinkError?

  enum CodingKeys: CodingKey { case error, parameters }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    guard let name = try container.decodeIfPresent(String.self, forKey: .error) else { return }
    // Errors of other interfaces may have parameters of any form; only their names are kept then.
    let parameters = (try? container.decodeIfPresent([String: String].self, forKey: .parameters)) ?? [:]
    error = VarlinkError(name: name, parameters: parameters)
  }
}
