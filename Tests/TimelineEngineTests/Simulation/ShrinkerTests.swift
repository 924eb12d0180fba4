import Testing
import TimelineTestSupport

@Suite struct `Shrinking a life` {
  typealias Decision = WrittenLife.Decision

  /// Decisions `a = 1` to `a = count` in each of some steps and jobs.
  private func life(steps: Int, jobs: Int = 0, each count: Int) -> WrittenLife {
    let sections = (0..<jobs).map(LifeSection.job) + (0..<steps).map(LifeSection.step)
    return WrittenLife(
      sections.flatMap { section in
        (1...count).map { Decision(Decision.Place(section, "a", $0), "\($0)") }
      })
  }

  /// Shrinks a life that fails as long as it has all of `needed`.
  private func shrink(
    _ life: WrittenLife, needing needed: [Decision.Place], replaysMax: Int = Shrinker.replaysMax
  ) -> (smallest: [Decision.Place], replays: Int) {
    var shrinker = Shrinker(replaysMax: replaysMax) { life in
      let places = Set(life.decisions.map(\.place))
      return LivedLife(
        life, needed.allSatisfy(places.contains) ? ["run \(life.decisions.count) was lost"] : [])
    }
    let smallest = shrinker.shrink(LivedLife(life, ["run 7 was lost"])).life.decisions.map(\.place)
    return (smallest, shrinker.replayCount)
  }

  @Test(arguments: [
    [], [Decision.Place(.step(0), "a")], [Decision.Place(.step(49), "a", 3)],
    [Decision.Place(.job(1), "a", 2), Decision.Place(.step(7), "a"), Decision.Place(.step(31), "a", 3)],
    [Decision.Place(.step(10), "a"), Decision.Place(.step(11), "a"), Decision.Place(.step(12), "a")],
  ])
  func `only the decisions that a violation needs are left`(_ needed: [Decision.Place]) {
    let (smallest, replays) = shrink(life(steps: 50, jobs: 3, each: 3), needing: needed)
    #expect(smallest == needed)
    #expect(replays < 200, "\(replays) lives")
  }

  @Test func `a life that needs all its decisions stays unchanged`() {
    let whole = life(steps: 4, jobs: 1, each: 2)
    #expect(shrink(whole, needing: whole.decisions.map(\.place)).smallest == whole.decisions.map(\.place))
  }

  @Test func `the number of lives is bounded`() {
    let whole = life(steps: 50, each: 20)
    let needed = whole.decisions.map(\.place).filter { $0.occurrence % 2 == 0 }
    #expect(shrink(whole, needing: needed, replaysMax: 30).replays == 30)
  }

  @Test func `nothing is tried when the time is up`() {
    var shrinker = Shrinker(isTimeUp: { true }) { LivedLife($0, ["run 1 was lost"]) }
    let whole = life(steps: 5, each: 2)
    #expect(shrinker.shrink(LivedLife(whole, ["run 1 was lost"])).life == whole)
    #expect(shrinker.replayCount == 0)
  }

  @Test func `a life that fails in another way is not taken`() {
    let whole = life(steps: 8, each: 1)
    var shrinker = Shrinker { life in
      LivedLife(life, [life.decisions.count == 8 ? "run 1 was lost" : "run 1 was started twice"])
    }
    #expect(shrinker.shrink(LivedLife(whole, ["run 1 was lost"])).life == whole)
  }

  @Test func `decisions that no draw asks for any more are dropped`() {
    // The second step is only asked for in the life of the first one.
    var shrinker = Shrinker { life in
      let kept = life.decisions.filter { $0.place.section == .step(0) }
      return LivedLife(WrittenLife(kept), kept.isEmpty ? [] : ["lost"])
    }
    let smallest = shrinker.shrink(LivedLife(life(steps: 9, each: 1), ["lost"]))
    #expect(smallest.life.sections == [.step(0)])
  }

  @Test(arguments: [
    ("j0 at 12:30 was started 2 times", "at was started times"),
    ("EntryKey(job: j1, nominal: 100) has no outcome", "EntryKey(job: nominal: has no outcome"),
    ("only [j0, j1] have an owner", "only have an owner"),
  ])
  func `a kind of violation has no names, numbers and instants`(_ text: String, _ kind: String) {
    #expect(LivedLife(WrittenLife([]), [text]).kind == kind)
  }
}
