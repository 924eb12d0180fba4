import Testing

@testable import TimelineHosting

/// Calls that are made one after the other without a word about most of them.
@Suite struct `Calls of a series` {
  let current = CurrentCall()

  @Test func `a call is found by its name while it goes on, and by no other`() {
    let name = current.reserve(3)
    #expect(current.call(name) == nil, "it has not begun")
    current.beginSerial(name, run: 7)
    #expect(current.call(name)?.run == 7)
    #expect(current.call(name) === current.call(name), "it is one call however often it is asked for")
    #expect(current.call(name + 1) == nil && current.call(0) == nil)
    current.endSerial()
    #expect(current.call(name) == nil, "it is over")
    current.beginSerial(name + 1, run: 8)
    #expect(current.call(name) == nil && current.call(name + 1)?.run == 8)
    current.endSerial()
  }

  @Test func `what was heard is had once, and only of calls in which something was said`() {
    let name = current.reserve(3)
    for offset in 0..<3 as Range<UInt> {
      current.beginSerial(name + offset, run: UInt64(offset))
      if offset != 1 { current.call(name + offset)?.setResult("result \(offset)") }
      current.endSerial()
    }
    let heard = current.takeHeard(of: name..<name + 3)
    #expect(heard.mapValues(\.call.said.result) == [name: "result 0", name + 2: "result 2"])
    #expect(current.takeHeard(of: name..<name + 3).isEmpty)
  }

  @Test func `names are never given twice`() {
    let series = current.reserve(10)
    let other = current.begin(PluginCall(run: 1) { _ in })
    #expect(other == series + 10 && current.reserve(1) == other + 1)
    current.end(other)
  }
}
