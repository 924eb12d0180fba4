import TimelineCore

// Input lines and questions.
extension TerminalView {
  mutating func handleAtPrompt(_ key: ViewKey) -> [ViewRequest] {
    guard let prompt else { return [] }
    if case .confirmation(let request, _) = prompt {
      self.prompt = nil
      if key == .character("y") { return [request] }
      message = "nothing was changed"
      return []
    }
    switch key {
    case .escape: close()
    case .enter: accept(prompt)
    case .backspace: typed = String(typed.dropLast())
    case .character(let character) where typed.count < Self.typedMax && !character.isNewline:
      typed.append(character)
    default: break
    }
    if prompt == .filter, self.prompt != nil {
      // The rows follow the input.
      filter = typed
      applyFilter()
    }
    return []
  }

  private mutating func close() {
    prompt = nil
    typed = ""
  }

  private mutating func accept(_ prompt: Prompt) {
    defer { close() }
    guard prompt == .moment, !typed.isEmpty else { return }
    do throws(TextError) {
      go(to: try moment(typed))
    } catch {
      message = "\(error)"
    }
  }

  /// Reads a moment. A time of day is the next one, as in `timelinectl clock leap`.
  private func moment(_ text: String) throws(TextError) -> WallInstant {
    let days = ["today ", "tomorrow "].compactMap {
      try? Moment(parsing: $0 + text, now: now, in: zone).start
    }
    if let next = days.first(where: { $0 > now }) { return next }
    return try Moment(parsing: text, now: now, in: zone).start
  }
}
