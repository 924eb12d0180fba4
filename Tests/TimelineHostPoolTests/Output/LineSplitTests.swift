import Testing
import TimelineCore
import TimelineEngine
import TimelineSystem
import TimelineTestSupport
import TimelineWire

@testable import TimelineHostPool

@Suite struct `Splitting a stream into lines` {
  @Test(
    arguments: [
      (["a\nb\n"], ["a", "b"]),
      (["a", "b", "\n"], ["ab"]),
      (["one\r\ntwo\r\n"], ["one", "two"]),
      (["\n\n"], ["", ""]),
      (["no end"], ["no end"]),
      (["12345678\n"], ["12345678"]),
      (["123456789\nnext\n"], ["12345678", "9", "next"]),
      (["12345678", "9", "0\nnext"], ["12345678", "90", "next"]),
      (["1234567\u{e9}\n"], ["1234567", "\u{e9}"]),
      (["12345678", "\r\n\n"], ["12345678", ""]),
      (["\u{e9}\n"], ["\u{e9}"]),
    ] as [([String], [String])])
  func `lines are whole for any pieces of input`(pieces: [String], expected: [String]) {
    var splitter = LineSplitter(lengthMax: 8)
    var lines: [String] = []
    for piece in pieces { splitter.feed(Array(piece.utf8)) { lines.append($0) } }
    splitter.flush { lines.append($0) }
    #expect(lines == expected)
  }

  @Test func `the beginning of an incomplete line is dropped and counted`() {
    var splitter = LineSplitter(lengthMax: 8)
    var lines: [String] = []
    splitter.feed(Array("begun".utf8)) { lines.append($0) }
    #expect(splitter.lose() == 5)
    splitter.feed(Array("end\nnext\n".utf8)) { lines.append($0) }
    #expect(lines == ["end", "next"])
  }

  @Test func `invalid UTF-8 is marked, and the lines do not depend on the pieces`() {
    var generator = SeededGenerator(seed: 7)
    for _ in 0..<200 {
      let alphabet: [UInt8] = [0x0A, 0x0D, 0x41, 0xC3, 0xA9]
      let bytes = (0..<100).map { _ in alphabet[Int.random(in: 0..<alphabet.count, using: &generator)] }
      var whole: [String] = []
      var splitter = LineSplitter(lengthMax: 5)
      splitter.feed(bytes) { whole.append($0) }
      splitter.flush { whole.append($0) }
      var pieced: [String] = []
      var other = LineSplitter(lengthMax: 5)
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = Int.random(in: 1...7, using: &generator)
        other.feed(Array(rest.prefix(count))) { pieced.append($0) }
        rest = rest.dropFirst(count)
      }
      other.flush { pieced.append($0) }
      #expect(whole == pieced)
    }
  }
}
