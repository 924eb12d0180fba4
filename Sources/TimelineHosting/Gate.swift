internal import Glibc

/// A counting semaphore that lives as long as the process; the C functions are `sem_post` and `sem_wait`.
///
/// Sendable although it holds a pointer: a semaphore is made to be used from several threads, and this one is never
/// freed.
@safe struct Gate: @unchecked Sendable {
  private let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

  init() {
    unsafe sem_init(semaphore, 0, 0)
  }

  /// Lets one pass.
  func open() {
    _ = unsafe sem_post(semaphore)
  }

  /// Waits until it may.
  func pass() {
    while unsafe sem_wait(semaphore) != 0 && errno == EINTR {}
  }
}
