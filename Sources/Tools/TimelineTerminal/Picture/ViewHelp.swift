import TimelineCore

/// The keys and signs of the view, in words.
enum ViewHelp {
  /// Keys and words for the last line, the most important first.
  static func footer(isRehearsal: Bool) -> [(key: String, word: String)] {
    let first =
      isRehearsal
      ? [
        ("?", "help"), ("q", "quit"), ("space", "play/pause"), ("+ -", "speed"), ("n", "next entry"),
        ("g", "go to"),
      ]
      : [
        ("?", "help"), ("q", "quit"), ("t", "trigger"), ("s", "pause"), ("c", "cancel"), ("l", "logs"),
        ("w", "why"),
      ]
    return first + [("arrows", "select"), ("Enter", "entry"), ("/", "filter"), ("i o", "zoom"), ("0", "now")]
  }

  /// Keys and words for the panel.
  static func keys(isRehearsal: Bool) -> [(key: String, word: String)] {
    let first =
      isRehearsal
      ? [
        ("space", "play or pause"), ("+ -", "faster or slower, from 1x to max"),
        ("n", "step to the next entry"),
        ("g", "go to a moment"),
      ]
      : [
        ("t", "trigger the job"), ("s", "pause or resume the job"), ("c", "cancel its runs"),
        ("l", "show what it wrote"), ("w", "ask why, at the entry or now"), ("g", "show a moment"),
      ]
    return first + [
      ("up down", "select a job"), ("left right", "select an entry"),
      ("Enter", "explain the entry"),
      ("/", "filter jobs by name; -word excludes"), ("i o", "zoom in or out"), ("< >", "earlier or later"),
      ("0 Home", "back to now"), ("Esc", "close, or clear the filter"), ("q", "quit"),
    ]
  }

  /// Classes of outcomes and their words.
  static let signs: [(kind: Outcome.Kind, word: String)] = [
    (.failure, "failed, timed out, lost or unknown"), (.cancellation, "cancelled"),
    (.miss, "missed, overlapped or limited"),
    (.omission, "not to run: excluded, paused, superseded, daylight saving"),
  ]
}
