import CCurses
import TimelineSystem
import TimelineTerminal

/// The full-screen terminal, from its initialization to ``close()``. A process opens at most one.
struct Screen: ~Copyable {
  let capabilities: TerminalCapabilities
  private var shown: CellGrid?

  /// Opens the terminal of standard input and output; `nil` if it is not a terminal, or if ncurses does not support its type.
  init?() {
    guard timeline_screen_open() == 0 else { return nil }
    capabilities = TerminalCapabilities(
      hasColor: timeline_screen_has_colors() != 0 && CurrentProcess.outputShowsColors,
      hasUnicode: timeline_screen_has_unicode() != 0)
  }

  deinit { timeline_screen_close() }

  var size: ScreenSize {
    var (width, height): (CInt, CInt) = (0, 0)
    unsafe timeline_screen_size(&width, &height)
    return ScreenSize(width: Int(width), height: Int(height))
  }

  /// Releases the terminal until ``reopen()``.
  mutating func close() {
    timeline_screen_close()
    shown = nil
  }

  /// Opens the terminal again.
  mutating func reopen() {
    timeline_screen_reopen()
    shown = nil
  }

  /// Shows a picture. Skips unchanged lines; curses finds the changed cells.
  mutating func show(_ grid: CellGrid) {
    let former = shown?.lines ?? []
    for (number, line) in grid.lines.enumerated() where number >= former.count || former[number] != line {
      let characters = line.map(\.character.value)
      let styles = line.map { $0.style.bits }
      unsafe timeline_screen_put(CInt(number), characters, styles, line.count)
    }
    timeline_screen_show()
    shown = grid
  }

  /// The keys that were pressed since the last call.
  func keys() -> [ViewKey] {
    var keys: [ViewKey] = []
    // At most 256 keys for each call, so that the picture is drawn while a file is pasted.
    while keys.count < 256 {
      let code = timeline_screen_key()
      if code == TIMELINE_KEY_NONE.rawValue { break }
      if let key = ViewKey(code: code) { keys.append(key) }
    }
    return keys
  }
}

extension ViewKey {
  /// The key with a code of the screen; `nil` for a key without a function in the view.
  fileprivate init?(code: UInt32) {
    let special: [(timeline_key, ViewKey)] = [
      (TIMELINE_KEY_UP, .up), (TIMELINE_KEY_DOWN, .down), (TIMELINE_KEY_LEFT, .left),
      (TIMELINE_KEY_RIGHT, .right), (TIMELINE_KEY_PAGE_UP, .pageUp), (TIMELINE_KEY_PAGE_DOWN, .pageDown),
      (TIMELINE_KEY_HOME, .home), (TIMELINE_KEY_END, .end), (TIMELINE_KEY_ENTER, .enter),
      (TIMELINE_KEY_ESCAPE, .escape), (TIMELINE_KEY_BACKSPACE, .backspace),
    ]
    if let key = special.first(where: { $0.0.rawValue == code })?.1 {
      self = key
    } else if let scalar = Unicode.Scalar(code) {
      self = .character(Character(scalar))
    } else {
      return nil
    }
  }
}

extension CellStyle {
  /// The style as attributes of the screen.
  fileprivate var bits: UInt16 {
    UInt16(color.rawValue) | (isBold ? UInt16(TIMELINE_STYLE_BOLD.rawValue) : 0)
      | (isDim ? UInt16(TIMELINE_STYLE_DIM.rawValue) : 0)
      | (isReversed ? UInt16(TIMELINE_STYLE_REVERSED.rawValue) : 0)
  }
}
