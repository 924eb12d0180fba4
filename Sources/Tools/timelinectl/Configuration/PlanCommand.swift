import ArgumentParser
import TimelineConfiguration
import TimelineCore
import TimelineEngine
import TimelineRehearsal
import TimelineSystem

/// `timelinectl plan`: the effects of a configuration change, before it is made.
struct PlanCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "plan",
    abstract: "Show what replacing one configuration by another would do.",
    discussion: """
      Both go through the real engine as in a dry run and are compared entry by entry: which are added, removed or \
      moved, which start or end otherwise, and which would be dropped because a run is in the way. Exits 0 when nothing changes, 1 when something \
      does, and 2 when a file has errors.
      """)

  @OptionGroup var begin: BeginOptions

  @Option(
    name: .customLong("for"), parsing: .unconditional,
    help: ArgumentHelp("How long, such as 90s, 1h30m or 7d.", valueName: "duration")
  )
  var length = "30d"

  @Flag(help: "Print tables in the Markdown of GitHub, for a pull request.")
  var markdown = false

  @OptionGroup var shown: ZoneOptions
  @OptionGroup var output: OutputOptions

  @Argument(help: "The main file of the configuration as it is.", completion: .file(extensions: ["toml"]))
  var old: String

  @Argument(
    help: "The main file of the configuration as it would be.", completion: .file(extensions: ["toml"]))
  var new: String

  func validate() throws {
    if markdown, output.json {
      throw ValidationError("--markdown is for people and --json for programs; give one of them")
    }
  }

  func run() throws {
    let zones = try shown.shown()
    let begin = try begin.instant(in: zones.chosen)
    let end = begin + (try Words.length(length, option: "--for"))
    let before = try ConfigurationOptions.load(old, failingWith: .unusablePlan)
    let after = try ConfigurationOptions.load(new, failingWith: .unusablePlan)
    let (formerPlan, latterPlan) = (Self.simulation(of: before), Self.simulation(of: after))
    let scope = PlanScope(from: formerPlan, to: latterPlan)
    var plan = Plan(
      from: formerPlan.jobs, Self.dryRun(scope.part(of: formerPlan), from: begin, until: end),
      to: latterPlan.jobs, Self.dryRun(scope.part(of: latterPlan), from: begin, until: end),
      examplesMax: markdown ? PlanReport.markdownExamplesMax : PlanJob.examplesMax)
    let report = PlanReport(
      jobs: Self.run(&plan, from: begin, until: end), from: begin, until: end,
      zones: Dictionary(
        (before.jobs + after.jobs).map { ($0.name, zones.zone($0.zone)) },
        uniquingKeysWith: { _, last in last }), zone: zones.zone(after.daemon.zone))
    if markdown {
      try Output.print(report.markdown(old: old.printable, new: new.printable))
    } else {
      try Output.print(output.json ? report.json : report.text)
    }
    if report.isChanged { throw ExitCode(1) }
  }

  private static func run(_ plan: inout Plan, from begin: WallInstant, until end: WallInstant) -> [PlanJob] {
    var progress = ProgressLine("comparing", from: begin, until: end)
    return plan.run { progress.reach($0) }
  }

  private static func simulation(of configuration: Configuration) -> SimulationPlan {
    SimulationPlan(jobs: configuration.definitions, groups: configuration.groups, seed: Machine.seed)
  }

  private static func dryRun(_ plan: SimulationPlan, from: WallInstant, until: WallInstant) -> DryRun {
    DryRun(jobs: plan.jobs, groups: plan.groups, from: from, until: until, seed: plan.seed)
  }
}
