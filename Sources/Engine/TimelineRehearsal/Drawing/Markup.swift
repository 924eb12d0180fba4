extension String {
  /// The text escaped for XML and HTML, in elements and between double quotes. Characters that XML forbids become U+FFFD.
  package var escapedMarkup: String {
    var text = ""
    for scalar in unicodeScalars {
      switch scalar {
      case "&": text += "&amp;"
      case "<": text += "&lt;"
      case ">": text += "&gt;"
      case "\"": text += "&quot;"
      case "'": text += "&#39;"
      case "\t", "\n": text.unicodeScalars.append(scalar)
      case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{FFFE}", "\u{FFFF}": text += "\u{FFFD}"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }

  /// The text shortened to at most `limit` characters, with an ellipsis at its end.
  func shortened(to limit: Int) -> String {
    count <= limit ? self : prefix(max(0, limit - 1)) + "…"
  }
}

extension Int {
  /// A number of tenths as decimal text: `12`, `12.5`.
  var tenths: String {
    let text = "\(magnitude / 10)" + (self % 10 == 0 ? "" : ".\(magnitude % 10)")
    return self < 0 ? "-" + text : text
  }
}

/// The data of an SVG path. All lengths are tenths of a pixel.
struct PathData {
  private(set) var text = ""

  var isEmpty: Bool { text.isEmpty }

  /// Adds a rectangle.
  mutating func rectangle(_ x: Int, _ y: Int, width: Int, height: Int) {
    text += "M\(x.tenths) \(y.tenths)h\(width.tenths)v\(height.tenths)h\((-width).tenths)z"
  }

  /// Adds a horizontal line.
  mutating func line(_ x: Int, _ y: Int, across width: Int) {
    text += "M\(x.tenths) \(y.tenths)h\(width.tenths)"
  }

  /// Adds a vertical line.
  mutating func line(_ x: Int, _ y: Int, down height: Int) {
    text += "M\(x.tenths) \(y.tenths)v\(height.tenths)"
  }

  /// Adds a shape whose middle extends from `span.start` to `span.end` at height `y`. The shapes distinguish classes of
  /// outcomes without color.
  mutating func mark(_ shape: MarkShape, _ span: DrawingSpan, _ y: Int) {
    let (start, end, width) = (span.start.tenths, span.end, span.width.tenths)
    switch shape {
    case .triangle:
      text +=
        "M\((span.start - 50).tenths) \((y - 40).tenths)H\((end + 50).tenths)L\(end.tenths) \((y + 45).tenths)H\(start)z"
    case .diamond:
      text += "M\(start) \((y - 50).tenths)h\(width)l5 5l-5 5h\((-span.width).tenths)l-5 -5z"
    case .square:
      rectangle(span.start - 40, y - 40, width: span.width + 80, height: 80)
    case .circle:
      text += "M\(start) \((y - 40).tenths)h\(width)a4 4 0 0 1 0 8h\((-span.width).tenths)a4 4 0 0 1 0 -8z"
    }
  }
}

/// The shape of a mark.
enum MarkShape {
  case triangle, diamond, square, circle
}
