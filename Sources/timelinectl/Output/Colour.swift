import TimelineCore
import TimelineSystem

/// Colours for people who read on a terminal.
enum Colour: String {
  case green = "32"
  case yellow = "33"
  case red = "31"
  case cyan = "36"
  case faint = "2"
  case bold = "1"

  /// Whether standard output shows colours.
  static let isShown = CurrentProcess.outputShowsColours

  /// `text` in this colour, where colours are shown.
  func callAsFunction(_ text: String) -> String {
    Self.isShown ? "\u{1B}[\(rawValue)m\(text)\u{1B}[0m" : text
  }

  /// The colour of an outcome by its name: red for what went wrong, yellow for what did not run and should have.
  init(outcome: String?) {
    self =
      switch outcome.flatMap(Outcome.init(rawValue:)) {
      case .succeeded: .green
      case .failed, .timedOut, .lost, .unknown: .red
      case .missed, .overlapped, .limited, .cancelled: .yellow
      case .superseded, .paused, .excluded, .daylightSavingGap, .daylightSavingFold, .lowFrequency, .shutDown:
        .faint
      case nil: .cyan
      }
  }
}
