import TimelineCore
import TimelineSystem

/// Colors for output on a terminal.
enum Color: String {
  case green = "32"
  case yellow = "33"
  case red = "31"
  case cyan = "36"
  case faint = "2"
  case bold = "1"

  /// Whether standard output shows colors.
  static let isShown = CurrentProcess.outputShowsColors

  /// `text` in this color, if colors are shown.
  func callAsFunction(_ text: String) -> String {
    Self.isShown ? "\u{1B}[\(rawValue)m\(text)\u{1B}[0m" : text
  }

  /// The color of an outcome by its name: red for failures, yellow for entries that should have run and did not.
  init(outcome: String?) {
    self =
      switch outcome.flatMap(Outcome.init(rawValue:))?.kind {
      case .success: .green
      case .failure: .red
      case .miss, .cancellation: .yellow
      case .omission: .faint
      case nil: .cyan
      }
  }
}
