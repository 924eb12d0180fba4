import Testing
import TimelineCore
import TimelineEngine
import TimelineSystem
import TimelineTestSupport
import TimelineWire

@testable import TimelineHostPool

@Suite struct `The time of a call, as reported by its host` {
  /// Reports of a call in a run that was sent at 100 and whose end was received at 200, and the resulting instants.
  @Test(
    arguments: [
      (told: (began: 120, took: 30), began: 120, ended: 150),
      ((100, 100), 100, 200),
      ((99, 30), 100, 129),
      ((0, 30), 100, 100),
      ((150, 51), 150, 200),
      ((150, .max), 150, 200),
      ((201, 1), 200, 200),
      ((.max, .max), 200, 200),
      ((.min, .max), 100, 100),
    ] as [(told: (began: Int64, took: UInt64), began: Int64, ended: Int64)])
  func `an impossible instant is moved to the nearest possible one`(
    told: (began: Int64, took: UInt64), began: Int64, ended: Int64
  ) {
    let instants = CallInstants(
      RunEnd.Call(began: told.began, took: told.took), from: at(100), receivedAt: at(200))
    #expect(instants.began == at(began) && instants.ended == at(ended))
  }

  @Test func `for any report the call lies between sending and receiving, in order`() {
    var random = SeededGenerator(seed: 7)
    for _ in 0..<2_000 {
      let bounds = [random.next(), random.next()].map { Int64($0 >> 1) }.sorted()
      let told = RunEnd.Call(began: Int64(bitPattern: random.next()), took: random.next())
      let instants = CallInstants(told, from: at(bounds[0]), receivedAt: at(bounds[1]))
      #expect(at(bounds[0]) <= instants.began && instants.began <= instants.ended)
      #expect(instants.ended <= at(bounds[1]), "seed 7: \(told), \(bounds)")
    }
  }

  @Test func `a real host reports the call, and no call if it made none`() throws {
    let stage = try Stage(Fixtures.broken)
    let before = SystemTime.monotonic()
    let call = try #require(try stage.run("steady").call)
    #expect(before <= call.began && call.began <= call.ended && call.ended <= SystemTime.monotonic())

    var runs = [stage.hosts.ready(try stage.request("steady"))]
    let instant = SystemTime.monotonic() + .milliseconds(50)
    let run = try stage.request("steady")
    runs = [stage.hosts.ready(run)]
    stage.hosts.sendAhead(&runs, in: .milliseconds(50))
    #expect(try #require(try stage.finish(run.run).call).began >= instant)

    #expect(try stage.run("abort").call == nil)
  }

  private func at(_ nanoseconds: Int64) -> MonotonicInstant {
    MonotonicInstant(nanosecondsSinceBoot: nanoseconds)
  }
}
