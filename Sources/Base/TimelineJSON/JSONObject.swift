/// The members of a JSON object, in order of the bytes of their keys.
package struct JSONObject: Sendable, Hashable {
  /// One member of an object.
  package struct Member: Sendable, Hashable {
    package let key: String
    package let value: JSONValue
  }

  private var members: [Member] = []

  /// Makes an empty object.
  package init() {}

  /// Makes an object of members in any order. Of members with the same key, the last counts.
  package init(_ pairs: some Sequence<(key: String, value: JSONValue)>) {
    self.init(Dictionary(pairs.map { (Array($0.key.utf8), $0.value) }, uniquingKeysWith: { $1 }))
  }

  // Keys are compared by bytes, because Swift's == does not distinguish two spellings of an accent.
  init(_ members: [[UInt8]: JSONValue]) {
    self.members = members.sorted { $0.key.lexicographicallyPrecedes($1.key) }
      .map { Member(key: String(decoding: $0.key, as: UTF8.self), value: $0.value) }
  }

  /// The value under a key.
  package subscript(key: String) -> JSONValue? { value(under: Array(key.utf8)) }

  func value(under key: [UInt8]) -> JSONValue? {
    var (low, high) = (0, members.count)
    while low < high {
      let middle = (low + high) / 2
      if members[middle].key.utf8.lexicographicallyPrecedes(key) { low = middle + 1 } else { high = middle }
    }
    guard low < members.count, members[low].key.utf8.elementsEqual(key) else { return nil }
    return members[low].value
  }
}

extension JSONObject: RandomAccessCollection {
  package var startIndex: Int { 0 }
  package var endIndex: Int { members.count }
  /// The member at `index`.
  package subscript(index: Int) -> Member { members[index] }
}
