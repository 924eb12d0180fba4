internal import CTimelineSystem
internal import Glibc

/// Tells when one file lost its name, another took it, or its directory was moved or removed; what happens to other files in the
/// directory wakes nobody.
///
/// The C functions are `inotify_init1` and `inotify_add_watch`. Letting go of it ends it.
package final class FileWatch {
  private let descriptor: FileDescriptor
  private var watch: Watch?
  private var numbers: Set<CInt> = []

  /// Watches nothing yet; `handler` is called on the loop's thread after each change.
  package init(loop: EventLoop, handler: @escaping () -> Void) throws(SystemError) {
    let descriptor = FileDescriptor(
      owning: try SystemCall.check("inotify_init1") { timeline_directory_watch_open() })
    let number = descriptor.rawValue
    self.descriptor = descriptor
    watch = try loop.watch(number, for: .reading) { _ in
      timeline_directory_watch_drain(number)
      handler()
    }
  }

  deinit { watch?.cancel() }

  /// Watches the file that has this path now, and no other.
  package func follow(_ path: String) {
    let number = descriptor.rawValue
    let former = numbers
    let directory = path.parentDirectory
    numbers = Set(
      [unsafe timeline_file_watch_add(number, path, 0), unsafe timeline_file_watch_add(number, directory, 1)]
        .filter { $0 >= 0 })
    // The kernel ends the watch of a file that is gone by itself, so an error here means nothing.
    for gone in former.subtracting(numbers) { _ = timeline_directory_watch_remove(number, gone) }
  }
}
