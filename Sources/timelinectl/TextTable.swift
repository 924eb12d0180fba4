/// Rows of text in columns that line up, for people; programs get JSON.
struct TextTable {
  /// Which side a column's texts keep to.
  enum Alignment {
    case left
    case right
  }

  private let columns: [(title: String, alignment: Alignment)]
  private var rows: [[String]] = []

  /// Makes an empty table with a title for each column.
  init(_ columns: [(title: String, alignment: Alignment)]) {
    self.columns = columns
  }

  /// Adds a row with a text for each column.
  mutating func add(_ row: [String]) {
    precondition(row.count == columns.count, "a row has one text for each column")
    rows.append(row)
  }

  /// The table with its titles, a line each, without blanks at the ends of lines.
  var text: String {
    let all = [columns.map(\.title)] + rows
    let widths = columns.indices.map { column in all.map { $0[column].count }.max() ?? 0 }
    return all.map { row in
      var line = ""
      for (index, cell) in row.enumerated() {
        if index > 0 { line += "  " }
        let padding = String(repeating: " ", count: widths[index] - cell.count)
        line += columns[index].alignment == .left ? cell + padding : padding + cell
      }
      while line.last == " " { line.removeLast() }
      return line + "\n"
    }.joined()
  }
}
