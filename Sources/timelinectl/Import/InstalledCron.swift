import TimelineImport
import TimelineLoading
import TimelineSystem

extension CronProgram {
  /// The cron that is installed on this machine, by a file of its package, or busybox's, which a unit may run as `busybox crond`; `nil`
  /// for none and for others.
  static var installed: CronProgram? {
    let generator = "/usr/lib/systemd/system-generators/systemd-crontab-generator"
    let files: [(program: CronProgram, path: String)] = [
      (.debian, "/usr/sbin/cron"), (.systemdCron, generator), (.systemdCron, String(generator.dropFirst(4))),
      (.bcron, "/usr/sbin/bcron-sched"), (.cronie, "/usr/bin/cronnext"),
    ]
    if let found = files.first(where: { (try? FileFacts(at: $0.path)) != nil }) { return found.program }
    if CurrentProcess.realPath("/usr/sbin/crond")?.hasSuffix("/busybox") == true { return .busybox }
    let processes = (try? CronRunner.ofProcesses(below: "")) ?? []
    return processes.contains { $0.process?.name == "busybox" } ? .busybox : nil
  }
}
