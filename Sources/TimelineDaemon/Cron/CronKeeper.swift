import TimelineConfiguration
import TimelineCore
import TimelineLoading
import TimelineSystem

/// Notices whether cron runs the crontabs that the configuration includes, and when one of them changes.
///
/// Jobs are left to cron as soon as its process is seen, which is looked for right before each start too. They are taken from it only
/// when a whole look, which asks systemd on a thread of its own, finds nothing: between the two neither runs them.
final class CronKeeper {
  /// Whether cron is active, as last seen.
  private(set) var activity = CronActivity.inactive

  private unowned let daemon: Daemon
  private var look: DetachedWork<CronActivity?>?
  private var reading: DetachedWork<IncludedCrontabs>?
  /// Whether crontabs have changed since they were begun to be read.
  private var isOutdated = false
  private var timer: Delay?
  private var watch: DirectoryWatch?
  /// The instant of the monotonic clock of the last look at the process.
  private var lastLook: MonotonicInstant?
  /// Whether the log was told that jobs are left to cron, or that they run here; `nil` for neither.
  private var told: Bool?

  /// Time from one whole look to the next while jobs are left to cron: so long they are run by nobody once it has stopped.
  private static let activeInterval = ElapsedTime.seconds(15)
  /// The same while they run here; the process is looked for before each start anyway.
  private static let inactiveInterval = ElapsedTime.seconds(60)
  /// Time from one look at the process to the next: it opens two files, which a thousand starts a second need not wait for.
  private static let processInterval = ElapsedTime.milliseconds(100)
  /// `crontab -e` and a package write within moments.
  private static let quiet = ElapsedTime.seconds(1)

  init(daemon: Daemon) {
    self.daemon = daemon
  }

  /// Looks and waits for the answer, before anything is started. What cannot be looked at may run cron.
  static func activityAtStart(_ configuration: Configuration, below root: String) -> CronActivity {
    let crontabs = configuration.daemon.crontabs
    guard !crontabs.isEmpty else { return .inactive }
    do throws(UnknownCronActivity) {
      return try CronActivity.look(below: root, crontabs: crontabs)
    } catch {
      return .active(error.reason)
    }
  }

  /// Takes in what was seen before the daemon began.
  func begin(with activity: CronActivity) {
    self.activity = activity
    do throws(SystemError) {
      watch = try DirectoryWatch(loop: daemon.loop, quiet: Self.quiet) { [weak self] in self?.readCrontabs() }
    } catch {
      daemon.announcer.announce(.warning, "changes of crontabs are not noticed until a reload: \(error)")
    }
    follow()
  }

  /// Goes on with the crontabs of a new configuration.
  func follow() {
    watch?.watch(directories: daemon.loaded.configuration.crontabs.directories)
    announce()
    scheduleLook()
  }

  /// Looks for the process of cron, so that nothing is started that it starts too; called before each event of the engine.
  func lookAtProcess() {
    guard includesCrontabs, !activity.isActive else { return }
    let now = SystemTime.monotonic()
    if let lastLook, now - lastLook < Self.processInterval { return }
    lastLook = now
    take(CronActivity.ofProcess(below: daemon.options.machineRoot))
  }

  /// Takes in what was seen; jobs that cron runs from now on, or runs no more, are told to the engine.
  func take(_ seen: CronActivity) {
    let wasActive = activity.isActive
    activity = seen
    guard seen.isActive != wasActive, jobCount > 0, !daemon.isDraining else { return }
    daemon.reload(daemon.loaded)
  }

  private var includesCrontabs: Bool { !daemon.settings.crontabs.isEmpty }

  /// Number of jobs that cron runs while it is active.
  private var jobCount: Int { daemon.loaded.configuration.crontabs.cronJobs.count }

  /// Tells the log who runs the jobs of crontabs, when that has changed.
  private func announce() {
    let count = jobCount
    guard count > 0 else { return told = nil }
    guard activity.isActive != told else { return }
    told = activity.isActive
    let jobs = count == 1 ? "1 job of a crontab is" : "\(count) jobs of crontabs are"
    switch activity {
    case .active(let clause): daemon.announcer.announce(.notice, "\(jobs) left to cron: \(clause)")
    case .inactive: daemon.announcer.announce(.notice, "\(jobs) run here from now on: cron is not active")
    }
  }

  private func scheduleLook() {
    timer?.cancel()
    timer = nil
    guard includesCrontabs else { return }
    timer = daemon.loop.after(activity.isActive ? Self.activeInterval : Self.inactiveInterval) {
      [weak self] in self?.lookAtAll()
    }
  }

  private func lookAtAll() {
    // One that hangs is waited for: another would hang too.
    guard look == nil, !daemon.isDraining else { return scheduleLook() }
    let (root, crontabs) = (daemon.options.machineRoot, daemon.settings.crontabs)
    look = try? DetachedWork(name: "timeline-cron", loop: daemon.loop) {
      try? CronActivity.look(below: root, crontabs: crontabs)
    } completion: { [weak self] seen in
      guard let self else { return }
      look = nil
      if let seen, includesCrontabs { take(seen) }
      scheduleLook()
    }
    if look == nil { scheduleLook() }
  }
}

// Changes of crontabs.
extension CronKeeper {
  /// Reads the crontabs, and takes them into force if a line has changed. The other files stay as they were read.
  private func readCrontabs() {
    follow()
    guard includesCrontabs, !daemon.isDraining else { return }
    guard reading == nil else { return isOutdated = true }
    isOutdated = false
    let (loader, paths) = (daemon.loader, daemon.settings.crontabs)
    reading = try? DetachedWork(name: "timeline-cron", loop: daemon.loop) {
      loader.crontabs(at: paths)
    } completion: { [weak self] read in
      guard let self else { return }
      reading = nil
      if isOutdated { return readCrontabs() }
      if !read.isSame(as: daemon.loaded.configuration.crontabs), !daemon.isDraining {
        daemon.reloader.reload(onlyCrontabs: true) { _ in }
      }
    }
  }
}
