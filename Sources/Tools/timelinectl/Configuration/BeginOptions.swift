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

  /// Returns the instant of `--from`, or now without the option. A moment without a zone is read in `zone`; if `zone`
  /// is `nil`, in the machine's zone.
  func instant(in zone: Zone? = nil) throws -> WallInstant {
    try from.map { try Words.instant($0, option: "--from", in: zone) } ?? SystemTime.now()
  }
}
