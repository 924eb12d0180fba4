import Glibc
import Testing
import TimelineCore
import TimelineEngine
import TimelineSystem
import TimelineTestSupport
import TimelineWire

@testable import TimelineHostPool

@Suite struct `Hand-over of hosts to the next daemon` {
  @Test func `waits until a starting run is in its host`() throws {
    let world = try World()
    var answer: Bool?
    do {
      let life = try Life(in: world)
      try life.start()
      life.hosts.handOver(atMost: Stage.patience) { answer = $0 }
      #expect(answer == nil, "the host is only loading its plugin")
      try life.wait(for: "the answer") { answer != nil }
      #expect(life.hosts.keptDescriptorCount == HostDescriptorStore.descriptorsPerHost)
    }
    #expect(answer == true)
    let next = try Life(in: world)
    #expect(next.hosts.adopt(world.passed, open: [try Life.open()]).runs.count == 1)
    next.hosts.collect()
    try world.openGate()
    try next.wait(for: "the end") { next.ends.count == 1 }
    #expect(next.ends.first?.outcome.status == .succeeded)
    try next.shutDown()
  }

  @Test func `is possible at once when idle, and never without a store or room in it`() throws {
    let world = try World()
    var answers: [Bool] = []
    let idle = try Life(in: world)
    idle.hosts.handOver(atMost: Stage.patience) { answers.append($0) }
    #expect(answers == [true])
    let alone = try Life(in: world, hasKeeper: false)
    alone.hosts.handOver(atMost: Stage.patience) { answers.append($0) }
    #expect(answers == [true, false])
    world.fillUp()
    let crowded = try Life(in: world)
    try crowded.start()
    try crowded.wait(for: "the run at the gate") { crowded.lines(of: RunID(number: 1)) == ["before"] }
    crowded.hosts.handOver(atMost: .milliseconds(10)) { answers.append($0) }
    try crowded.wait(for: "the answer") { answers.count == 3 }
    #expect(answers == [true, false, false])
    try crowded.shutDown()
  }
}
