/// A plugin in Swift: a class whose instances each serve one job.
///
/// ```swift
/// import TimelinePluginKit
///
/// final class Greeter: TimelinePlugin {
///   static let name = "greeter"
///   static let version = "1.0"
///   static let summary = "greets whom the job names"
///   let whom: String
///
///   init(_ opening: Opening) throws {
///     whom = try opening.parameters.text("/whom")
///   }
///
///   func run(_ context: RunContext) throws -> String? {
///     context.log("greeting", fields: ["whom": whom])
///     return "hello, \(whom)"
///   }
/// }
///
/// @c(timelined_plugin_entry)
/// public func entry(_ host: UnsafeRawPointer?) -> UnsafeRawPointer? {
///   unsafe export(Greeter.self, to: host)
/// }
/// ```
///
/// The library is built as a dynamic product that contains the Swift runtime; docs/plugins.md has the manifest and the
/// command.
///
/// **Threads.** `init`, ``run(_:)`` and `deinit` are called on the host's main thread, one after the other, one run at a
/// time. Concurrent runs of one job have a process each. Only a closure that was passed to ``RunContext/whenCancelled(_:)``
/// runs concurrently with ``run(_:)``.
///
/// **Memory.** The host holds one reference to the instance from a successful `init` until the job is closed. If the
/// process is killed, `deinit` is not called.
///
/// **Failures.** An error that `init` or ``run(_:)`` throws becomes the job's error; its text is the error's `description`.
/// Throw a ``RetryableFailure`` if a later retry may succeed. If the run stopped because it was asked to, throw
/// `CancellationError` or no error. The message should name the operation, its object and the remedy.
public protocol TimelinePlugin: AnyObject {
  /// The plugin's name in messages, one word.
  static var name: String { get }
  /// The plugin's own version, in any form.
  static var version: String { get }
  /// One line about the plugin's purpose, for operators.
  static var summary: String { get }
  /// A JSON Schema (draft 2020-12) of the job's parameters, which is an object; `nil`, the default, when there is none.
  ///
  /// `timelinectl check` validates a configuration against the schema without running the plugin.
  static var parametersSchema: String? { get }
  /// The maximum number of instances in one process at a time, each for another job. There is still one call at a time. The
  /// default is 1.
  ///
  /// With a larger number, jobs that take turns in a process are not opened again for each run. Use it for a plugin that
  /// keeps no state of a job in global variables or in the process itself.
  static var instancesMax: Int { get }

  /// Prepares the instance for the runs of one job.
  init(_ opening: Opening) throws

  /// Does the work for one entry. Returns the result, a line for operators and for the next run, or `nil`.
  func run(_ context: RunContext) throws -> String?
}

extension TimelinePlugin {
  /// No schema.
  public static var parametersSchema: String? { nil }
  /// One.
  public static var instancesMax: Int { 1 }
}

/// A failure that is worth a retry: the job's `retry` policy applies to it.
public struct RetryableFailure: Error, Sendable, CustomStringConvertible {
  /// The error: the operation, its object and the remedy.
  public let description: String

  /// Makes a failure with the text that the operator will read.
  public init(_ description: String) {
    self.description = description
  }
}

/// A failure that a retry would not fix.
public struct Failure: Error, Sendable, CustomStringConvertible {
  /// The error: the operation, its object and the remedy.
  public let description: String

  /// Makes a failure with the text that the operator will read.
  public init(_ description: String) {
    self.description = description
  }
}
