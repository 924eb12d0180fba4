import TimelineConfiguration
import TimelineCore
import TimelineEngine
import TimelineLoading
import TimelineSystem
import TimelineSystemd

/// What a reload changed.
struct ReloadChanges: Equatable {
  var added: [JobName] = []
  var changed: [JobName] = []
  var removed: [JobName] = []
  var unchangedCount = 0

  init(from old: [JobDefinition], to new: [JobDefinition]) {
    // Mostly the jobs are what and where they were; only the others are looked up.
    var isKept = Array(repeating: false, count: old.count)
    var moved: [JobName: Int]?
    for (index, definition) in new.enumerated() {
      var place: Int? = index
      if index >= old.count || old[index].name != definition.name {
        let places =
          moved ?? Dictionary(old.indices.map { (old[$0].name, $0) }, uniquingKeysWith: { first, _ in first })
        moved = places
        place = places[definition.name]
      }
      guard let place else {
        added.append(definition.name)
        continue
      }
      isKept[place] = true
      if old[place] == definition { unchangedCount += 1 } else { changed.append(definition.name) }
    }
    removed = old.indices.filter { !isKept[$0] }.map { old[$0].name }
  }

  /// One line for people.
  var text: String {
    let parts = [("added", added), ("changed", changed), ("removed", removed)].filter { !$0.1.isEmpty }
      .map { "\($0.0) \($0.1.map(\.text).joined(separator: ", "))" }
    return (parts + ["\(unchangedCount) unchanged"]).joined(separator: "; ")
  }
}

/// Reads the configuration again, one reload at a time; whoever asks meanwhile gets the next one.
///
/// A configuration with any error changes nothing, a plugin that cannot be loaded included: at a reload somebody is there to
/// mend it, unlike at the start of a machine.
final class Reloader {
  typealias Completion = (Result<ReloadChanges, LoadFailure>) -> Void

  private unowned let daemon: Daemon
  private var waiting: [Completion] = []
  private var isReloading = false

  init(daemon: Daemon) {
    self.daemon = daemon
  }

  /// Reloads; `completion` is called once, on the loop's thread, when the new configuration is in force or refused.
  func reload(_ completion: @escaping Completion) {
    waiting.append(completion)
    if !isReloading { begin() }
  }

  private func begin() {
    guard !waiting.isEmpty else { return }
    let asked = waiting
    waiting = []
    isReloading = true
    _ = ServiceManager.reloading(
      monotonicMicroseconds: SystemTime.monotonic().nanosecondsSinceBoot / 1_000)
    do {
      let isRoot = CurrentProcess.effectiveUser == 0
      let configuration = try daemon.loader.read(
        refusingForeignWriters: isRoot, refusingUnknownPlugins: true, refusingUnknownGroup: true,
        now: daemon.now, keeping: daemon.loaded.configuration)
      daemon.loader.inspect(configuration, with: daemon.hosts, depth: { _ in isRoot ? .run : .library }) {
        [weak self] result in self?.finish(result, asked)
      }
    } catch {
      finish(.failure(error), asked)
    }
  }

  private func finish(_ result: Result<LoadedConfiguration, LoadFailure>, _ asked: [Completion]) {
    let answer = conclude(result)
    switch answer {
    case .success(let changes):
      daemon.announcer.announce(.notice, "configuration reloaded: \(changes.text)", kind: .reloaded)
      daemon.news.tell(.reloaded(changes.text))
    case .failure(let failure):
      daemon.announcer.announce(
        .error,
        "the configuration was not reloaded and the old one stays in force\n\(failure.text().trimmingNewline)",
        kind: .configurationRefused)
    }
    if !daemon.isDraining { _ = ServiceManager.ready(status: daemon.statusText) }
    isReloading = false
    // What was read and what was in force before are let go of when this turn has ended.
    daemon.loop.after(.zero) { [book = daemon.book] in
      book.dropCache()
      CurrentProcess.returnUnusedMemory()
    }
    for completion in asked { completion(answer) }
    begin()
  }

  private func conclude(
    _ result: Result<LoadedConfiguration, LoadFailure>
  ) -> Result<ReloadChanges, LoadFailure> {
    result.flatMap { loaded in
      if !loaded.pluginFaults.isEmpty {
        return .failure(.refused(loaded.configuration.warnings + loaded.pluginFaults.map(\.diagnostic)))
      }
      let settings = loaded.configuration.daemon
      if let text = DaemonSettings.needingRestart(from: daemon.settingsAtStart, to: settings) {
        daemon.announcer.announce(.warning, text)
      }
      var loaded = loaded
      loaded.configuration.settle()
      let changes = ReloadChanges(from: daemon.definitions, to: loaded.configuration.definitions)
      daemon.reload(loaded, changes)
      for status in daemon.engine.statuses(of: changes.added, at: daemon.now) {
        guard let since = status.pausedSince else { continue }
        daemon.announcer.announce(
          .notice,
          "\(status.name): still paused, since \(since.text(in: settings.zone)); `timelinectl resume \(status.name)` lets it go on"
        )
      }
      return .success(changes)
    }
  }
}

extension DaemonSettings {
  /// Which settings differ from those of the start and are not in force before the next one, as a sentence; `nil` when there are none.
  static func needingRestart(from old: DaemonSettings, to new: DaemonSettings) -> String? {
    let changed = [
      ("daemon.state-folder", old.stateFolder != new.stateFolder),
      ("daemon.hosts-max", old.hostCountMax != new.hostCountMax),
      ("control.socket", old.control.socketPath != new.control.socketPath),
      ("control.group", old.control.group != new.control.group),
    ].filter(\.1).map(\.0)
    if changed.isEmpty { return nil }
    return "\(changed.joined(separator: ", ")): a reload does not change this; restart timelined"
  }
}
