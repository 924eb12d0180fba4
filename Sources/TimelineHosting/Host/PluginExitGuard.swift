internal import Synchronization

/// Notices when a plugin calls exit(), so that somebody hears of it before the process is gone.
enum PluginExitGuard {
  /// The action at such an exit; taken out by the first exit, so that it happens once.
  ///
  /// The one state of this process: exit's hooks take no argument that could carry it.
  private static let action = Mutex<(@Sendable (CInt) -> Void)?>(nil)

  /// Has `action` called, until ``isAsked()``, with the status that a plugin gives to exit().
  static func notice(_ action: @escaping @Sendable (CInt) -> Void) {
    Self.action.withLock { $0 = action }
    unsafe HostSystem.whenExiting { status, _ in
      let action = PluginExitGuard.action.withLock { action in
        defer { action = nil }
        return action
      }
      action?(status)
    }
  }

  /// The exit that follows is our own.
  static func isAsked() {
    action.withLock { $0 = nil }
  }
}
