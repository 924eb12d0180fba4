import TimelineConfiguration
import TimelineCore
import TimelineLoading
import TimelineSystem

/// Monitor of cron and of the included crontabs: detects whether cron runs the crontabs, and when a crontab changes.
///
/// Jobs are left to cron as soon as cron's process is found. The process is also looked for before each start. The jobs run
/// here again only after a full check has not found cron. A full check also queries systemd, on a separate thread. Between the
/// end of cron and this check, neither cron nor this daemon runs the jobs.
final class CronMonitor {
  /// Whether cron is active, as last seen.
  private(set) var activity = CronActivity.inactive

  private let parts: DaemonParts
  private let jobs: LoadedJobs
  private var reload: () -> Void = {}
  private var reloadCrontabs: () -> Void = {}
  private var look: DetachedWork<CronActivity?>?
  private var reading: DetachedWork<IncludedCrontabs>?
  /// Whether crontabs have changed since the reading under way began.
  private var isOutdated = false
  private var timer: Delay?
  private var isEnded = false
  private var watch: DirectoryWatch?
  /// Time of the last look for the process, on the monotonic clock.
  private var lastLook: MonotonicInstant?
  /// Whether the last log message reports that jobs are left to cron (`true`) or that they run here (`false`); `nil` if there
  /// was no such message.
  private var told: Bool?

  /// Time between two full checks while jobs are left to cron. After cron has stopped, neither cron nor this daemon runs the
  /// jobs for up to this time.
  private static let activeInterval = ElapsedTime.seconds(15)
  /// Time between two full checks while jobs run here. The process is looked for before each start anyway.
  private static let inactiveInterval = ElapsedTime.seconds(60)
  /// Time between two looks for the process. A look opens two files, so it is not repeated for each of a thousand starts a
  /// second.
  private static let processInterval = ElapsedTime.milliseconds(100)
  /// Time without further changes before crontabs are read: `crontab -e` and packages write more than once within moments.
  private static let quiet = ElapsedTime.seconds(1)

  init(_ parts: DaemonParts, jobs: LoadedJobs) {
    (self.parts, self.jobs) = (parts, jobs)
  }

  /// Checks whether cron is active, and waits for the answer, before anything is started. If this cannot be determined, cron
  /// counts as active.
  static func activityAtStart(_ configuration: Configuration, below root: String) -> CronActivity {
    let crontabs = configuration.daemon.crontabs
    guard !crontabs.isEmpty else { return .inactive }
    do throws(UnknownCronActivity) {
      return try CronActivity.look(below: root, crontabs: crontabs)
    } catch {
      return .active(error.reason)
    }
  }

  /// Begins to monitor cron and the crontabs.
  ///
  /// - Parameters:
  ///   - activity: Result of the check at the start.
  ///   - reload: Applies the loaded configuration again.
  ///   - reloadCrontabs: Reads the included crontabs again, and applies them.
  func begin(
    with activity: CronActivity, reload: @escaping () -> Void, reloadCrontabs: @escaping () -> Void
  ) {
    (self.activity, self.reload, self.reloadCrontabs) = (activity, reload, reloadCrontabs)
    do throws(SystemError) {
      watch = try DirectoryWatch(loop: parts.loop, quiet: Self.quiet) { [weak self] in self?.readCrontabs() }
    } catch {
      parts.announcer.announce(.warning, "changes of crontabs are not noticed until a reload: \(error)")
    }
    follow()
  }

  /// Monitors the crontabs of a new configuration.
  func follow() {
    watch?.watch(directories: jobs.loaded.configuration.crontabs.directories)
    announce()
    scheduleLook()
  }

  /// Looks for the process of cron, so that no job is started that cron starts as well; called before each event of the engine.
  func lookAtProcess() {
    guard includesCrontabs, !activity.isActive else { return }
    let now = SystemTime.monotonic()
    if let lastLook, now - lastLook < Self.processInterval { return }
    lastLook = now
    take(CronActivity.ofProcess(below: parts.options.machineRoot))
  }

  /// Records the activity of cron. If cron has become active or inactive, applies the loaded configuration again, so that jobs
  /// are left to cron or run here.
  func take(_ seen: CronActivity) {
    let wasActive = activity.isActive
    activity = seen
    guard seen.isActive != wasActive, jobCount > 0, !isEnded else { return }
    reload()
  }

  /// Ends the monitoring, because the daemon is about to end.
  func end() { isEnded = true }

  private var includesCrontabs: Bool { !jobs.settings.crontabs.isEmpty }

  /// Number of jobs that cron runs while cron is active.
  private var jobCount: Int { jobs.loaded.configuration.crontabs.cronJobs.count }

  /// Logs whether cron or this daemon runs the jobs of crontabs, when that has changed.
  private func announce() {
    let count = jobCount
    guard count > 0 else { return told = nil }
    guard activity.isActive != told else { return }
    told = activity.isActive
    let them = count == 1 ? "1 job of a crontab is" : "\(count) jobs of crontabs are"
    switch activity {
    case .active(let clause): parts.announcer.announce(.notice, "\(them) left to cron: \(clause)")
    case .inactive: parts.announcer.announce(.notice, "\(them) run here from now on: cron is not active")
    }
  }

  private func scheduleLook() {
    timer?.cancel()
    timer = nil
    guard includesCrontabs else { return }
    timer = parts.loop.after(activity.isActive ? Self.activeInterval : Self.inactiveInterval) {
      [weak self] in self?.lookAtAll()
    }
  }

  private func lookAtAll() {
    // No check begins while another check hangs, because the new one would hang, too.
    guard look == nil, !isEnded else { return scheduleLook() }
    let (root, crontabs) = (parts.options.machineRoot, jobs.settings.crontabs)
    look = try? DetachedWork(name: "timeline-cron", loop: parts.loop) {
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
extension CronMonitor {
  /// Reads the crontabs, and puts them in force if a line has changed. The other files are not read again.
  private func readCrontabs() {
    follow()
    guard includesCrontabs, !isEnded else { return }
    guard reading == nil else { return isOutdated = true }
    isOutdated = false
    let (loader, paths) = (parts.loader, jobs.settings.crontabs)
    reading = try? DetachedWork(name: "timeline-cron", loop: parts.loop) {
      loader.crontabs(at: paths)
    } completion: { [weak self] read in
      guard let self else { return }
      reading = nil
      if isOutdated { return readCrontabs() }
      if !read.isSame(as: jobs.loaded.configuration.crontabs), !isEnded {
        reloadCrontabs()
      }
    }
  }
}
