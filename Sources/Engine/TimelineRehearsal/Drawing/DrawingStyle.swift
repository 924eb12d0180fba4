/// Styles for both SVG and HTML. They use no custom properties, because converters such as librsvg do not support these.
enum DrawingStyle {
  /// Colors of a scheme: texts have a contrast of at least 4.5:1 with the background, and shapes of 3:1.
  private struct Palette {
    var paper, text, muted, grid, strong, weekend: String
    var success, failure, cancellation, miss, omission, change, load: String
  }

  private static let light = Palette(
    paper: "#ffffff", text: "#1f2328", muted: "#59636e", grid: "#e3e7eb", strong: "#b6bec7",
    weekend: "#f5f6f8", success: "#1f7a8c", failure: "#c62f1d", cancellation: "#8250df", miss: "#9a5b00",
    omission: "#6b747d", change: "#8a2f75", load: "#7d8893")
  private static let dark = Palette(
    paper: "#0d1117", text: "#e6edf3", muted: "#9aa4af", grid: "#21262d", strong: "#4a525c",
    weekend: "#151b23", success: "#45b3c5", failure: "#ff7b6b", cancellation: "#bc8cff", miss: "#e3a13b",
    omission: "#8f98a2", change: "#f08cd8", load: "#7d8893")

  /// Rules of the drawing, for light and dark schemes. Print is always light.
  static let rules = """
    text,tspan{font-family:system-ui,-apple-system,"Segoe UI","DejaVu Sans",sans-serif;font-size:12px}
    .middle{text-anchor:middle}.end{text-anchor:end}.context,.name{font-weight:600}
    .name,.title{font-size:14px}.title{font-weight:600;font-size:17px}.tick,.note,.gap{font-size:11.5px}
    .grid,.change,.wait,.gap,.mark{fill:none;stroke-width:1}.mark{stroke-width:1.5}
    .change{stroke-dasharray:4 3;stroke-width:1.5}.gap{stroke-dasharray:1 4}.wait{stroke-width:2}
    text.change{stroke:none}text.gap{stroke-width:3;stroke-dasharray:none;paint-order:stroke}
    \(rules(light))
    @media screen and (prefers-color-scheme:dark){
    \(rules(dark))
    }

    """

  private static func rules(_ palette: Palette) -> String {
    let kinds = [
      ("success", palette.success), ("failure", palette.failure), ("cancellation", palette.cancellation),
      ("miss", palette.miss), ("omission", palette.omission),
    ]
    let fills = kinds.map { ".\($0){fill:\($1)}.mark.\($0){fill:\(palette.paper);stroke:\($1)}" }.joined()
    return """
      .paper{fill:\(palette.paper)}text{fill:\(palette.text)}.tick,.note,text.gap{fill:\(palette.muted)}
      .weekend{fill:\(palette.weekend)}.grid{stroke:\(palette.grid)}.strong{stroke:\(palette.strong)}
      \(fills).mark.failure{fill:\(palette.failure)}
      .change{stroke:\(palette.change)}text.change{fill:\(palette.change)}
      .gap,.wait{stroke:\(palette.muted)}text.gap{stroke:\(palette.paper)}.load{fill:\(palette.load)}
      """
  }

  /// Rules of the page around a drawing, for light and dark schemes.
  static let pageRules = """
    :root{color-scheme:light dark}
    body{margin:0 auto;padding:1.5rem;max-width:90rem;font:15px/1.45 system-ui,-apple-system,"Segoe UI","DejaVu Sans",sans-serif}
    h1{font-size:1.35rem;margin:0 0 .25rem}h2{font-size:1.05rem;margin:2rem 0 .5rem}p{margin:.25rem 0}
    h3{font-size:.9rem;margin:0;overflow-wrap:anywhere}h3 small{display:block;font-weight:400}
    code{font:.85em ui-monospace,"DejaVu Sans Mono",monospace;overflow-wrap:anywhere}
    .chart{overflow-x:auto;margin-top:1rem}.row{display:grid;grid-template-columns:14rem minmax(45rem,1fr)}
    .row>:first-child{position:sticky;left:0;z-index:1;align-content:center;padding-right:.75rem}
    .row svg,.key svg{display:block}.row svg{width:100%;height:auto;overflow:visible}
    .key{display:flex;flex-wrap:wrap;gap:.35rem 1.25rem;padding:0;margin:.75rem 0;list-style:none;font-size:.85rem}
    .key li{display:flex;align-items:center;gap:.4rem}
    .scroll{overflow-x:auto}table{border-collapse:collapse;font-size:.85rem;font-variant-numeric:tabular-nums}
    th,td{text-align:left;padding:.25rem .75rem .25rem 0;white-space:nowrap;border-bottom:1px solid}
    td.number,th.number{text-align:right}td svg{vertical-align:-2px;margin-right:.4rem}
    @media (max-width:50rem){body{padding:1rem}.row{display:block;width:45rem}
    .row>:first-child{width:max-content;max-width:calc(100vw - 2rem)}}
    @media print{body{max-width:none;padding:0}.chart,.scroll{overflow:visible}.row{break-inside:avoid;
    grid-template-columns:11rem 1fr}tr{break-inside:avoid}}
    \(pageRules(light))
    @media screen and (prefers-color-scheme:dark){
    \(pageRules(dark))
    }

    """

  private static func pageRules(_ palette: Palette) -> String {
    """
    body,.row>:first-child{background:\(palette.paper);color:\(palette.text)}
    small,th,.quiet{color:\(palette.muted)}th,td{border-color:\(palette.grid)}
    """
  }
}
