import ArgumentParser
import TimelineCore
import TimelineSystem

/// The instant at which a simulation begins.
struct BeginOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Where to begin (RFC 3339). Default: now.", valueName: "instant"))
  var from: String?

  /// The instant that the operator names, or now.
  func instant() throws -> WallInstant {
    try from.map { try Words.instant($0, option: "--from") } ?? SystemTime.now()
  }
}
