import TimelineCore
import TimelineEngine
import TimelineSystem
import TimelineWire

/// Messages over a host's socket, and its end.
extension HostProcess {
  func sendWhatMayBeSent() {
    while let message = dialogue.next() { outbox.append(message) }
    flush()
  }

  private func flush() {
    while let first = outbox.first {
      // Read before the message is sent, because the host can call the plugin as soon as it has the message.
      let now = SystemTime.monotonic()
      switch Result(catching: { () throws(SystemError) in try socket.send(first.encoded()) }) {
      case .success(.sent):
        outbox.removeFirst()
        if case .run = first, let run = dialogue.run {
          keeping?.begin(run)
          meter?.begin()
          dialogue.earliestCall = run.notBefore.map { max($0, now) } ?? now
        }
      case .success(.wouldBlock):
        socketWatch?.update([.reading, .writing])
        return
      case .success(.peerClosed):
        undelivered(first)
        return
      case .failure(let error):
        pools.handle(.misbehaved(id, "its host could not be written to: \(error)"))
        return
      }
    }
    socketWatch?.update(.reading)
  }

  /// Handles a message that was not sent because the host is dead. If a run depends on the message, the run has not begun.
  private func undelivered(_ message: DaemonMessage) {
    outbox.removeAll()
    switch message {
    case .cancel, .mode: return
    case .load, .open, .run, .close, .exit: break
    }
    if let run = dialogue.run { pools.handle(.undelivered(id, run.run)) }
  }

  func socketIsReady(_ readiness: Readiness) {
    if readiness.contains(.writable) { flush() }
    let count = lines.isSpent ? TurnLimits.drainMessagesMax : TurnLimits.messagesMax
    guard hear(atMost: count, toEnd: false) else {
      socketWatch?.cancel()
      pools.handle(.closed(id))
      return
    }
    guard lines.isSpent, pause == nil else { return }
    // The host writes more than may be passed on: pause, so that other hosts are not delayed.
    socketWatch?.update([])
    pause = pools.loop.after(TurnLimits.drainPause) { [weak self] in
      guard let self else { return }
      pause = nil
      socketWatch?.update(outbox.isEmpty ? .reading : [.reading, .writing])
    }
  }

  /// Handles the host's messages up to the end of its run or of its socket, unless the messages are being handled already.
  func hearNow() {
    guard !isHearing, socket.rawValue >= 0 else { return }
    if !hear(atMost: TurnLimits.lastMessagesMax, toEnd: false), child.hasEnded { hasExited() }
  }

  /// Handles at most `count` messages of the host. Stops after the end of a run unless `toEnd` is true. Returns false at the
  /// end of the socket.
  func hear(atMost count: Int, toEnd: Bool = true) -> Bool {
    isHearing = true
    defer {
      isHearing = false
      reportProgress()
    }
    for _ in 0..<count {
      // A message that may be the end of a run is recorded before it is removed from the socket.
      let isKept = keeping?.isRunning == true
      switch Result(catching: { () throws(SystemError) in try isKept ? socket.peek() : socket.receive() }) {
      case .success(.message(let bytes)):
        let message = Result(catching: { () throws(WireError) in try HostMessage(decoding: bytes) })
        if isKept { take(message) }
        // After the end of a run a host waits for the daemon, so a further read would usually find nothing.
        if understand(message), !toEnd { return true }
      case .success(.truncated(let length)):
        if isKept { socket.discard() }
        pools.handle(.misbehaved(id, "its host sent a message of \(length) bytes"))
      case .success(.wouldBlock): return true
      case .success(.endOfFile): return false
      case .failure(let error):
        pools.handle(.misbehaved(id, "its host could not be heard: \(error)"))
        return false
      }
    }
    return true
  }

  /// Records the end of a run if `message` is one, and removes the peeked message from the socket.
  private func take(_ message: Result<HostMessage, WireError>) {
    if case .success(.ended(let end)) = message { keeping?.hear(end) }
    socket.discard()
  }

  /// Handles a message. Returns whether the message was the end of a run.
  private func understand(_ result: Result<HostMessage, WireError>) -> Bool {
    let message: HostMessage
    switch result {
    case .success(let understood): message = understood
    case .failure(let error):
      pools.handle(.misbehaved(id, "its host said what is not a message: \(error)"))
      return false
    }
    let run = dialogue.run
    switch dialogue.take(message, at: SystemTime.monotonic()) {
    case .nothing: break
    case .line(let line): lines.log(line)
    case .dropped(let bytes): lines.count(droppedBytes: bytes)
    case .progress(let progress):
      // Only the latest progress in an iteration of the loop is passed on, because a plugin may report without limit.
      self.progress = progress
    case .leaving: pools.handle(.leaving(id))
    case .event(let event):
      // Output that was printed during the run belongs to the run and is passed on before the run's end.
      if let run {
        lines.endRun()
        reportProgress(of: run)
        noteUsage(of: run)
      }
      pools.handle(event)
    }
    sendWhatMayBeSent()
    if case .ended = message { return true }
    return false
  }

  /// Records the resource usage of a run that is over, for the report of the run's end.
  private func noteUsage(of run: PluginRun) {
    guard let reading = meter?.end() else { return }
    let shortage = reading.shortage.map { shortage in
      PluginLine(
        run: run.run, job: run.job, pluginPath: kind.pluginPath, source: .pools, level: .warning,
        message: MemoryShortageMessage.text(shortage, limit: controlGroup?.memoryLimit))
    }
    pools.note(RunFigures(usage: reading.usage, shortage: shortage), of: run.run)
  }

  /// Passes on the latest progress if the budget admits it. Progress of the run `ended`, which is over, is always passed
  /// on.
  private func reportProgress(of ended: PluginRun? = nil) {
    guard let progress, let run = ended ?? dialogue.run else { return }
    guard lines.admitsProgress(progress.text) || ended != nil else {
      if progressPause == nil {
        progressPause = pools.loop.after(TurnLimits.releasePause) { [weak self] in
          self?.progressPause = nil
          self?.reportProgress()
        }
      }
      return
    }
    self.progress = nil
    pools.report(.progress(run.run, run.job, millionths: progress.millionths, text: progress.text))
  }

  func hasExited() {
    if socket.rawValue >= 0 { _ = hear(atMost: TurnLimits.lastMessagesMax) }
    lines.endRun()
    if let run = dialogue.run { noteUsage(of: run) }
    guard let status = child.reap(killingGroup: true) else { return }
    pause?.cancel()
    progressPause?.cancel()
    socketWatch?.cancel()
    exitWatch?.cancel()
    lines.close()
    socket.hangUp()
    keeping?.forget()
    pools.exited(id, status)
  }
}
