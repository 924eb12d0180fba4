import Testing
import TimelineCore
import TimelineEngine
import TimelineEngineTestSupport
import TimelineRehearsal
import TimelineTestSupport

@Suite struct `The scope of a plan` {
  private static let disk = group("disk")
  private static let network = group("network")

  /// `a` and `b` share a group, `b` and `c` another, `d` reacts to `c`, and `e` stands alone.
  private static let jobs = [
    member("a", disk), member("b", disk, network),
    job("c", every(20), lasts: 5) {
      $0.groups = [network]
      $0.reactions = Reactions(onSuccess: name("d"))
    },
    job("d", at()), job("e", every(7), lasts: 3),
  ]

  private static func member(_ text: String, _ groups: GroupName...) -> JobDefinition {
    job(text, every(10), lasts: 4) { $0.groups = groups }
  }

  private static func changed(_ text: String) -> [JobDefinition] {
    jobs.map {
      var job = $0
      if job.name == name(text) { job.revision = 7 }
      return job
    }
  }

  private static let changes: [(jobs: [JobDefinition], network: Int, scope: String)] = [
    (jobs, 1, ""),
    (changed("e"), 1, "e"),
    (changed("a"), 1, "abcd"),
    (changed("d"), 1, "abcd"),
    (jobs + [job("f", every(9))], 1, "f"),
    (jobs + [member("f", disk)], 1, "abcdf"),
    (jobs.dropLast(), 1, "e"),
    // The limit of a group, and the order in which its members start.
    (jobs, 2, "abcd"),
    ([jobs[1], jobs[0]] + jobs[2...], 1, "abcd"),
    // The order of what shares nothing.
    ([jobs[4]] + jobs[..<4], 1, ""),
  ]

  @Test(arguments: changes) func `has the changed jobs and all jobs linked to them`(
    _ change: (jobs: [JobDefinition], network: Int, scope: String)
  ) {
    let old = SimulationPlan(jobs: Self.jobs, groups: [Self.disk: 1, Self.network: 1])
    let new = SimulationPlan(jobs: change.jobs, groups: [Self.disk: 1, Self.network: change.network])
    let scope = PlanScope(from: old, to: new)
    let names = Set((scope.part(of: old).jobs + scope.part(of: new).jobs).map(\.name.description))
    #expect(names.sorted().joined() == change.scope)
  }

  @Test func `has all jobs with another jitter or mode`() {
    let plan = SimulationPlan(jobs: Self.jobs)
    for other in [
      SimulationPlan(jobs: Self.jobs, seed: 1), SimulationPlan(jobs: Self.jobs, mode: .lowFrequency),
    ] {
      #expect(PlanScope(from: plan, to: other).part(of: plan).jobs.count == Self.jobs.count)
    }
  }

  @Test(arguments: 0..<40 as Range<UInt64>) func `leaves out no job whose entries change`(_ seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let groups = (0..<3).map { group("g\($0)") }
    func draw(_ text: String) -> JobDefinition {
      job(text, every(generator.seconds(3...20)), lasts: generator.seconds(0...15)) {
        $0.groups = groups.filter { _ in generator.happens(percent: 25) }
        $0.overlap = .allCases.randomElement(using: &generator) ?? .skip
        if generator.happens(percent: 20) { $0.reactions = Reactions(onSuccess: name("j0")) }
      }
    }
    let before = (0..<8).map { draw("j\($0)") }
    var after = before
    after[Int.random(in: 1..<8, using: &generator)] = draw("j1")
    after = Dictionary(after.map { ($0.name, $0) }, uniquingKeysWith: { $1 }).values.sorted {
      $0.name < $1.name
    }
    if generator.happens(percent: 30) { after.shuffle(using: &generator) }
    let oldLimits = Dictionary(uniqueKeysWithValues: groups.map { ($0, 1) })
    var newLimits = oldLimits
    if generator.happens(percent: 30) { newLimits[groups[0]] = 2 }
    let scope = PlanScope(
      from: SimulationPlan(jobs: before, groups: oldLimits),
      to: SimulationPlan(jobs: after, groups: newLimits))
    func plan(_ old: [JobDefinition], _ new: [JobDefinition]) -> [PlanJob] {
      var plan = Plan(
        from: before, DryRun(jobs: old, groups: oldLimits, from: t(0), until: t(600)), to: after,
        DryRun(jobs: new, groups: newLimits, from: t(0), until: t(600)))
      return plan.run()
    }
    func part(_ jobs: [JobDefinition]) -> [JobDefinition] { scope.part(of: SimulationPlan(jobs: jobs)).jobs }
    #expect(plan(part(before), part(after)) == plan(before, after))
  }
}
