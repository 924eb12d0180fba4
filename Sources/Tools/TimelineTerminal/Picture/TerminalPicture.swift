import TimelineCore
import TimelineRehearsal

/// Draws a view on a screen: a pure function of the view and the terminal's abilities.
package struct TerminalPicture: ~Copyable {
  let view: TerminalView
  let capabilities: TerminalCapabilities
  let glyphs: Glyphs
  let layout: ScreenLayout
  var grid: CellGrid

  /// Draws `view` for a terminal with these abilities.
  package static func draw(_ view: TerminalView, _ capabilities: TerminalCapabilities) -> CellGrid {
    var picture = TerminalPicture(view, capabilities)
    picture.draw()
    return picture.grid
  }

  private init(_ view: TerminalView, _ capabilities: TerminalCapabilities) {
    self.view = view
    self.capabilities = capabilities
    glyphs = Glyphs(hasUnicode: capabilities.hasUnicode)
    layout = view.layout
    grid = CellGrid(view.size)
  }

  private mutating func draw() {
    let least = ScreenLayout.least
    guard view.size.width >= least.width, view.size.height >= least.height else {
      write("too small: \(least.width)x\(least.height)", 0, 0)
      return
    }
    drawTitle()
    drawChart()
    drawDetail()
    drawFooter()
    drawPanel()
  }

  /// Writes a text on a line; returns the column after the text.
  @discardableResult
  mutating func write(
    _ text: String, _ line: Int, _ column: Int, limit: Int? = nil, _ style: CellStyle = .plain
  ) -> Int {
    var style = style
    if !capabilities.hasColor { style.color = .none }
    return grid.write(text, line, column, limit: limit, style, glyphs: glyphs)
  }

  /// Draws title, time and pace on one reversed line.
  private mutating func drawTitle() {
    let width = view.size.width
    grid.paint(0, 0..<width, .reversed)
    let time = view.now.wholeSeconds.text(in: view.zone)
    var right = view.isRehearsal ? "\(time)  \(pace) " : "\(time) "
    if right.count > width - 2 { right = "\(view.zone.civil(at: view.now.wholeSeconds)) " }
    let name = view.isRehearsal ? "rehearsal" : "timelined"
    let room = width - right.count - 1
    let title = " \(name)  \(view.title)"
    let titles = view.isRehearsal ? [title, " \(name)"] : daemonTitles(name, title)
    if let title = titles.first(where: { $0.count <= room }) { write(title, 0, 0, .reversed) }
    write(right, 0, max(0, width - right.count), .reversed)
  }

  /// Titles of a view of the daemon, the longest first. All but the last name the source of the future.
  private func daemonTitles(_ name: String, _ title: String) -> [String] {
    let source = view.simulation == nil ? "future: next entries alone" : "future: simulated"
    return ["\(title)  (\(view.futureSource))", "\(title)  (\(source))", " \(name)  \(source)", " \(name)"]
  }

  private var pace: String {
    (view.playhead.isPaused ? glyphs.standing : glyphs.playing) + " " + view.playhead.speedText
  }

  /// Draws the last line but one: a message, a prompt, or the selected job or entry.
  private mutating func drawDetail() {
    let line = view.size.height - 2
    if let prompt = view.prompt { return drawPrompt(prompt, on: line) }
    if let message = view.message { return _ = write(message, line, 0, .bold) }
    if let reason = view.disconnection {
      return _ = write(reason, line, 0, CellStyle(color: .red, isBold: true))
    }
    switch view.destination {
    case .moment(let moment)?:
      let reached = view.simulation?.reached.wholeSeconds ?? moment
      write(
        "going to \(moment.wholeSeconds.text(in: view.zone)): at \(reached.text(in: view.zone)); any key stops",
        line, 0,
        .bold)
    case .earlierEntry?:
      let known = view.past.known.from.map { ": read back to \($0.wholeSeconds.text(in: view.zone))" } ?? ""
      write("looking for an earlier entry\(known); any key stops", line, 0, .bold)
    case .laterEntry?: write("looking for a later entry; any key stops", line, 0, .bold)
    case .nextEntry?: write("looking for the next entry; any key stops", line, 0, .bold)
    case nil: write(EntryWords(view).line, line, 0)
    }
  }

  private mutating func drawPrompt(_ prompt: TerminalView.Prompt, on line: Int) {
    switch prompt {
    case .filter: drawInput("filter (words; -word excludes): ", on: line)
    case .moment: drawInput("go to (02:30, tomorrow 02:30, 2027-03-28, in 2h): ", on: line)
    case .confirmation(_, let question): write("\(question) y or n", line, 0, .bold)
    }
  }

  private mutating func drawInput(_ label: String, on line: Int) {
    // On a narrow screen the input is more important than its label.
    let label = label.count + 20 <= view.size.width ? label : String(label.prefix { $0 != "(" }) + ": "
    let typed = String(view.typed.suffix(max(1, view.size.width - label.count - 1)))
    let end = write(typed, line, write(label, line, 0, .bold))
    grid.set(line, end, " ", .reversed)
  }

  /// Draws the last line: the fault of the cluster, and the most important keys, as many as fit.
  private mutating func drawFooter() {
    let line = view.size.height - 1
    var column = 0
    if let note = view.clusterNote {
      // There is room for the first two keys.
      column =
        write(note, line, 0, limit: max(1, view.size.width - 16), CellStyle(color: .yellow, isBold: true)) + 2
    }
    for (key, word) in ViewHelp.footer(isRehearsal: view.isRehearsal) {
      guard column + key.count + word.count + 1 <= view.size.width else { break }
      column = write(key, line, column, .bold)
      column = write(" " + word, line, column, .dim) + 2
    }
  }
}

extension WallInstant {
  /// The instant without its fraction of a second.
  var wholeSeconds: WallInstant {
    WallInstant(secondsSinceEpoch: nanosecondsSinceEpoch.flooredQuotient(by: 1_000_000_000))
  }
}
