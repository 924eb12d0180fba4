import Testing
import TimelineCore
import TimelineEngine
import TimelineSystem

@testable import TimelineHostPool

@Suite struct `Reloads and inquiries` {
  @Test func `a reload lifts pauses and ends unused hosts`() {
    var pools = Pools()
    _ = pools.start(1) + pools.load(1) + pools.end(1, 1)
    _ = pools.start(2, kind: pools.other)
    _ = pools.exit(2, .exited(1))
    let reloaded = pools.state.handle(.retain([pools.other: [JobName("x")!]]))
    #expect(reloaded.contains(.forget(.kindPause(pools.other))))
    #expect(reloaded.letGo == [host(1)])
    #expect(pools.start(3, kind: pools.other).spawns == [host(3)])
  }

  @Test func `a reload closes the instance of a removed job`() {
    var pools = Pools()
    _ = pools.start(1, job: "x") + pools.load(1) + pools.end(1, 1)
    let reloaded = pools.state.handle(.retain([pools.kind: [JobName("y")!]]))
    #expect(reloaded == [.closeInstance(host(1), 0)])
    #expect(pools.start(2, job: "y").instances == [.new(0)])
  }

  @Test func `a plugin whose file was replaced gets a new host, and the old one ends when idle`() {
    var pools = Pools()
    _ = pools.start(1) + pools.load(1) + pools.start(2) + pools.load(2) + pools.end(1, 1)
    #expect(pools.state.handle(.outdated(host(1))).letGo == [host(1)])
    #expect(pools.state.handle(.outdated(host(2))).isEmpty)
    #expect(pools.end(2, 2).letGo == [host(2)])
    #expect(pools.start(3).spawns == [host(3)])
  }

  @Test func `an inquiry about a changed plugin goes to a new host, and the old one goes on`() {
    var pools = Pools()
    _ = pools.start(1) + pools.load(1) + pools.end(1, 1)
    #expect(pools.state.handle(.changed(host(1))).isEmpty)
    #expect(pools.state.handle(.inquire(InquiryID(number: 1), pools.kind)).spawns == [host(2)])
    #expect(pools.start(2).begins == [run(2): host(1)])
    let new = PluginIdentity(name: "a", version: "2", schema: "{}")
    #expect(
      pools.state.handle(.loaded(host(2), new)).contains(.answered(InquiryID(number: 1), .success(new))))
    #expect(
      pools.state.handle(.inquire(InquiryID(number: 2), pools.kind)) == [
        .answered(InquiryID(number: 2), .success(new))
      ])
    #expect(pools.end(1, 2).letGo.isEmpty, "the configuration in force is the former one")
    #expect(pools.state.handle(.outdated(host(1))).letGo == [host(1)])
  }

  @Test
  func `a plugin that is refused after a change of its files is not run by the old host either`() {
    var pools = Pools()
    _ = pools.start(1) + pools.load(1) + pools.start(2) + pools.load(2) + pools.end(1, 1)
    _ = pools.state.handle(.changed(host(1))) + pools.state.handle(.changed(host(2)))
    #expect(pools.state.handle(.inquire(InquiryID(number: 1), pools.kind)).spawns == [host(3)])
    let refused = pools.state.handle(.refused(host(3), "/plugins/a.so: its mode is 0666"))
    #expect(
      refused.contains(
        .answered(InquiryID(number: 1), .failure(HostFailure("/plugins/a.so: its mode is 0666")))))
    #expect(refused.letGo == [host(3), host(1)])
    #expect(pools.end(2, 2).letGo == [host(2)])
    #expect(pools.start(3).ends[run(3)]?.outcome.message.contains("its mode is 0666") == true)
  }

  @Test func `when the limit on hosts is reached, an inquiry is answered by a host of former files`() {
    var pools = Pools { $0.hostsPerKindMax = 1 }
    _ = pools.start(1) + pools.load(1) + pools.state.handle(.changed(host(1)))
    #expect(
      pools.state.handle(.inquire(InquiryID(number: 1), pools.kind)) == [
        .answered(InquiryID(number: 1), .success(pools.identity))
      ])
  }

  @Test func `an inquiry loads the plugin once, and its answer is kept`() {
    var pools = Pools()
    #expect(pools.state.handle(.inquire(InquiryID(number: 1), pools.kind)).spawns == [host(1)])
    #expect(pools.load(1).contains(.answered(InquiryID(number: 1), .success(pools.identity))))
    #expect(
      pools.state.handle(.inquire(InquiryID(number: 2), pools.kind)) == [
        .answered(InquiryID(number: 2), .success(pools.identity))
      ])
  }

  @Test func `an inquiry starts a host of a paused plugin, and runs start again once it loads`() {
    var pools = Pools()
    _ =
      pools.start(1) + pools.state.handle(.refused(host(1), "/plugins/a.so: wrong ABI"))
      + pools.exit(1, .exited(1))
    #expect(pools.state.handle(.inquire(InquiryID(number: 1), pools.kind)).spawns == [host(2)])
    // A run is still refused during the pause.
    #expect(pools.start(2).ends[run(2)]?.outcome.message.contains("not tried again so soon") == true)
    let refused = pools.state.handle(.refused(host(2), "/plugins/a.so: no symbol"))
    #expect(
      refused.contains(.answered(InquiryID(number: 1), .failure(HostFailure("/plugins/a.so: no symbol")))))
    #expect(
      !refused.contains { if case .wait(.kindPause, _) = $0 { true } else { false } }, "it pauses already")
    _ = pools.exit(2, .exited(1))
    _ = pools.state.handle(.inquire(InquiryID(number: 2), pools.kind))
    let loaded = pools.load(3)
    #expect(loaded.contains(.answered(InquiryID(number: 2), .success(pools.identity))))
    #expect(loaded.contains(.forget(.kindPause(pools.kind))))
    #expect(pools.start(3).begins == [run(3): host(3)])
  }

  @Test func `an inquiry about a plugin that does not load fails with the reason`() {
    var pools = Pools()
    _ = pools.state.handle(.inquire(InquiryID(number: 1), pools.kind))
    let refused = pools.state.handle(.refused(host(1), "/plugins/a.so: not a library"))
    #expect(
      refused.contains(.answered(InquiryID(number: 1), .failure(HostFailure("/plugins/a.so: not a library"))))
    )
  }
}
