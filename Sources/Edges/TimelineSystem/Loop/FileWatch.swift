internal import CTimelineSystem
internal import Glibc

/// Reports that one file lost its name, that another file took it, or that its directory was moved or removed. Changes of
/// other files in the directory cause no wake-up.
///
/// The C functions are `inotify_init1` and `inotify_add_watch`. Releasing the watch ends it.
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
    // The kernel itself ends the watch of a removed file, so an error here means nothing.
    for gone in former.subtracting(numbers) { _ = timeline_directory_watch_remove(number, gone) }
  }
}
