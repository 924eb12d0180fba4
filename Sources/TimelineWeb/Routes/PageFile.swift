/// A file of the page, embedded in the program.
package enum PageFile: String, Sendable, Hashable, CaseIterable {
  case index = "/"
  case style = "/style.css"
  case icon = "/icon.svg"
  case main = "/main.js"
  case server = "/server.js"
  case elements = "/elements.js"
  case view = "/view.js"
  case chart = "/chart.js"
  case row = "/row.js"
  case keys = "/keys.js"
  case words = "/words.js"
  case table = "/table.js"
  case story = "/story.js"
  case rehearsal = "/rehearsal"
  case rehearsalScript = "/rehearsal.js"
  case whatIf = "/what-if"
  case whatIfScript = "/whatif.js"
  case viewStyle = "/views.css"
  case board = "/board.js"
  case playhead = "/playhead.js"
  case entrance = "/entrance.js"

  /// Finds the file at a path.
  init?(path: String) { self.init(rawValue: path) }

  /// The file as a reply, without indentation. No string and no text in a file spans several lines, so this changes
  /// nothing.
  package var reply: WebReply {
    let lines = contents.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    let body = lines.map { $0.drop { $0 == UInt8(ascii: " ") } }.joined(separator: [UInt8(ascii: "\n")])
    return WebReply(type: type, body: Array(body))
  }

  private var type: String {
    switch self {
    case .index, .rehearsal, .whatIf: "text/html; charset=utf-8"
    case .style, .viewStyle: "text/css; charset=utf-8"
    case .icon: "image/svg+xml"
    default: "text/javascript; charset=utf-8"
    }
  }

  private var contents: [UInt8] {
    switch self {
    case .index: PackageResources.index_html
    case .style: PackageResources.style_css
    case .icon: PackageResources.icon_svg
    case .main: PackageResources.main_js
    case .server: PackageResources.server_js
    case .elements: PackageResources.elements_js
    case .view: PackageResources.view_js
    case .chart: PackageResources.chart_js
    case .row: PackageResources.row_js
    case .keys: PackageResources.keys_js
    case .words: PackageResources.words_js
    case .table: PackageResources.table_js
    case .story: PackageResources.story_js
    case .rehearsal: PackageResources.rehearsal_html
    case .rehearsalScript: PackageResources.rehearsal_js
    case .whatIf: PackageResources.whatif_html
    case .whatIfScript: PackageResources.whatif_js
    case .viewStyle: PackageResources.views_css
    case .board: PackageResources.board_js
    case .playhead: PackageResources.playhead_js
    case .entrance: PackageResources.entrance_js
    }
  }
}
