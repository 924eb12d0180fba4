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
/// The library is built as a dynamic product with the Swift runtime inside; docs/plugins.md has the manifest and the command.
///
/// **Threads.** `init`, ``run(_:)`` and `deinit` happen on the host's main thread, one after the other, one run at a
/// time. Concurrent runs of one job have a process each. Nothing but a closure given to
/// ``RunContext/whenCancelled(_:)`` ever runs beside ``run(_:)``.
///
/// **Memory.** The host holds one reference to the instance from a successful `init` until the job is closed. A
/// process that is killed runs no `deinit`.
///
/// **Failures.** What `init` or ``run(_:)`` throws is the job's error, in the words of its `description`. Throw a
/// ``RetryableFailure`` when the same again may well succeed later, and `CancellationError` or nothing at all when
/// the run stopped because it was asked to. The message should say what failed, on what, and what to do about it.
public protocol TimelinePlugin: AnyObject {
  /// One word: how the plugin is called in messages.
  static var name: String { get }
  /// The plugin's own version, in its own form.
  static var version: String { get }
  /// One line for people: what it does.
  static var summary: String { get }
  /// A JSON Schema (draft 2020-12) of the job's parameters, an object; `nil`, the default, when there is none.
  ///
  /// `timelinectl check` holds a configuration to it without running anything.
  static var parametersSchema: String? { get }
  /// The maximum number of instances at a time in one process, of several jobs; still one call at a time. The default
  /// is 1.
  ///
  /// With more, jobs that take turns in a process are not opened again for each run. Use it for a plugin that keeps
  /// no state of a job in globals or in the process itself.
  static var instancesMax: Int { get }

  /// Prepares for the runs of one job.
  init(_ opening: Opening) throws

  /// Does the work for one entry and returns its result, a line for people and for the next run, or `nil`.
  func run(_ context: RunContext) throws -> String?
}

extension TimelinePlugin {
  /// No schema.
  public static var parametersSchema: String? { nil }
  /// One.
  public static var instancesMax: Int { 1 }
}

/// A failure that is worth another try: the job's `retry` policy applies to it.
public struct RetryableFailure: Error, Sendable, CustomStringConvertible {
  /// The error: the operation, its object and the remedy.
  public let description: String

  /// Makes a failure with the text that the operator will read.
  public init(_ description: String) {
    self.description = description
  }
}

/// A failure that another try would not mend.
public struct Failure: Error, Sendable, CustomStringConvertible {
  /// The error: the operation, its object and the remedy.
  public let description: String

  /// Makes a failure with the text that the operator will read.
  public init(_ description: String) {
    self.description = description
  }
}
