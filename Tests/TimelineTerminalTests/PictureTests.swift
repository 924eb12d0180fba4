import Foundation
import Testing
import TimelineClocks
import TimelineCore
import TimelineEngineTestSupport
import TimelineRehearsal
import TimelineTerminal

/// Screens as text. `TIMELINED_REGENERATE=1` writes the files of `Pictures` again.
@Suite struct `Pictures of a rehearsal` {
  private static let directory = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "Pictures")

  /// Names, sizes, whether there is more than ASCII, and keys.
  @Test(arguments: [
    ("40x12", 40, 12, true, ""),
    ("80x24", 80, 24, true, ""),
    ("80x24-ascii", 80, 24, false, ""),
    ("200x60", 200, 60, true, "/-sampler{enter}"),
    ("80x24-help", 80, 24, true, "?"),
    ("80x24-entry", 80, 24, true, "{down}{right}{right}{enter}"),
    ("80x24-filter", 80, 24, true, "/imp"),
    ("40x12-entry-ascii", 40, 12, false, "{down}{right}{right}{enter}"),
    ("80x24-zoomed", 80, 24, true, "oo"),
    ("40x12-help", 40, 12, true, "?"),
    // The first cell ends in the next day.
    ("80x24-midnight", 80, 24, true, "g1970-01-02T01:10:00Z{enter}"),
    ("19x5", 19, 5, true, ""),
  ])
  func screens(_ name: String, _ width: Int, _ height: Int, _ unicode: Bool, _ keys: String) throws {
    var view = rehearsal(pace: .speed(1), width: width, height: height)
    view.type(" gin 100m{enter}")
    view.tick()
    view.type(keys)
    view.tick()
    let screen = view.screen(unicode: unicode)
    #expect(screen.count == height)
    #expect(screen.allSatisfy { $0.count <= width })
    if !unicode { #expect(screen.allSatisfy { $0.utf8.allSatisfy { $0 < 0x7F } }) }
    let file = Self.directory.appending(path: "\(name).txt")
    let text = screen.joined(separator: "\n") + "\n"
    if ProcessInfo.processInfo.environment["TIMELINED_REGENERATE"] == "1" {
      try FileManager.default.createDirectory(at: Self.directory, withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
    }
    #expect(text == String(decoding: try Data(contentsOf: file), as: UTF8.self))
  }

  /// Sizes from one cell to more than a screen has: nothing is drawn outside, and nothing traps.
  @Test(arguments: [
    (1, 1), (2, 60), (19, 6), (20, 5), (20, 6), (21, 7), (39, 15), (39, 16), (120, 17), (10_000, 10_000),
  ])
  func everySizeIsDrawn(_ width: Int, _ height: Int) {
    // Without the counted job, whose many entries are not what this is about.
    let jobs = Array(sample.dropLast())
    let size = ScreenSize(width: width, height: height)
    for keys in ["", "?", "{right}{enter}", "g2027"] {
      var view = rehearsal(jobs, width: width, height: height)
      view.type(keys)
      let screen = view.screen()
      #expect(screen.count == size.height)
      #expect(screen.allSatisfy { $0.count <= size.width })
    }
  }

  @Test func withoutColorNoCellHasOne() {
    let view = rehearsal()
    let plain = TerminalPicture.draw(view, TerminalCapabilities(hasColor: false, hasUnicode: true))
    let colored = TerminalPicture.draw(view, TerminalCapabilities(hasColor: true, hasUnicode: true))
    #expect(plain.lines.joined().allSatisfy { $0.style.color == .none })
    #expect(Set(colored.lines.joined().map(\.style.color)).count > 2)
    #expect(plain.text == colored.text)
  }

  @Test func foreignCharactersTakeOneCell() {
    var view = rehearsal(height: 10)
    _ = view.handle(.message("a\u{1B}[2J 日本 é → \u{301}x"), at: t(0))
    #expect(view.screen()[8] == "a?[2J ?? é → ?x")
    #expect(view.screen(unicode: false)[8] == "a?[2J ?? ? > ?x")
  }
}
