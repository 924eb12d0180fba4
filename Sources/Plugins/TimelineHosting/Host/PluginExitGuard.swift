internal import Synchronization

/// Detects a plugin's call of exit(), so that the call is reported before the process ends.
enum PluginExitGuard {
  /// The action at a plugin's exit(). The first exit removes the action, so that it runs once.
  ///
  /// Global state, because an exit handler cannot be removed.
  private static let action = Mutex<(@Sendable (CInt) -> Void)?>(nil)

  /// Calls `action` with the status when a plugin calls exit(), until ``isAsked()`` is called.
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

  /// Disables the action, because the exit that follows is the host's own.
  static func isAsked() {
    action.withLock { $0 = nil }
  }
}
