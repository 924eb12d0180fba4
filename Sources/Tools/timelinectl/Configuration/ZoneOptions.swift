import ArgumentParser
import TimelineConfiguration
import TimelineControl
import TimelineCore
import TimelineLoading
import TimelineSystem

/// The zone in which a verb shows times.
struct ZoneOptions: ParsableArguments {
  @Flag(help: "Show times in UTC.")
  var utc = false

  @Option(
    help: ArgumentHelp("Show times in this zone. Default: in the zone of each job.", valueName: "zone"),
    completion: .zones)
  var zone: String?

  func validate() throws { _ = try ShownZones(utc: utc, zone: zone) }

  /// Returns the zones for displayed times. Prints a warning if `--zone` is a legacy name.
  func shown() throws -> ShownZones {
    CurrentProcess.printError(ShownZones.warning(about: zone))
    return try ShownZones(utc: utc, zone: zone)
  }
}

extension ListReply {
  /// The name of the job's zone; `nil` for an unknown job.
  func zone(of job: String) -> String? { jobs.first { $0.name == job }?.zone }
}

/// The zones for displayed times: the zone that the operator chose. Otherwise a job's times are in the job's zone,
/// and other times in the daemon's or the machine's zone.
struct ShownZones {
  /// The operator's choice for all times; `nil` for none.
  let chosen: Zone?
  private let catalog = ZoneCatalog()

  /// Throws if both arguments are given, or if `zone` is unknown.
  init(utc: Bool, zone: String?) throws {
    guard let zone else {
      chosen = utc ? .utc : nil
      return
    }
    if utc { throw ValidationError("--utc and --zone both name a zone; give one of them") }
    guard let found = catalog.zone(named: zone) else {
      throw ScheduleArgument.noZone("--zone \(zone): there is no such zone", zone, catalog)
    }
    chosen = found
  }

  /// The lines that warn of a legacy name of the zone database; empty for any other name.
  static func warning(about name: String?) -> String {
    guard let problem = name.flatMap(ZoneAliases.problem) else { return "" }
    return "timelinectl: warning: the time zone \(problem.reason)\n  help: \(problem.help)\n"
  }

  /// The zone for times of a job whose own zone is `own`.
  func zone(_ own: Zone) -> Zone { chosen ?? own }

  /// The zone for times of a job whose own zone is called `name`: the machine's zone for `nil`, and UTC for an
  /// unknown name.
  func zone(named name: String?) -> Zone {
    chosen ?? name.map { catalog.zone(named: $0) ?? .utc } ?? catalog.machineZone
  }

  /// The zones for times of `jobs`. A job that is not in `configuration` has the daemon's zone.
  func zones(of jobs: [JobName], in configuration: Configuration) -> [Zone] {
    let own = Dictionary(configuration.jobs.map { ($0.name, $0.zone) }, uniquingKeysWith: { $1 })
    return jobs.map { zone(own[$0] ?? configuration.daemon.zone) }
  }
}
