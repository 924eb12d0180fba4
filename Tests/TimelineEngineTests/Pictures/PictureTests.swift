import Testing
import TimelineCore
import TimelineEngine
import TimelineEngineTestSupport
import TimelineRehearsal

@Suite struct `The engine in pictures` {
  @Test func `an entry due while the job runs is overlapped`() {
    #expect(
      Picture(of: [job("a", every(4), lasts: 6)], seconds: 16).description == """
        a S---o-..S---o-..
        """)
  }

  @Test func `a run that ends when the next entry is due does not overlap it`() {
    #expect(
      Picture(of: [job("a", every(4), lasts: 4), job("b", every(3))], seconds: 12).description == """
        a S---S---S---
        b S..S..S..S..
        """)
  }

  @Test func `a closed loop starts when the last run has ended, and no sooner than its interval`() {
    #expect(
      Picture(
        of: [job("fast", loop(.seconds(2)), lasts: 1), job("slow", loop(.seconds(2)), lasts: 3)], seconds: 10
      ).description == """
        fast S.S.S.S.S.
        slow S--S--S--S
        """)
  }

  @Test func `low-frequency mode stops closed loops and nothing else`() {
    let jobs = [job("loop", loop(.seconds(2))), job("tick", every(3)), job("once", at(4))]
    #expect(
      Picture(of: jobs, seconds: 12, mode: .lowFrequency).description == """
        loop ..........f.
        tick S..S..S..S..
        once ....S.......
        """)
    let world = ScriptedWorld(script: [(3, .event(.mode(.lowFrequency))), (7, .event(.mode(.normal)))])
    #expect(
      Picture(of: jobs, seconds: 12, in: world).description == """
        loop S.S...fS.S.S
        tick S..S..S..S..
        once ....S.......
        """)
  }

  @Test func `a paused loop has no entries, but can be triggered`() {
    let world = ScriptedWorld(script: [(3, .event(.trigger(name("a"))))])
    #expect(
      Picture(of: [job("a", loop(.seconds(1), isPaused: true), lasts: 2)], seconds: 8, in: world).description
        == """
        a ...S-...
        """)
  }

  @Test func `a triggered run takes the turn of its closed loop`() {
    let world = ScriptedWorld(script: [(3, .event(.trigger(name("a"))))])
    #expect(
      Picture(of: [job("a", loop(.seconds(4)), lasts: 2)], seconds: 12, in: world).description == """
        a S-.S-..S-..S
        """)
  }

  @Test func `a run that outlives its timeout is timed out, even if its plugin succeeds`() {
    let jobs = [job("a", every(8), lasts: 6) { $0.timeout = .seconds(3) }]
    #expect(Picture(of: jobs, seconds: 16).description == "a T--.....T--.....")
    // It succeeds a second after it was asked to stop.
    let late = ScriptedWorld(courses: [SimulatedCourse(lasting: .seconds(4))], obedience: .seconds(2))
    #expect(Picture(of: jobs, seconds: 8, in: late).description == "a T---....")
  }

  @Test func `a plugin that ignores the stop request is killed after its grace`() {
    let jobs = [
      job("a", every(16)) {
        $0.timeout = .seconds(3)
        $0.grace = .seconds(2)
      }
    ]
    let deaf = ScriptedWorld(courses: [SimulatedCourse(lasting: nil)], obedience: nil)
    let picture = Picture(of: jobs, seconds: 10, in: deaf)
    #expect(picture.description == "a T----.....")
    #expect(
      picture.effects.filter { if case .arm = $0 { false } else { true } }.suffix(3).prefix(2) == [
        .askToStop(RunID(number: 1), .timeout), .kill(RunID(number: 1), .timeout),
      ])
  }

  @Test func `cancel ends a run as cancelled`() {
    let world = ScriptedWorld(
      courses: [SimulatedCourse(lasting: nil)], script: [(3, .event(.cancel(RunID(number: 1))))])
    #expect(Picture(of: [job("a", every(8))], seconds: 10, in: world).description == "a C--.....S.")
  }

  @Test func `a trigger comes under the overlap rule`() {
    let world = ScriptedWorld(script: [
      (2, .event(.trigger(name("a")))), (5, .event(.trigger(name("a")))), (6, .event(.trigger(name("a")))),
    ])
    let picture = Picture(of: [job("a", every(8), lasts: 3)], seconds: 12, in: world)
    #expect(picture.description == "a S-o..So-S--.")
    let triggered = picture.effects.settled.filter { $0.cause == .trigger }
    #expect(triggered.map(\.entry.nominal) == [t(2), t(6), t(5)])
    #expect(triggered.map(\.outcome) == [.overlapped, .overlapped, .succeeded])
  }

  @Test(arguments: OverlapPolicy.allCases) func `each overlap policy takes effect`(_ policy: OverlapPolicy) {
    let expected =
      switch policy {
      case .skip: "a S--o-.S--o-.S--"
      case .bufferOne: "a S----S---oS----"
      case .bufferAll: "a S----S----S----"
      case .cancelOther, .terminateOther: "a C--C--C--C--S--"
      case .allowAll: "a S--S--S--S--S--"
      }
    let jobs = [job("a", every(3), lasts: 5) { $0.overlap = policy }]
    #expect(Picture(of: jobs, seconds: 15).description == expected)
  }

  @Test func `an entry that waits for a cancelled run is superseded by a later one`() {
    let jobs = [job("a", every(3), lasts: 8) { $0.overlap = .cancelOther }]
    #expect(
      Picture(of: jobs, seconds: 15, in: ScriptedWorld(obedience: .seconds(4))).description == """
        a C--p---C-p---S-
        """)
    let killed = [job("a", every(3), lasts: 8) { $0.overlap = .terminateOther }]
    #expect(
      Picture(of: killed, seconds: 15, in: ScriptedWorld(obedience: nil)).description == """
        a C--C--C--C--S--
        """)
  }

  @Test func `a failure worth retrying is tried again after a pause that doubles`() {
    let jobs = [
      job("a", every(20)) {
        $0.retry = RetryPolicy(
          attempts: 4, backoffFrom: .seconds(1), backoffTo: .seconds(3), jitterPercent: 0)
      }
    ]
    let courses = (0..<4).map { _ in SimulatedCourse(lasting: .seconds(1), outcome: passingFailure) }
    let picture = Picture(of: jobs, seconds: 16, in: ScriptedWorld(courses: courses))
    #expect(picture.effects.starts.map(\.startedAt) == [t(0), t(2), t(5), t(9)])
    #expect(picture.effects.starts.map(\.number) == [1, 2, 3, 4])
    #expect(picture.description == "a F---------......")
    #expect(picture.effects.settled.map(\.attempts) == [4])
    // The second attempt succeeds; a failure that is not worth it is not retried.
    let mended = Picture(of: jobs, seconds: 6, in: ScriptedWorld(courses: [courses[0]]))
    #expect(mended.description == "a S-....")
    let hopeless = SimulatedCourse(lasting: .seconds(1), outcome: failure)
    #expect(Picture(of: jobs, seconds: 4, in: ScriptedWorld(courses: [hopeless])).description == "a F...")
  }

  @Test func `cancel between two attempts ends the run at once`() {
    let jobs = [
      job("a", every(20)) {
        $0.retry = RetryPolicy(
          attempts: 3, backoffFrom: .seconds(5), backoffTo: .seconds(5), jitterPercent: 0)
      }
    ]
    let world = ScriptedWorld(
      courses: [SimulatedCourse(lasting: .seconds(1), outcome: passingFailure)],
      script: [(3, .event(.cancel(RunID(number: 1))))])
    #expect(Picture(of: jobs, seconds: 10, in: world).description == "a C--.......")
  }

  @Test func `while it drains entries end as shut-down, and the last run is awaited`() {
    let world = ScriptedWorld(script: [(4, .event(.drain(patience: nil)))])
    let picture = Picture(of: [job("a", every(6), lasts: 9), job("b", every(3))], seconds: 14, in: world)
    #expect(
      picture.description == """
        a S-----d--.....
        b S..S..d..d....
        """)
    #expect(picture.effects.last == .drained)
  }

  @Test func `a drain stops active runs at the end of its patience`() {
    let world = ScriptedWorld(
      obedience: .seconds(1),
      script: [(2, .event(.drain(patience: .seconds(30)))), (4, .event(.drain(patience: .seconds(2))))])
    let picture = Picture(of: [job("a", at(0), lasts: 60)], seconds: 12, in: world)
    #expect(picture.description == "a C------.....")
    #expect(picture.effects.contains(.askToStop(RunID(number: 1), .shutDown)))
    #expect(picture.effects.last == .drained)
  }

  @Test func `a step forwards runs the latest entry that it jumped over`() {
    let world = ScriptedWorld(script: [(4, .clockStep(.seconds(8)))])
    #expect(
      Picture(of: [job("a", every(3)), job("b", every(5), lasts: 1)], seconds: 20, in: world).description
        == """
        a S..S.....m..S..S..S.
        b S....m......S..S....
        """)
  }
}
