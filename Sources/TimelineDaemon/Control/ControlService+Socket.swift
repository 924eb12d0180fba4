import TimelineCore
import TimelineSystem

// The socket's file: made again when somebody has removed it.
extension ControlService {
  /// The pause before another attempt to make the file again.
  private static let retryPause = ElapsedTime.seconds(1)

  /// Begins to watch the socket's file.
  func beginToWatchFile() {
    guard let place = listener.path else { return }
    do throws(SystemError) {
      fileWatch = try FileWatch(loop: daemon.loop) { [weak self] in self?.lookAtFile() }
      fileWatch?.follow(place)
    } catch {
      daemon.announcer.announce(.warning, "control socket \(place): its removal is not noticed: \(error)")
    }
  }

  private func lookAtFile() {
    fileRetry?.cancel()
    fileRetry = nil
    guard let place = listener.path, !daemon.isDraining else { return }
    if listener.isInPlace {
      fileComplaint = nil
      fileWatch?.follow(place)
      return
    }
    guard listener.ownsFile else {
      return complainOfFile(
        "control socket \(place): its file was removed or replaced: systemd listens on it: systemctl restart timelined.socket timelined.service"
      )
    }
    do throws(SystemError) {
      // Nobody is waited for here; who has a lock on the directory is asked again.
      try listen(
        on: UnixListener(at: place, mode: Self.fileMode, group: socketGroup, lockLimit: .zero))
      fileWatch?.follow(place)
      fileComplaint = nil
      remakes.note()
    } catch {
      complainOfFile(
        "control socket \(place): its file was removed or replaced, and cannot be made again: \(error); tried again every second"
      )
      fileRetry = daemon.loop.after(Self.retryPause) { [weak self] in self?.lookAtFile() }
    }
  }

  /// Says what is in the way, once for each reason.
  private func complainOfFile(_ text: String) {
    guard fileComplaint != text else { return }
    fileComplaint = text
    daemon.announcer.announce(.error, text)
  }
}
