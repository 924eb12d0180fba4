import CTOML
import Testing
import TimelineConfiguration
import TimelineTestSupport

/// Two read TOML, and toml++ is right: whatever our own reader takes, it makes the same of.
@Suite struct PlainReaderTests {
  /// All that a document says, a line for each node.
  private func lines(_ bytes: [UInt8], reader: ctoml_reader) -> [String]? {
    let limits = ctoml_limits(
      byte_count_max: 1 << 20, node_count_max: 100_000, string_byte_count_max: 1 << 16, depth_max: 32)
    let document = unsafe bytes.withUnsafeBufferPointer {
      unsafe ctoml_document_parse($0.baseAddress, $0.count, limits, reader)
    }
    guard let document = unsafe document else { return nil }
    defer { unsafe ctoml_document_free(document) }
    guard unsafe ctoml_document_failure(document) == CTOML_NO_FAILURE,
      let nodes = unsafe ctoml_document_nodes(document)
    else { return nil }
    var lines: [String] = []
    unsafe append(0, of: nodes, depth: 0, to: &lines)
    return lines
  }

  private func append(
    _ index: UInt32, of nodes: UnsafePointer<ctoml_node>, depth: Int, to lines: inout [String]
  ) {
    let node = unsafe nodes[Int(index)]
    let places = unsafe [node.key_begin, node.key_end, node.begin, node.end].map { "\($0.line):\($0.column)" }
    unsafe lines.append(
      "\(depth) \(node.kind.rawValue) \(bytes(node.key)) \(places.joined(separator: " ")) \(value(of: node))")
    var child = unsafe node.first_child
    for _ in 0..<(unsafe node.child_count) {
      unsafe append(child, of: nodes, depth: depth + 1, to: &lines)
      child = unsafe nodes[Int(child)].next_sibling
    }
  }

  private func value(of node: ctoml_node) -> String {
    switch unsafe node.kind {
    case CTOML_TABLE, CTOML_ARRAY: unsafe "\(node.child_count)"
    case CTOML_STRING: unsafe bytes(node.value.string)
    case CTOML_INTEGER, CTOML_BOOLEAN: unsafe "\(node.value.integer)"
    case CTOML_FLOAT: unsafe "\(node.value.number.bitPattern)"
    default: unsafe "\(node.value.date_time)"
    }
  }

  private func bytes(_ text: ctoml_text) -> String {
    unsafe Array(UnsafeBufferPointer(start: text.bytes, count: text.count)).description
  }

  @Test(arguments: [1, 2, 3, 4] as [UInt64])
  func `what the plain reader takes is what toml++ reads`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let seeds = try (GoldenCase.all(in: "Right") + GoldenCase.all(in: "Wrong")).flatMap { try $0.sources() }
    var takenCount = 0
    for round in 0..<600 {
      var bytes = try #require(seeds.randomElement(using: &random)).bytes
      if round > 100 { bytes = Mutation.mutate(bytes, with: &random) }
      guard let plain = lines(bytes, reader: CTOML_PLAIN_ONLY) else { continue }
      takenCount += 1
      #expect(plain == lines(bytes, reader: CTOML_TREE_ONLY), "seed \(seed): \(bytes)")
    }
    #expect(takenCount > 50, "seed \(seed)")
  }

  /// Most of what a configuration is written in, so that nobody's file is read slowly for a comment or a date in it.
  @Test(arguments: [
    "", "# a comment with é and 日本\n\n", "[job.a]\nplugin = \"exec\" # why\n", "[a.b.c]\n[a.b.d]\n[a.e]\n",
    "[job.\"a b\"]\n'c d' = 'e'\n", "a = [1, -2, 0, 1.5, -0.25, true, false,\n  # more\n  \"x\",\n]\n",
    "a = 2026-01-01\nb = 2026-01-01T00:00:00\nc = 2026-01-01T00:00:00.5Z\nd = 2024-02-29T23:59:59+05:30\n",
    "a = { b = { c = [] }, \"d\" = {} }\n", "a = \"line\\nwith \\\"quotes\\\" and \\\\\"\n",
    "a = ''\nb = \"\"\n",
  ])
  func `the plain reader takes`(text: String) throws {
    let plain = try #require(lines(Array(text.utf8), reader: CTOML_PLAIN_ONLY))
    #expect(plain == lines(Array(text.utf8), reader: CTOML_TREE_ONLY))
  }

  /// What it leaves to toml++, right or wrong.
  @Test(arguments: [
    "a.b = 1\n", "[[a]]\n", "a = \"\"\"b\"\"\"\n", "a = 0x10\n", "a = 1_000\n", "a = 1e5\n",
    "a = \"\\u00e9\"\n", "a = 08:00:00\n",
    "a = 1\r\n", "\u{FEFF}a = 1\n", "a = 1\na = 2\n", "[a]\n[a]\n", "[a.b]\n[a]\n", "a = {}\n[a.b]\n",
    "a = 1 b = 2\n", "a = \n",
    "a = \"b\n", "a = 2026-02-30\n", "a = [1 2]\n", "a = { b = 1, }\n", "a = 01\n", "[a\n", "a = \"\u{1}\"\n",
    "# \u{2028}\n",
  ])
  func `the plain reader leaves to another`(text: String) {
    #expect(lines(Array(text.utf8), reader: CTOML_PLAIN_ONLY) == nil)
  }

  /// Keys are looked for one by one in small tables and by their hashes in large ones.
  @Test(arguments: [15, 16, 17, 18, 100, 1_000])
  func `a table of many keys has each once`(count: Int) throws {
    let text = (0..<count).map { "[job.j\($0)]\nplugin = \"exec\"\n" }.joined()
    let plain = try #require(lines(Array(text.utf8), reader: CTOML_PLAIN_ONLY))
    #expect(plain == lines(Array(text.utf8), reader: CTOML_TREE_ONLY))
    for again in [0, count / 2, count - 1] {
      #expect(lines(Array((text + "[job.j\(again)]\n").utf8), reader: CTOML_PLAIN_ONLY) == nil)
    }
  }
}
