import Testing
import TimelineCore
import TimelineEngine
import TimelineStoreWire

@testable import TimelineCluster

/// Claims that the engine has requested, claims to be withdrawn, and claims that the node holds.
@Suite struct ClaimQueueTests {
  private let job: JobName = "j"

  private func entry(_ second: Int64) throws -> EntryKey {
    EntryKey(job: job, nominal: WallInstant(secondsSinceEpoch: second))
  }

  private func key(_ second: Int64) -> EntryKey {
    EntryKey(job: job, nominal: WallInstant(secondsSinceEpoch: second))
  }

  private func granted(_ second: Int64, token: Int64 = 7) -> ClaimReply.Answer {
    ClaimReply.Answer(key(second), isGranted: true, token: token)
  }

  @Test func `claims are sent in order, and answered once`() throws {
    var queue = ClaimQueue()
    queue.ask(for: [try entry(3), try entry(1), try entry(2)])
    #expect(queue.nextAsked { _ in true } == [key(1), key(2), key(3)])
    // A later entry of a job must not run before an earlier one.
    #expect(queue.nextAsked { $0.nominal > key(1).nominal }.isEmpty)
    #expect(queue.nextAsked { $0.nominal < key(3).nominal } == [key(1), key(2)])
    let denied = ClaimReply.Answer(key(2), isGranted: false, token: 3, node: "b", epoch: "b")
    let answers = queue.answer([granted(1), denied])
    #expect(
      answers
        == [
          ClaimAnswer(entry: try entry(1), verdict: .granted, token: 7),
          ClaimAnswer(entry: try entry(2), verdict: .denied),
        ])
    #expect(queue.nextAsked { _ in true } == [key(3)])
    #expect(queue.token(of: key(1)) == 7)
    #expect(queue.nextWithdrawn.isEmpty)
  }

  @Test func `a claim that is withdrawn during its request is given back when it is granted`() throws {
    var queue = ClaimQueue()
    queue.ask(for: [try entry(1)])
    queue.withdraw([try entry(1)])
    #expect(queue.nextAsked { _ in true }.isEmpty)
    let answers = queue.answer([granted(1)])
    #expect(answers.isEmpty)
    #expect(queue.nextWithdrawn == [key(1)])
    queue.gaveUp([key(1)])
    #expect(queue.nextWithdrawn.isEmpty)
  }

  @Test func `a claim that is granted again does not get the token of an entry that was started`() {
    var queue = ClaimQueue()
    queue.hold(key(41), token: 81)
    queue.hold(key(42), token: 82)
    // Claimed late, it starts first and gets the lowest token.
    queue.hold(key(39), token: 89)
    #expect([39, 41, 42].map { queue.token(of: key($0)) } == [81, 82, 89])
    queue.start(key(39))
    queue.forget("j", areWindows: false)
    queue.hold(key(41), token: 81)
    queue.hold(key(42), token: 82)
    #expect([39, 41, 42].map { queue.token(of: key($0)) } == [81, 82, 89])
    queue.settle(key(39))
    queue.hold(key(41), token: 81)
    #expect(queue.token(of: key(41)) == 82)
  }

  @Test(arguments: [false, true])
  func `a claim that the next life is granted again has its last token`(_ isSettled: Bool) {
    var queue = ClaimQueue()
    queue.hold(key(41), token: 81)
    queue.hold(key(42), token: 82)
    queue.hold(key(39), token: 89)
    queue.start(key(39))
    if isSettled { queue.settle(key(39)) }
    // The store has the tokens of the grants.
    let started = HeldClaim(nominal: WallInstant(secondsSinceEpoch: 39), token: 89, isStarted: true)
    let open = [(41, 81), (42, 82)].map { HeldClaim(nominal: WallInstant(secondsSinceEpoch: $0), token: $1) }
    var next = ClaimQueue(following: queue.reassigned)
    next.hold(isSettled ? open : [started] + open, of: "j")
    #expect([39, 41, 42].map { next.token(of: key($0)) } == [isSettled ? nil : 81, 82, 89])
    // The token of a started entry stays, also when an earlier entry is claimed.
    next.hold(key(38), token: 95)
    #expect([38, 39, 41, 42].map { next.token(of: key($0)) } == [82, isSettled ? nil : 81, 89, 95])
    #expect(next.reassigned.map(\.granted) == (isSettled ? [95, 81, 82] : [95, 89, 81, 82]))
  }

  @Test func `a reassigned token ends with its claim`() {
    var queue = ClaimQueue()
    queue.hold(key(41), token: 81)
    queue.hold(key(39), token: 89)
    #expect(
      queue.reassigned == [
        ReassignedClaim(key(39), granted: 89, token: 81), ReassignedClaim(key(41), granted: 81, token: 89),
      ])
    // Another node had the job meanwhile, and this one has taken the claim with a new token.
    var next = ClaimQueue(following: queue.reassigned)
    next.hold([HeldClaim(nominal: WallInstant(secondsSinceEpoch: 41), token: 97)], of: "j")
    #expect(next.token(of: key(41)) == 97 && next.reassigned.isEmpty)
    queue.settle(key(39))
    queue.settle(key(41))
    #expect(queue.reassigned.isEmpty)
  }

  @Test func `a started claim is held until its entry has an outcome`() throws {
    var queue = ClaimQueue()
    queue.ask(for: [try entry(1), try entry(2)])
    _ = queue.answer([granted(1), granted(2)])
    queue.start(try entry(1))
    queue.leave("j")
    #expect(queue.nextWithdrawn == [key(2)])
    #expect(queue.token(of: key(1)) == 7 && queue.token(of: key(2)) == nil)
    queue.publishAll()
    #expect(queue.nextUnpublished.map(\.key) == [key(1)])
    queue.settle(key(1))
    #expect(queue.nextUnpublished.isEmpty && queue.token(of: key(1)) == nil)
  }

  @Test func `the token of a run without a claim is not published as a claim, also after its end`() throws {
    var queue = ClaimQueue()
    queue.hold(key(1), token: 7)
    queue.ask(for: [try entry(2)])
    #expect(queue.grantAsked(of: ["j"]).map(\.token) == [7])
    queue.start(try entry(2))
    for isEnded in [false, true] {
      if isEnded { queue.end(key(2)) }
      queue.publishAll()
      #expect(queue.nextUnpublished.map(\.key) == [key(1)], "\(isEnded)")
    }
  }

  @Test func `claims without a start are forgotten when another node owns the job`() throws {
    var queue = ClaimQueue()
    queue.ask(for: [try entry(1), try entry(2), try entry(3)])
    _ = queue.answer([granted(1), granted(2)])
    queue.start(try entry(1))
    queue.forget("j", areWindows: false)
    #expect(queue.nextAsked { _ in true }.isEmpty && queue.nextWithdrawn.isEmpty)
    #expect(queue.token(of: key(1)) == 7 && queue.token(of: key(2)) == nil)
    queue.publishAll()
    #expect(queue.nextUnpublished.map(\.key) == [key(1)])
  }

  /// End of the ownership of a job, given up or lost, while an entry that another node may have started waits to be run again.
  @Test(arguments: [true, false])
  func `a doubtful entry that did not start is run again by the next owner`(isGivenUp: Bool) throws {
    var queue = ClaimQueue()
    let doubtful = DoubtfulEntry(nominal: try entry(1).nominal, entryCount: 1, node: "b", token: 3)
    queue.hold(key(1), token: 3)
    queue.hold(key(2), token: 4)
    queue.doubt([doubtful], of: "j")
    if isGivenUp { queue.leave("j") } else { queue.forget("j", areWindows: false) }
    // Its claim stays in the store, where another owner finds it; this node does not use it.
    #expect(queue.nextWithdrawn == (isGivenUp ? [key(2)] : []))
    #expect(queue.token(of: key(1)) == nil)
    #expect(queue.doubts(of: "j") == [key(1).nanoseconds: doubtful])
    // The doubtful entry is not undecided either: a later outcome can pass an undecided entry, but not a doubtful one.
    let undecided = queue.takeUndecided(of: "j", after: nil)
    #expect(undecided == (isGivenUp ? nil : key(2).nominal))
  }

  @Test func `the outcome of a doubtful entry that is not run again has the token of its claim`() throws {
    let doubtful = DoubtfulEntry(nominal: try entry(1).nominal, entryCount: 1, node: "b", token: 3)
    let ends: [(inout ClaimQueue) -> Void] = [
      { $0.end(key(1)) }, { $0.leave("j") }, { $0.forget("j", areWindows: false) },
    ]
    for end in ends {
      var queue = ClaimQueue()
      queue.decide([doubtful], of: "j")
      #expect(queue.token(of: key(1)) == 3)
      // The claim is not this node's.
      queue.publishAll()
      #expect(queue.nextUnpublished.isEmpty)
      end(&queue)
      #expect(queue.token(of: key(1)) == nil && queue.nextWithdrawn.isEmpty)
    }
  }

  @Test func `an entry is doubtful until it has its outcome, or another node owns its job`() throws {
    let doubtful = DoubtfulEntry(nominal: try entry(1).nominal, entryCount: 1, node: "b", token: 3)
    let ends: [(inout ClaimQueue) -> Void] = [
      { $0.end(key(1)) }, { $0.settle(key(1)) }, { $0.forgetDoubts(of: "j") },
    ]
    for end in ends {
      var queue = ClaimQueue()
      queue.hold(key(1), token: 3)
      queue.doubt([doubtful], of: "j")
      queue.start(key(1))
      #expect(queue.doubts(of: "j").count == 1)
      end(&queue)
      #expect(queue.doubts(of: "j").isEmpty)
    }
  }

  @Test(arguments: [false, true])
  func `a node that acquires a job again goes back to the entry that it left undecided`(
    areWindows: Bool
  ) throws {
    var queue = ClaimQueue()
    for second in 1...4 { queue.ask(for: [try entry(Int64(second))]) }
    _ = queue.answer([granted(1), granted(2), granted(3), granted(4)])
    queue.start(try entry(1))
    queue.forget("j", areWindows: areWindows)
    queue.end(key(2))
    #expect(queue.takeUndecided(of: "j", after: nil) == (areWindows ? nil : key(3).nominal))
    #expect(queue.takeUndecided(of: "j", after: nil) == nil, "it is returned once")
  }

  @Test func `an entry that is requested again after its withdrawal is claimed again`() throws {
    var queue = ClaimQueue()
    queue.ask(for: [try entry(1)])
    _ = queue.answer([granted(1)])
    queue.withdraw([try entry(1)])
    queue.ask(for: [try entry(1)])
    #expect(queue.nextWithdrawn.isEmpty)
    let answers = queue.answer([granted(1)])
    #expect(answers == [ClaimAnswer(entry: try entry(1), verdict: .granted, token: 7)])
  }

  @Test func `tokens of claims without a start ascend with their instants`() throws {
    var queue = ClaimQueue()
    queue.ask(for: [try entry(1), try entry(9)])
    _ = queue.answer([granted(1, token: 3), granted(9, token: 4)])
    queue.start(try entry(1))
    // An operator triggers the job before its next entry, which was claimed ahead.
    queue.ask(for: [try entry(5)])
    _ = queue.answer([granted(5, token: 7)])
    #expect([1, 5, 9].map { queue.token(of: key($0)) } == [3, 4, 7])
    // A started entry keeps its token.
    queue.start(try entry(5))
    queue.ask(for: [try entry(8)])
    _ = queue.answer([granted(8, token: 9)])
    #expect([1, 5, 8, 9].map { queue.token(of: key($0)) } == [3, 4, 7, 9])
    // An entry that is granted again, with its token in the store, does not share it with the entry that has it now.
    queue.ask(for: [try entry(9)])
    _ = queue.answer([granted(9, token: 7)])
    #expect([1, 5, 8, 9].map { queue.token(of: key($0)) } == [3, 4, 7, 9])
  }

  @Test func `an entry that was claimed again has a lower token than the next one, which was claimed before`()
    throws
  {
    var queue = ClaimQueue()
    let open = HeldClaim(nominal: WallInstant(secondsSinceEpoch: 3), token: 4, isStarted: true)
    let reclaimed = HeldClaim(nominal: WallInstant(secondsSinceEpoch: 5), token: 9, isReclaimed: true)
    let ahead = HeldClaim(nominal: WallInstant(secondsSinceEpoch: 7), token: 8)
    queue.hold([open, ahead, reclaimed], of: "j")
    #expect([3, 5, 7].map { queue.token(of: key($0)) } == [4, 8, 9])
    #expect(queue.reassigned.map(\.token) == [8, 9])
    // It may have been started, so that it is not given back.
    queue.withdraw([try entry(5), try entry(7)])
    #expect(queue.nextWithdrawn == [key(7)])
  }

  @Test func `a call has at most 100 entries`() throws {
    var queue = ClaimQueue()
    queue.ask(for: try (1...250).map { try entry($0) })
    #expect(queue.nextAsked { _ in true } == (1...100).map { key($0) })
  }

  @Test func `the store's watermark does not pass entries that wait for its answer`() throws {
    var queue = ClaimQueue()
    queue.ask(for: [try entry(3), try entry(2)])
    #expect(queue.firstUnclaimed(of: ["j", "other"]) == ["j": key(2).nominal])
    queue.runUnclaimed(key(1))
    #expect(queue.firstUnclaimed(of: ["j"]) == ["j": key(1).nominal])
    queue.end(key(1))
    _ = queue.answer([granted(2)])
    #expect(queue.firstUnclaimed(of: ["j"]) == ["j": key(3).nominal])
  }
}
