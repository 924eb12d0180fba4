import Foundation
import Testing
import TimelineStoreWire

/// The documentation of the wire format, compared with the coding.
struct StorePageTests {
  /// The JSON blocks of the page.
  private static let blocks: [String] = {
    let page = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../docs/store.md")
    guard let text = try? String(contentsOf: page, encoding: .utf8) else { return [] }
    return text.components(separatedBy: "```json\n").dropFirst().compactMap {
      $0.components(separatedBy: "\n```").first
    }
  }()

  private static func isRequest(_ block: String) -> Bool { block.contains("\"method\"") }

  @Test(arguments: blocks)
  func `each example is the same after reading and writing`(block: String) throws {
    let message =
      Self.isRequest(block)
      ? try StoreRequest(message: Array(block.utf8)).message
      : try StoreResponse(message: Array(block.utf8)).message
    let (written, shown) = try (Self.object(Data(message)), Self.object(Data(block.utf8)))
    #expect(written == shown)
  }

  @Test func `the page shows each method and each reply`() throws {
    let requests = try Self.blocks.filter(Self.isRequest).map { try StoreRequest(message: Array($0.utf8)) }
    #expect(Set(requests.map(\.call.method)) == Set(StoreMethod.allCases))
    let replies = try Self.blocks.filter { !Self.isRequest($0) }.map {
      try StoreResponse(message: Array($0.utf8))
    }
    #expect(
      Set(replies.map { Self.name($0.result) }) == [
        "done", "join", "renew", "acquire", "claim", "conflicts", "history", "status", "failure",
      ])
  }

  @Test(arguments: StoreFailure.Kind.allCases)
  func `the page names each kind of failure`(kind: StoreFailure.Kind) throws {
    let page = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../docs/store.md")
    #expect(try String(contentsOf: page, encoding: .utf8).contains("| `\(kind.rawValue)` |"))
  }

  private static func object(_ data: Data) throws -> NSDictionary {
    try #require(try JSONSerialization.jsonObject(with: data) as? NSDictionary)
  }

  private static func name(_ result: Result<StoreReply, StoreFailure>) -> String {
    switch result {
    case .failure: "failure"
    case .success(.done): "done"
    case .success(.join): "join"
    case .success(.renew): "renew"
    case .success(.acquire): "acquire"
    case .success(.claim): "claim"
    case .success(.conflicts): "conflicts"
    case .success(.history): "history"
    case .success(.status): "status"
    }
  }
}
