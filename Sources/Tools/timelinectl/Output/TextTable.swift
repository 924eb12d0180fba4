import TimelineSystem

/// Rows of text in columns that line up, for people; programs get JSON.
struct TextTable {
  /// Alignment of a column's texts.
  enum Alignment {
    case left
    case right
  }

  private let columns: [(title: String, alignment: Alignment)]
  private var rows: [(cells: [String], colors: [Int: Color])] = []

  /// Makes an empty table with a title for each column.
  init(_ columns: [(title: String, alignment: Alignment)]) {
    self.columns = columns
  }

  /// Adds a row with a text for each column, shown as ``printable``; some columns may have a color.
  mutating func add(_ row: [String], colors: [Int: Color] = [:]) {
    precondition(row.count == columns.count, "a row has one text for each column")
    rows.append((cells: row.map(\.printable), colors: colors))
  }

  /// The titles and the rows as lines, without trailing blanks.
  var text: String {
    let all = [(cells: columns.map(\.title), colors: [:])] + rows
    let widths = columns.indices.map { column in all.map { $0.cells[column].count }.max() ?? 0 }
    return all.map { row in
      let last = row.cells.lastIndex { !$0.isEmpty } ?? 0
      var line = ""
      for (index, cell) in row.cells[...last].enumerated() {
        if index > 0 { line += "  " }
        let padding = String(repeating: " ", count: widths[index] - cell.count)
        let text = row.colors[index].map { $0(cell) } ?? cell
        let isLeft = columns[index].alignment == .left
        line += isLeft ? text + (index == last ? "" : padding) : padding + text
      }
      return line + "\n"
    }.joined()
  }
}
