internal import FoundationEssentials

/// Caller of a call: a cluster, and a node of it.
package struct StoreCaller: Sendable, Equatable {
  /// Name of the cluster.
  package var cluster: String
  /// Identity of the node's present daemon process, 32 random hexadecimal digits; `nil` if the caller is no node.
  package var epoch: String?

  package init(cluster: String, epoch: String? = nil) { (self.cluster, self.epoch) = (cluster, epoch) }
}

/// A call with its number and its caller, as JSON in one message.
package struct StoreRequest: Sendable, Equatable {
  /// Ascending number of the call, repeated in the reply.
  package var id: UInt64
  package var caller: StoreCaller
  package var call: StoreCall

  package init(id: UInt64, _ caller: StoreCaller, _ call: StoreCall) {
    (self.id, self.caller, self.call) = (id, caller, call)
  }
}

/// The answer to a ``StoreRequest``, as JSON in one message.
package struct StoreResponse: Sendable, Equatable {
  package var id: UInt64
  package var result: Result<StoreReply, StoreFailure>

  package init(id: UInt64, result: Result<StoreReply, StoreFailure>) { (self.id, self.result) = (id, result) }
}

extension StoreRequest: Codable {
  private enum Key: String, CodingKey {
    case id, method, cluster, epoch, parameters
  }

  /// Reads a request.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    id = try container.decode(UInt64.self, forKey: .id)
    caller = StoreCaller(
      cluster: try container.decode(String.self, forKey: .cluster),
      epoch: try container.decodeIfPresent(String.self, forKey: .epoch))
    func parameters<Parameters: Decodable>() throws -> Parameters {
      try container.decode(Parameters.self, forKey: .parameters)
    }
    call =
      switch try container.decode(StoreMethod.self, forKey: .method) {
      case .initialize: .initialize
      case .join: .join(try parameters())
      case .renew: .renew(try parameters())
      case .leave: .leave
      case .acquire: .acquire(try parameters())
      case .release: .release(try parameters())
      case .claim: .claim(try parameters())
      case .take: .take(try parameters())
      case .withdraw: .withdraw(try parameters())
      case .record: .record(try parameters())
      case .publish: .publish(try parameters())
      case .activate: .activate(try parameters())
      case .pause: .pause(try parameters())
      case .history: .history(try parameters())
      case .status: .status(try parameters())
      }
  }

  /// Writes the request.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(id, forKey: .id)
    try container.encode(call.method, forKey: .method)
    try container.encode(caller.cluster, forKey: .cluster)
    try container.encodeIfPresent(caller.epoch, forKey: .epoch)
    let parameters: (any Encodable)? =
      switch call {
      case .initialize, .leave: nil
      case .join(let parameters): parameters
      case .renew(let parameters): parameters
      case .acquire(let parameters): parameters
      case .release(let parameters): parameters
      case .claim(let parameters): parameters
      case .take(let parameters): parameters
      case .withdraw(let parameters): parameters
      case .record(let parameters): parameters
      case .publish(let parameters): parameters
      case .activate(let parameters): parameters
      case .pause(let parameters): parameters
      case .history(let parameters): parameters
      case .status(let parameters): parameters
      }
    if let parameters { try container.encode(parameters, forKey: .parameters) }
  }
}

extension StoreResponse: Codable {
  private enum Key: String, CodingKey {
    case id, failure, done, join, renew, acquire, claim, conflicts, history, status
  }

  /// Reads a response.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    id = try container.decode(UInt64.self, forKey: .id)
    if let failure = try container.decodeIfPresent(StoreFailure.self, forKey: .failure) {
      result = .failure(failure)
    } else if let reply = try container.decodeIfPresent(JoinReply.self, forKey: .join) {
      result = .success(.join(reply))
    } else if let reply = try container.decodeIfPresent(RenewReply.self, forKey: .renew) {
      result = .success(.renew(reply))
    } else if let reply = try container.decodeIfPresent(AcquireReply.self, forKey: .acquire) {
      result = .success(.acquire(reply))
    } else if let reply = try container.decodeIfPresent(ClaimReply.self, forKey: .claim) {
      result = .success(.claim(reply))
    } else if let reply = try container.decodeIfPresent(ConflictReply.self, forKey: .conflicts) {
      result = .success(.conflicts(reply))
    } else if let reply = try container.decodeIfPresent(StoreHistoryReply.self, forKey: .history) {
      result = .success(.history(reply))
    } else if let reply = try container.decodeIfPresent(StoreStatusReply.self, forKey: .status) {
      result = .success(.status(reply))
    } else {
      _ = try container.decode(Bool.self, forKey: .done)
      result = .success(.done)
    }
  }

  /// Writes the response.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(id, forKey: .id)
    switch result {
    case .failure(let failure): try container.encode(failure, forKey: .failure)
    case .success(.done): try container.encode(true, forKey: .done)
    case .success(.join(let reply)): try container.encode(reply, forKey: .join)
    case .success(.renew(let reply)): try container.encode(reply, forKey: .renew)
    case .success(.acquire(let reply)): try container.encode(reply, forKey: .acquire)
    case .success(.claim(let reply)): try container.encode(reply, forKey: .claim)
    case .success(.conflicts(let reply)): try container.encode(reply, forKey: .conflicts)
    case .success(.history(let reply)): try container.encode(reply, forKey: .history)
    case .success(.status(let reply)): try container.encode(reply, forKey: .status)
    }
  }
}

extension StoreRequest {
  /// Reads the JSON of a message. Throws ``StoreFailure`` of kind `malformed`.
  package init(message: [UInt8]) throws(StoreFailure) {
    do { self = try JSONDecoder().decode(StoreRequest.self, from: Data(message)) } catch {
      throw StoreFailure(.malformed, "the request is not understood: \(error)")
    }
  }

  /// The request as JSON.
  package var message: [UInt8] { Array(StoreJSON.data(self)) }
}

extension StoreResponse {
  /// Reads the JSON of a message. Throws ``StoreFailure`` of kind `malformed`.
  package init(message: [UInt8]) throws(StoreFailure) {
    do { self = try JSONDecoder().decode(StoreResponse.self, from: Data(message)) } catch {
      throw StoreFailure(.malformed, "the response is not understood: \(error)")
    }
  }

  /// The response as JSON.
  package var message: [UInt8] { Array(StoreJSON.data(self)) }
}

/// JSON of values in messages and in stores.
package enum StoreJSON {
  /// Returns the value as JSON.
  package static func encoded(_ value: some Encodable) -> String {
    String(decoding: data(value), as: UTF8.self)
  }

  fileprivate static func data(_ value: some Encodable) -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(value) else {
      preconditionFailure("strings, integers and truth values have a form in JSON")
    }
    return data
  }
}
