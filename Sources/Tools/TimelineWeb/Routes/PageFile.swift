/// A file of the page, embedded in the program.
package struct PageFile: Sendable {
  /// The path of a request.
  package let path: String
  private let contents: @Sendable () -> [UInt8]

  /// All files. `Package.swift` names each one once more, to embed it.
  package static let all = [
    PageFile("/") { PackageResources.index_html },
    PageFile("/rehearsal") { PackageResources.rehearsal_html },
    PageFile("/what-if") { PackageResources.whatif_html },
    PageFile("/style.css") { PackageResources.style_css },
    PageFile("/views.css") { PackageResources.views_css },
    PageFile("/icon.svg") { PackageResources.icon_svg },
    PageFile("/board.js") { PackageResources.board_js },
    PageFile("/chart.js") { PackageResources.chart_js },
    PageFile("/elements.js") { PackageResources.elements_js },
    PageFile("/entrance.js") { PackageResources.entrance_js },
    PageFile("/keys.js") { PackageResources.keys_js },
    PageFile("/main.js") { PackageResources.main_js },
    PageFile("/playhead.js") { PackageResources.playhead_js },
    PageFile("/rehearsal.js") { PackageResources.rehearsal_js },
    PageFile("/row.js") { PackageResources.row_js },
    PageFile("/server.js") { PackageResources.server_js },
    PageFile("/story.js") { PackageResources.story_js },
    PageFile("/table.js") { PackageResources.table_js },
    PageFile("/view.js") { PackageResources.view_js },
    PageFile("/whatif.js") { PackageResources.whatif_js },
    PageFile("/words.js") { PackageResources.words_js },
  ]

  private init(_ path: String, contents: @escaping @Sendable () -> [UInt8]) {
    (self.path, self.contents) = (path, contents)
  }

  /// Finds the file at a path.
  package init?(path: String) {
    guard let file = Self.all.first(where: { $0.path == path }) else { return nil }
    self = file
  }

  /// The file as a reply, without indentation. No string and no text in a file spans several lines, so this changes
  /// nothing.
  package var reply: WebReply {
    let lines = contents().split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    let body = lines.map { $0.drop { $0 == UInt8(ascii: " ") } }.joined(separator: [UInt8(ascii: "\n")])
    return WebReply(type: type, body: Array(body))
  }

  private var type: String {
    switch path.split(separator: ".").dropFirst().last {
    case "css": "text/css; charset=utf-8"
    case "svg": "image/svg+xml"
    case "js": "text/javascript; charset=utf-8"
    default: "text/html; charset=utf-8"
    }
  }
}

extension PageFile: Hashable {
  /// Whether both are at the same path.
  package static func == (left: PageFile, right: PageFile) -> Bool { left.path == right.path }

  /// Feeds the path into `hasher`.
  package func hash(into hasher: inout Hasher) { hasher.combine(path) }
}
