import TimelineCore
import TimelineEngine
import TimelineRehearsal

/// The mark of one entry in a row, or of several entries that are too close to be shown separately. A pointer or a
/// key selects a mark.
struct EntryMark: Hashable {
  /// Phases of an entry.
  enum Phase: Int {
    /// The entry has its outcome.
    case past
    /// The run is active, or the entry waits.
    case active
    /// The entry lies in the future. Its outcome is the engine's expectation.
    case planned
  }

  /// Left and right edge, in tenths of a pixel.
  var span: DrawingSpan
  /// The nominal instant of the last entry.
  var entry: WallInstant
  var count: Int
  /// The phase of the last entry.
  var phase: Phase
  /// The worst outcome of the entries; `nil` without an outcome.
  var outcome: Outcome?
  /// Start of the run; `nil` without a run, and for several entries.
  var start: WallInstant?
  /// End of the run; the expected end of an active run.
  var end: WallInstant?
  /// Number of the run; `nil` without a run.
  var run: UInt64?
  /// Usage of the run and all its processes; unknown for several entries.
  var usage: RunUsage
  /// The node that settled or claimed the entry; `nil` for the daemon's own node.
  var node: String?
  /// Whether the mark stands for several entries that are too close to be shown separately.
  private(set) var isGroup = false

  init(_ entry: ViewEntry, on scale: DrawingScale, now: WallInstant) {
    let begin = entry.start ?? entry.entry
    let end = entry.start == nil ? entry.entry : max(entry.end ?? now, begin)
    span = DrawingSpan(scale.x(min(begin, entry.firstEntry)), scale.x(end))
    self.entry = entry.entry
    count = entry.count
    phase = Self.phase(of: entry, now: now)
    outcome = entry.outcome
    start = entry.start
    self.end = entry.start == nil ? nil : entry.end
    run = entry.run
    usage = entry.usage
    node = entry.node
  }

  /// Phase of an entry at `now`.
  static func phase(of entry: ViewEntry, now: WallInstant) -> Phase {
    guard entry.outcome != nil else {
      return (entry.start ?? entry.entry) > now ? .planned : .active
    }
    return (entry.end ?? entry.entry) > now ? .planned : .past
  }

  /// Merges the next entry at the same position.
  private mutating func merge(_ other: EntryMark) {
    span.end = max(span.end, other.span.end)
    entry = other.entry
    count += other.count
    phase = other.phase
    if (other.outcome?.kind.severity ?? 0) >= (outcome?.kind.severity ?? 0) {
      outcome = other.outcome ?? outcome
    }
    (start, end, run, usage, isGroup) = (nil, nil, nil, RunUsage(), true)
  }

  /// The marks of a job's entries, ascending. More than two entries within `pixels` become one mark.
  static func marks(
    of entries: [ViewEntry], on scale: DrawingScale, now: WallInstant, pixels: Int
  ) -> [EntryMark] {
    var marks: [EntryMark] = []
    var column: (place: Int, first: Int)?
    for entry in entries {
      let mark = EntryMark(entry, on: scale, now: now)
      let place = mark.span.start / (10 * pixels)
      if let known = column, known.place == place {
        if marks.count - known.first == 2 {
          // The third entry merges all of them.
          let second = marks.removeLast()
          marks[known.first].merge(second)
          marks[known.first].merge(mark)
        } else if marks[known.first].isGroup {
          marks[known.first].merge(mark)
        } else {
          marks.append(mark)
        }
      } else {
        column = (place, marks.count)
        marks.append(mark)
      }
    }
    return marks
  }
}
