import TimelineCore
import TimelineRehearsal

// The meaning of keys.
extension TerminalView {
  mutating func handle(_ key: ViewKey) -> [ViewRequest] {
    message = nil
    interruptJourney()
    if prompt != nil { return handleAtPrompt(key) }
    if panel == .entry, selection == nil { panel = nil }
    if panel != nil, handleInPanel(key) { return [] }
    switch key {
    case .up: select(row: selectedRow - 1)
    case .down: select(row: selectedRow + 1)
    case .pageUp: select(row: selectedRow - max(1, layout.rowCount))
    case .pageDown: select(row: selectedRow + max(1, layout.rowCount))
    case .left: selectEntry(forward: false)
    case .right: selectEntry(forward: true)
    case .home: returnToNow()
    case .end: select(row: shownJobs.count - 1)
    case .enter: explainEntry()
    case .escape: leave()
    case .backspace: break
    case .character(let character): return handle(character)
    }
    return []
  }

  private mutating func handle(_ character: Character) -> [ViewRequest] {
    switch character {
    case "q": return [.quit]
    case "?": panel = .help
    case "/": open(.filter, typed: filter)
    case "g": open(.moment)
    case "i": window.zoomIn()
    case "o": window.zoomOut()
    case "<", ",": window.scroll(forward: false)
    case ">", ".": window.scroll(forward: true)
    case "0": returnToNow()
    case " ", "+", "=", "-", "n": return handleClock(character)
    case "t", "s", "c", "l", "w": return handleJob(character)
    default: message = "\(character): no such key; ? lists the keys"
    }
    return []
  }

  private mutating func handleClock(_ character: Character) -> [ViewRequest] {
    guard isRehearsal else {
      message = "the daemon's clock is not changed here; `timelinectl clock` changes that of a rehearsal"
      return []
    }
    switch character {
    case " ": playhead.toggle(at: base)
    case "+", "=": playhead.accelerate(at: base)
    case "-": playhead.decelerate(at: base)
    default:
      window.returnTo(now)
      destination = .nextEntry(after: now)
    }
    return []
  }

  private mutating func handleJob(_ character: Character) -> [ViewRequest] {
    guard !isRehearsal else {
      message = "a rehearsal has no daemon; `timelinectl watch` can do this"
      return []
    }
    guard let selected = selectedJob else { return [] }
    let job = jobs[selected]
    let known = runs(of: selected)
    let runs = known.active + known.waiting
    switch character {
    case "t": open(.confirmation(.trigger(job.name), "trigger \(job.name)?"))
    case "s" where job.pause == nil: open(.confirmation(.pause(job.name), "pause \(job.name)?"))
    case "s": open(.confirmation(.resume(job.name), "resume \(job.name)?"))
    case "c" where runs.isEmpty: message = "\(job.name): no run is active"
    case "c":
      let numbers = runs.map { "\($0)" }.joined(separator: ", ")
      open(.confirmation(.cancel(job.name, runs: runs), "cancel run \(numbers) of \(job.name)?"))
    case "l": return [.logs(job.name)]
    default: return [.why(job.name, at: selectedEntry?.entry ?? now)]
    }
    return []
  }

  private mutating func select(row: Int) {
    let row = max(0, min(row, shownJobs.count - 1))
    if row != selectedRow { selectedEntry = nil }
    selectedRow = row
  }

  /// Selects the next entry in one direction, from the first of these that is visible: the selected entry, now, the focus of the
  /// window. If the entry may not be known yet, looks for it.
  private mutating func selectEntry(forward: Bool) {
    if let selectedEntry, window.contains(selectedEntry.entry) {
      selectEntry(forward: forward, from: (selectedEntry.entry, selectedEntry.node ?? ""))
    } else if window.contains(now) {
      selectEntry(forward: forward, from: (now, Self.afterAllNodes))
    } else {
      // Both directions begin with an entry at the focus.
      let focus = forward ? window.focus - .nanoseconds(1) : window.focus
      selectEntry(forward: forward, from: (focus, Self.afterAllNodes))
    }
  }

  mutating func selectEntry(forward: Bool, from origin: (WallInstant, String)) {
    guard let job = selectedJob else { return }
    let entries = selectableEntries(of: job)
    let found = forward ? entries.first { Self.place($0) > origin } : entries.last { Self.place($0) < origin }
    if forward, let gap = unknownPast(from: origin.0, to: found?.entry) {
      window.show(gap)
      destination = .laterEntry(after: max(gap - .nanoseconds(1), origin.0))
    } else if let planned = scheduledEntry(of: job, from: origin.0, forward: forward),
      found.map({ forward ? planned < $0.entry : planned > $0.entry }) ?? true
    {
      select(SelectedEntry(entry: planned))
    } else if let found {
      select(SelectedEntry(found))
    } else if !minutes(of: job).isEmpty {
      message = "\(jobs[job].name): more than one entry per second; they are counted by the minute"
    } else if !forward, !isRehearsal, past.hasOlder, disconnection == nil {
      destination = .earlierEntry(before: origin.0)
    } else {
      message = "\(jobs[job].name): no \(forward ? "later" : "earlier") entry is known"
    }
  }

  private mutating func explainEntry() {
    if selection == nil { selectEntry(forward: true) }
    if selection == nil, message != nil {
      message = nil
      selectEntry(forward: false)
    }
    // The panel of an entry that is looked for or simulated opens when the entry is known.
    if selectedJob != nil, message == nil { panel = .entry }
  }

  private mutating func returnToNow() {
    selectedEntry = nil
    window.returnTo(now)
  }

  private mutating func leave() {
    if !filter.isEmpty {
      filter = ""
      applyFilter()
    } else {
      returnToNow()
    }
  }

  private mutating func open(_ prompt: Prompt, typed: String = "") {
    self.prompt = prompt
    self.typed = typed
  }

  /// Handles a key in the open panel. A key without a function there closes the panel and returns `false`.
  private mutating func handleInPanel(_ key: ViewKey) -> Bool {
    if scrollPanel(key) { return true }
    // The text follows the selection.
    if panel == .entry, [.left, .right].contains(key) {
      selectEntry(forward: key == .right)
      panelFirst = 0
      return true
    }
    panel = nil
    return [.escape, .enter, .character("?"), .character("q")].contains(key)
  }

  /// Scrolls the open panel; `false` if the key does not scroll, or if all lines are shown.
  private mutating func scrollPanel(_ key: ViewKey) -> Bool {
    let page = layout.panelRoom
    let step: Int
    switch key {
    case .up: step = -1
    case .down: step = 1
    case .pageUp: step = -page
    case .pageDown, .character(" "): step = page
    default: return false
    }
    let last = (PanelText(self)?.lines.count ?? 0) - page
    guard last > 0 else { return false }
    // On a screen that has become higher, `panelFirst` can be greater than `last`.
    panelFirst = max(0, min(min(panelFirst, last) + step, last))
    return true
  }
}
