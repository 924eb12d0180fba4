import TimelineCore
import TimelineSystem
import TimelineSystemd

// The socket's file. It is made again after its removal.
extension ControlService {
  /// Pause before the next attempt to make the file again.
  private static let retryPause = ElapsedTime.seconds(1)

  /// Starts the watch on the socket's file.
  func beginToWatchFile() {
    guard let place = listener.path else { return }
    do throws(SystemError) {
      fileWatch = try FileWatch(loop: daemon.loop) { [weak self] in self?.lookAtFile() }
      fileWatch?.follow(place)
      // The file of a socket that systemd passed may have been removed while an earlier daemon ran.
      if !listener.isInPlace { lookAtFile() }
    } catch {
      daemon.announcer.announce(.warning, "control socket \(place): its removal is not noticed: \(error)")
    }
  }

  private func lookAtFile() {
    fileRetry?.cancel()
    fileRetry = nil
    guard let place = listener.path, !daemon.stopping.isDraining else { return }
    if listener.isInPlace {
      fileComplaint = nil
      fileWatch?.follow(place)
      return
    }
    do throws(SystemError) {
      // The loop must not block while another process has locked the directory, so it tries again later.
      try listen(
        on: UnixListener(at: place, mode: fileMode, group: socketGroup, lockLimit: .zero))
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

  /// Logs why the file cannot be made, once for each reason.
  private func complainOfFile(_ text: String) {
    guard fileComplaint != text else { return }
    fileComplaint = text
    daemon.announcer.announce(.error, text)
  }
}

// The socket of a service to which systemd has passed no socket.
extension ControlService {
  /// Asks systemd whether this service has a socket unit whose socket was not passed. If so, the socket that the daemon made
  /// itself gets the group of the unit, and `status` shows the fault.
  func askForSystemdSocket() {
    guard !isPassed, daemon.service.isHeard else { return }
    socketQuestion = try? DetachedWork(name: "timeline-socket", loop: daemon.loop) {
      OwnSystemdSocket.ask().map { unit in
        (unit, unit.group.isEmpty ? nil : try? UserRecord.group(named: unit.group))
      }
    } completion: { [weak self] found in
      if let self, let (unit, group) = found { take(unit, group) }
    }
  }

  private func take(_ unit: OwnSystemdSocket, _ group: UInt32?) {
    var fault =
      "made by timelined itself, as \(unit.name) passed none: `systemctl restart \(unit.service)` opens it"
    if let group, socketGroup == nil {
      socketGroup = group
      do throws(SystemError) { try listener.give(to: group) } catch {
        fault += "; it does not belong to the group \(unit.group): \(error.plainReason)"
      }
    }
    unitFault = fault
    daemon.announcer.announce(.warning, "control socket \(listener.path ?? path): \(fault)")
  }

  /// Fault of the socket; `nil` for none.
  var socketFault: String? { fileComplaint ?? unitFault.map { "\(listener.path ?? path): \($0)" } }
}
