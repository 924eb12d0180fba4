internal import FoundationEssentials

/// One call sent by a client.
package struct VarlinkCall: Sendable {
  /// The number of a call on its connection, from 1. The owner of the connection replies to this number.
  package struct ID: Sendable, Hashable {
    let number: UInt64
  }

  package let id: ID
  /// The interface and the method's name in it.
  package let method: String
  /// Whether the client accepts more than one reply.
  package let wantsMore: Bool
  /// Whether the client expects no reply at all.
  package let isOneway: Bool
  let wantsUpgrade: Bool
  private let bytes: [UInt8]

  /// Reads a message; returns `nil` if the message is not a call.
  init?(_ bytes: [UInt8], id: ID) {
    guard let head = try? JSONDecoder().decode(Head.self, from: Data(bytes)) else { return nil }
    self.id = id
    method = head.method
    wantsMore = head.more ?? false
    isOneway = head.oneway ?? false
    wantsUpgrade = head.upgrade ?? false
    self.bytes = bytes
  }

  /// The interface of the method; empty if the name has no interface.
  var interface: String {
    method.lastIndex(of: ".").map { String(method[..<$0]) } ?? ""
  }

  /// Returns the call's parameters. Throws the error to reply if the parameters do not have the form of `type`.
  ///
  /// An unknown parameter is refused with an error that names the parameter, as in systemd's services. Otherwise a misspelled
  /// parameter would change the effect of the call. A parameter that is null counts as absent.
  package func parameters<Parameters: Codable>(as type: Parameters.Type) throws(VarlinkError) -> Parameters {
    let unknown: String?
    do {
      let body = try JSONDecoder().decode(Body<Parameters>.self, from: Data(bytes))
      let known = try JSONDecoder().decode(Members.self, from: JSONEncoder().encode(body.parameters))
      unknown = body.members.names.subtracting(known.names).min()
      guard unknown != nil else { return body.parameters }
    } catch let error as DecodingError {
      throw .invalidParameter(error.field)
    } catch {
      throw .invalidParameter("parameters")
    }
    throw .invalidParameter(unknown ?? "parameters")
  }

  private struct Head: Decodable {
    var method: String
    var more: Bool?
    var oneway: Bool?
    var upgrade: Bool?
  }

  private struct Body<Parameters: Decodable>: Decodable {
    var parameters: Parameters
    var members: Members

    enum CodingKeys: CodingKey { case parameters }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      // A call without parameters is read as a call with empty parameters, so that the error names the missing field.
      parameters =
        try container.decodeIfPresent(Parameters.self, forKey: .parameters)
        ?? JSONDecoder().decode(Parameters.self, from: Data("{}".utf8))
      members = try container.decodeIfPresent(Members.self, forKey: .parameters) ?? Members()
    }
  }

  /// Names of an object's members that are not null.
  private struct Members: Decodable {
    var names: Set<String> = []

    init() {}

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Name.self)
      for key in container.allKeys where try !container.decodeNil(forKey: key) {
        names.insert(key.stringValue)
      }
    }

    struct Name: CodingKey {
      let stringValue: String
      var intValue: Int? { nil }

      init(stringValue: String) { self.stringValue = stringValue }

      init?(intValue: Int) { nil }
    }
  }
}

extension DecodingError {
  /// The innermost field that is invalid or missing.
  fileprivate var field: String {
    switch self {
    case .keyNotFound(let key, _): key.stringValue
    case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
      context.codingPath.last?.stringValue ?? "parameters"
    @unknown default: "parameters"
    }
  }
}

/// Writes messages: JSON without a NUL, followed by a NUL.
enum VarlinkEncoding {
  /// Returns a reply with `parameters`.
  static func reply(_ parameters: some Encodable, continues: Bool) throws -> [UInt8] {
    try message(Reply(parameters: parameters, continues: continues ? true : nil))
  }

  /// Returns a reply with an error.
  static func failure(_ error: VarlinkError) throws -> [UInt8] {
    try message(Failure(error: error.name, parameters: error.parameters))
  }

  /// Returns a call of `method`.
  static func call(_ method: String, _ parameters: some Encodable, more: Bool) throws -> [UInt8] {
    try message(Call(method: method, parameters: parameters, more: more ? true : nil))
  }

  private static func message(_ value: some Encodable) throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return try Array(encoder.encode(value)) + [0]
  }

  private struct Reply<Parameters: Encodable>: Encodable {
    var parameters: Parameters
    var continues: Bool?
  }

  private struct Failure: Encodable {
    var error: String
    var parameters: [String: String]
  }

  private struct Call<Parameters: Encodable>: Encodable {
    var method: String
    var parameters: Parameters
    var more: Bool?
  }
}
