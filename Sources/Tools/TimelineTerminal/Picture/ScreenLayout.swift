/// Positions on a screen: a title, two lines of the axis, rows, active runs, and two lines at the bottom.
struct ScreenLayout: Sendable, Equatable {
  /// Columns of the names, with the mark of the selection and a blank.
  let nameWidth: Int
  /// Columns of the chart.
  let chartWidth: Int
  let rowCount: Int
  /// Whether there is a line for the number of active runs.
  let hasLoad: Bool
  /// Height of a panel, including its title and its last line.
  let panelHeight: Int
  /// Number of lines of text in a panel.
  var panelRoom: Int { max(1, panelHeight - 2) }
  /// The smallest readable screen.
  static let least = ScreenSize(width: 20, height: 6)
  /// Columns by which the name of another node is indented below its job's.
  static let nodeIndent = 2
  /// Lines above the rows.
  static let top = 3

  /// Lays out a screen of a size.
  init(_ size: ScreenSize, longestName: Int) {
    // Names have at most a quarter of the width: the chart is more important.
    nameWidth = min(max(longestName, 5), max(8, size.width / 4)) + 3
    chartWidth = max(1, size.width - nameWidth)
    // On a low screen the rows need the space.
    hasLoad = size.height >= 16
    rowCount = max(0, size.height - Self.top - 2 - (hasLoad ? 1 : 0))
    panelHeight = max(3, min(size.height - 3, 22))
  }
}
