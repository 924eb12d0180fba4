internal import CTimelineSystem
internal import Glibc

/// Arguments of the C spawn, kept alive in C's form for the length of the call.
struct SpawnArguments {
  var path: String
  var arguments: [String]
  var variables: [String]
  var directory: String?
  var sources: [CInt]
  var targets: [CInt]

  /// Starts the child. Returns 0 and sets `pid`, or returns an errno value.
  func spawn(_ pid: inout pid_t) -> CInt {
    let path = unsafe CStrings([path])
    let directory = unsafe CStrings(directory.map { [$0] } ?? [])
    let arguments = unsafe CStrings(arguments)
    let variables = unsafe CStrings(variables)
    defer {
      unsafe path.free()
      unsafe directory.free()
      unsafe arguments.free()
      unsafe variables.free()
    }
    return unsafe sources.withUnsafeBufferPointer { sources in
      unsafe targets.withUnsafeBufferPointer { targets in
        var request = unsafe timeline_spawn(
          path: path.vector[0], arguments: arguments.vector.baseAddress,
          environment: variables.vector.baseAddress, directory: directory.vector[0],
          sources: sources.baseAddress, targets: targets.baseAddress, count: CInt(sources.count))
        return unsafe timeline_spawn(&request, &pid)
      }
    }
  }
}

/// A NULL-terminated vector of C strings on C's heap.
@unsafe
private struct CStrings {
  var vector: UnsafeMutableBufferPointer<UnsafeMutablePointer<CChar>?>

  init(_ strings: [String]) {
    unsafe vector = .allocate(capacity: strings.count + 1)
    for (index, string) in strings.enumerated() {
      unsafe vector.initializeElement(at: index, to: strdup(string))
    }
    unsafe vector.initializeElement(at: strings.count, to: nil)
  }

  func free() {
    for index in 0..<(unsafe vector.count) { unsafe Glibc.free(vector[index]) }
    unsafe vector.deallocate()
  }
}

/// A descriptor that can be kept in an array.
final class OwnedDescriptor {
  private let descriptor: FileDescriptor
  var number: CInt { descriptor.rawValue }

  init(_ descriptor: consuming FileDescriptor) { self.descriptor = descriptor }
}
