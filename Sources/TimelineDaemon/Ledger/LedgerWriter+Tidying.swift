import TimelineCore
import TimelineLedger
import TimelineSystem

// Work that can wait until nothing else is due.
extension LedgerWriter {
  /// Pause after a portion of tidying before the next one, so that other work comes in between.
  private static let portionPause = ElapsedTime.milliseconds(100)
  /// Time for one portion and a margin: as much as a slow machine needs for the least of it.
  private static let portionMax = ElapsedTime.milliseconds(5)
  /// Time for which work that can wait is left to gather.
  private static let tidyingPause = ElapsedTime.minutes(10)
  /// Longest time for which a portion of tidying is put off.
  private static let tidyPatience = ElapsedTime.seconds(5)

  /// Files what can wait and drops what is old, a portion now and the others in later turns, each when nothing is due soon.
  func tidy() { tidy(atLatest: now() + Self.tidyPatience) }

  private func tidy(atLatest latest: WallInstant) {
    tidying?.cancel()
    tidying = nil
    if let delay = delay(of: Self.quietTime, atLatest: latest) {
      tidying = loop.after(delay) { [weak self] in self?.tidy(atLatest: latest) }
      return
    }
    // A file that is with another thread is back before long.
    if ledger.isSyncing { return tidy(after: Self.portionPause) }
    attempt { () throws(LedgerError) in try ledger.checkPlace() }
    let end = SystemTime.monotonic() + Self.portionMax
    var hasMore: Bool?
    repeat {
      hasMore = attempt { () throws(LedgerError) in
        try ledger.tidy(at: now(), elapsed: monotonic() - openedAt, keeping: retention)
      }
    } while hasMore == true && SystemTime.monotonic() < end
    if hasMore == true { tidy(after: Self.portionPause) } else { beginDiskWork() }
  }

  /// Sets the timer of the next portion, unless it is set. A daemon that has nothing to tidy has no timer.
  private func tidy(after pause: ElapsedTime) {
    guard tidying == nil else { return }
    tidying = loop.after(pause) { [weak self] in self?.tidy() }
  }

  /// Time for which busy jobs go on before their watermarks are saved.
  private static let watermarkPause = ElapsedTime.seconds(1)

  /// Has the watermarks of busy jobs saved soon, so that the notes of their starts can be removed.
  func saveWatermarksSoon() { saveWatermarks(after: Self.watermarkPause) }

  private func saveWatermarks(after pause: ElapsedTime) {
    guard watermarkTimer == nil else { return }
    watermarkTimer = loop.after(pause) { [weak self] in self?.saveWatermarks() }
  }

  private func saveWatermarks() {
    watermarkTimer = nil
    if ledger.isSyncing { return saveWatermarks(after: Self.portionPause) }
    let hasMore = attempt { () throws(LedgerError) in try ledger.saveWatermarks() }
    forgetNotes()
    if hasMore == true { saveWatermarks(after: Self.portionPause) }
  }

  /// Has what was settled tidied when some of it has gathered.
  func tidySoon() { tidy(after: Self.tidyingPause) }
}
