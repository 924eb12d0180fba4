import Testing
import TimelineConfiguration
import TimelineCore
import TimelineSystem
import TimelineTestSupport

@testable import TimelineDaemon

@Suite struct `The lister of the configuration in force` {
  @Test func `has few lists in memory at a time, and drops requests of disconnected clients`() throws {
    let loop = try EventLoop()
    let lister = ConfigurationLister(loop: loop)
    let context = ConfigurationContext(zone: { _ in nil })
    let configuration = try Configuration.read([ConfigurationSource(path: "/a.toml", bytes: [])], in: context)
      .get()
    var listings: [Int: ConfigurationLister.Listing] = [:]
    var connected = Set(0..<5)
    for client in 0..<5 {
      lister.list(configuration, [], isWanted: { connected.contains(client) }) { listings[client] = $0 }
    }
    #expect(loop.run(atMost: Patience.usual) { listings.count == 2 })
    connected = [0, 1, 4]
    #expect(!loop.run(atMost: .milliseconds(20)) { listings.count > 2 }, "both are still being read")
    #expect(Set(listings.keys) == [0, 1] && listings[0]?.portions.count == 1)
    listings[0] = nil
    #expect(loop.run(atMost: Patience.usual) { listings[4] != nil })
    #expect(Set(listings.keys) == [1, 4], "2 and 3 have hung up")
  }
}
