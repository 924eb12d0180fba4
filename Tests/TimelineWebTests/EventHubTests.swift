import Testing
import TimelineWeb

@Suite struct `Events for open pages` {
  @Test func `reach all listeners from their registration on`() async {
    let hub = EventHub()
    hub.publish("before")
    let streams = [hub.listen(), hub.listen()].compactMap { $0 }
    hub.publish("one")
    hub.publish("two")
    for stream in streams {
      var iterator = stream.makeAsyncIterator()
      #expect(await iterator.next() == "one")
      #expect(await iterator.next() == "two")
    }
  }

  @Test func `keep the newest texts for a slow page`() async {
    let hub = EventHub()
    let stream = hub.listen()
    for number in 0..<1_000 { hub.publish("\(number)") }
    var iterator = stream?.makeAsyncIterator()
    #expect(await iterator?.next() == "936")
  }

  @Test func `have a limit of pages, and room again when one is closed`() {
    let hub = EventHub()
    var streams = (0..<WebLimits.eventStreamsMax).map { _ in hub.listen() }
    #expect(streams.allSatisfy { $0 != nil })
    #expect(hub.listen() == nil)
    streams.removeLast()
    #expect(hub.listen() != nil)
  }
}
