import Foundation
import Testing
import TimelineEngine
import TimelineHostPool
import TimelineTestSupport
import TimelineWire

/// Excess output: the beginning and the end are kept, the middle is dropped and counted.
@Suite struct `Excess output` {
  @Test func `the latest lines are held in order, and older ones are dropped and counted`() {
    var tail = HeldOutput<Int>()
    let dropped = (0..<1_000).reduce(0) { $0 + tail.append($1, length: 2) }
    #expect(dropped == (1_000 - HeldOutput<Int>.linesMax) * 2)
    var held: [Int] = []
    while let line = tail.popFirst() { held.append(line) }
    #expect(held == Array(1_000 - HeldOutput<Int>.linesMax..<1_000))
    #expect(tail.isEmpty && tail.firstLength == nil)
  }

  @Test func `fewer long lines are held, and the last one is held at any length`() {
    var tail = HeldOutput<Int>()
    let length = HeldOutput<Int>.bytesMax / 4
    #expect((0..<6).map { tail.append($0, length: length) } == [0, 0, 0, 0, length, length])
    #expect(tail.append(6, length: 10 * length) == 4 * length)
    #expect(tail.firstLength == 10 * length && tail.popFirst() == 6)
  }

  @Test func `no line is dropped if lines are removed in time`() {
    var tail = HeldOutput<Int>()
    for number in 0..<10_000 {
      #expect(tail.append(number, length: 1) == 0)
      if number >= 50 { #expect(tail.popFirst() == number - 50) }
    }
  }

  private func fail(_ script: String, _ stage: Stage) throws -> (run: RunID, end: PluginRunEnd) {
    let parameters = try JSONSerialization.data(withJSONObject: ["command": script, "shell": true])
    let run = try stage.start("exec", parameters: String(decoding: parameters, as: UTF8.self))
    return (run, try stage.finish(run))
  }

  @Test func `the first and the last of many lines are kept, and the last one is in the reason`() throws {
    let stage = try Stage(Fixtures.bundled)
    let (run, end) = try fail("seq 1 6000; echo ERROR; exit 1", stage)
    let lines = stage.allLines(of: run)
    let first = (1...1_000).map(String.init)
    #expect(Array(lines.prefix(1_000)) == first)
    #expect(lines.suffix(3) == ["5999", "6000", "ERROR"], "\(lines.suffix(5))")
    let notice = try #require(lines.lastIndex { $0.contains(" of output dropped (limit: ") })
    #expect(lines[notice...].count <= 102, "what follows the gap is the end")
    let bytes = (1...6_000).reduce(5) { $0 + String($1).utf8.count }
    let kept = stage.lines(of: run, .log).reduce(0) { $0 + $1.utf8.count }
    #expect(kept + stage.droppedBytes(of: run) == bytes)
    #expect(end.outcome.message.contains("last line of output: \"ERROR\"; `timelinectl logs"))
  }

  @Test func `a flood of invalid UTF-8 without a line feed keeps its end`() throws {
    let stage = try Stage(Fixtures.bundled)
    let (run, end) = try fail(
      "head -c 60000000 /dev/zero | tr '\\0' '\\377'; printf 'THE END'; exit 1", stage)
    let lines = stage.allLines(of: run)
    #expect(lines.last?.hasSuffix("THE END") == true, "\(lines.last?.suffix(100) ?? "")")
    #expect(lines.contains { $0.hasSuffix(" MB of output dropped (limit: 2000 lines at once, 200 lines/s)") })
    #expect(end.outcome.message.contains("THE END\"; `timelinectl logs"), "\(end.outcome.message)")
  }

  @Test func `output of a plugin's own process keeps its end too`() throws {
    let stage = try Stage(Fixtures.bundled)
    // The command writes to the output of the host itself; its own output is its log.
    let script = "exec 3>/proc/$PPID/fd/1; seq 1 60000 >&3; echo LAST >&3"
    let (run, end) = try fail(script, stage)
    #expect(end.outcome.status == .succeeded)
    let lines = stage.lines(of: run, .output)
    #expect(lines.first == "1" && lines.suffix(2) == ["60000", "LAST"], "\(lines.suffix(3))")
    #expect(stage.droppedBytes(of: run) > 100_000)
  }

  @Test func `held lines are passed on while the run writes no further output`() throws {
    let stage = try Stage(Fixtures.bundled) { $0.outputLimits.burstLines = 10 }
    let run = try stage.start("exec", parameters: #"{"command": "seq 1 50; sleep 1000", "shell": true}"#)
    try stage.wait(for: "the last of them") { stage.lines(of: run, .log).last == "50" }
    #expect(stage.lines(of: run, .log).count == 50)
    stage.hosts.askToStop(run, .cancel)
    _ = try stage.finish(run)
  }
}
