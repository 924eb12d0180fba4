internal import CTimelineSystem
internal import Glibc
package import TimelineCore

/// Reports that files in some directories were made, written, renamed or removed, once no more changes have come for a while.
///
/// The report does not name the file, so the caller compares new contents with former ones. A package manager changes hundreds of
/// files at a time, hence the wait. The C functions are `inotify_init1` and `inotify_add_watch`. Releasing the watch ends it.
package final class DirectoryWatch {
  private let descriptor: FileDescriptor
  private let loop: EventLoop
  private let quiet: ElapsedTime
  private let handler: () -> Void
  private var watch: Watch?
  private var delay: Delay?
  private var numbers: [String: CInt] = [:]

  /// Watches nothing yet; `handler` is called on the loop's thread when nothing has changed for `quiet` after a change.
  package init(
    loop: EventLoop, quiet: ElapsedTime, handler: @escaping () -> Void
  ) throws(SystemError) {
    descriptor = FileDescriptor(
      owning: try SystemCall.check("inotify_init1") { timeline_directory_watch_open() })
    self.loop = loop
    self.quiet = quiet
    self.handler = handler
    watch = try loop.watch(descriptor.rawValue, for: .reading) { [weak self] _ in self?.noticed() }
  }

  deinit {
    watch?.cancel()
    delay?.cancel()
  }

  /// Watches these directories and no others. Returns those that cannot be watched.
  ///
  /// If a directory is replaced by another with the same name, the new directory must be watched anew. So call this method again
  /// after each change.
  @discardableResult
  package func watch(directories: Set<String>) -> Set<String> {
    let number = descriptor.rawValue
    let former = numbers
    numbers = [:]
    for directory in directories {
      let added = unsafe timeline_directory_watch_add(number, directory)
      if added != -1 { numbers[directory] = added }
    }
    // The kernel itself ends the watch of a removed directory, so an error here means nothing.
    for gone in Set(former.values).subtracting(numbers.values) {
      _ = timeline_directory_watch_remove(number, gone)
    }
    return directories.subtracting(numbers.keys)
  }

  private func noticed() {
    timeline_directory_watch_drain(descriptor.rawValue)
    delay?.cancel()
    delay = loop.after(quiet) { [weak self] in
      self?.delay = nil
      self?.handler()
    }
  }
}
