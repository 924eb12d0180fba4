/// One part of a drawing: a path, or a text at a position. Writers turn it into markup. The web page uses it directly.
package enum DrawingShape: Sendable, Equatable {
  /// Data of a path, with the names of its style.
  case path(style: String, data: String)
  /// A text, with the names of its style; lengths are tenths of a pixel.
  case label(style: String, text: String, x: Int, y: Int)

  /// The shape as SVG.
  var markup: String {
    switch self {
    case .path(let style, let data): "<path class=\"\(style)\" d=\"\(data)\"/>"
    case .label(let style, let text, let x, let y):
      "<text class=\"\(style)\" x=\"\(x.tenths)\" y=\"\(y.tenths)\">\(text.escapedMarkup)</text>"
    }
  }
}

extension [DrawingShape] {
  /// The shapes as SVG, the first one below the others.
  var markup: String { map(\.markup).joined() }

  /// Adds a path, or nothing if it is empty.
  mutating func append(_ style: String, _ data: PathData) {
    if !data.isEmpty { append(.path(style: style, data: data.text)) }
  }
}
