import ArgumentParser
import TimelineCore
import TimelineSystem

/// The instant at which a simulation begins.
struct BeginOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Where to begin: \(Moment.forms). Without a zone it is meant in --zone, or the machine's. Default: now.",
      valueName: "moment"))
  var from: String?

  /// The instant that the operator enters, or now; without a zone it is read in `zone`, or in the machine's zone.
  func instant(in zone: Zone? = nil) throws -> WallInstant {
    try from.map { try Words.instant($0, option: "--from", in: zone) } ?? SystemTime.now()
  }
}
