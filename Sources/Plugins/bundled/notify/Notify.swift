import CommandSupport
import PluginSupport
import TimelinePluginKit
import TransferSupport

/// Reports an entry of another job to a person or a service. If the run reacts to no entry, sends a test message.
final class Notify: TimelinePlugin {
  static let name = "notify"
  static let version = "1.0"
  static let summary = "tells a service or a person of another job's entry"
  /// The maximum number of instances in a process. Each has a connection, which takes 0.8 MB of memory with TLS.
  static let instancesMax = 32
  static let parametersSchema: String? = NotifySettings.schema

  private let settings: NotifySettings
  private let transfer: Transfer?

  init(_ opening: Opening) throws {
    settings = try NotifySettings(opening.parameters)
    if case .web = settings.service {
      transfer = try Transfer(userAgent: "timelined-notify/\(Self.version)")
    } else {
      transfer = nil
    }
  }

  func run(_ context: RunContext) throws -> String? {
    let report = try context.upstream.map { try Report($0) } ?? Report(testFrom: context)
    if context.isRehearsal && !settings.runsInRehearsal {
      let text = "rehearsal: \(report.title) was not told; set rehearse = true to tell it"
      context.log(text, level: .notice)
      return text
    }
    switch settings.service {
    case .mail(let mail): return try mail.send(report, settings.surroundings, context)
    case .web(let service):
      for request in try service.requests(for: report) { try send(request, context) }
      return "told \(report.title)"
    }
  }

  private func send(_ request: Request, _ context: RunContext) throws {
    guard let transfer else { return }
    let response = try transfer.perform(request, settings.limits, context)
    guard !(200...299).contains(response.status) else { return }
    let sentence = "\(request.words) got the status \(response.status)\(response.quote)"
    throw response.isTransient
      ? RetryableFailure("\(sentence); the server may well do better later")
      : Failure("\(sentence); correct the job's `with` and its credentials")
  }
}

/// The entry function that the plugin host looks up in the library.
@c(timelined_plugin_entry_notify)
public func entry(_ host: UnsafeRawPointer?) -> UnsafeRawPointer? {
  export(Notify.self, to: host)
}
