import TimelineImport
import TimelineLoading
import TimelineSystem

extension CronProgram {
  /// The cron program that is installed on this machine, found by a file of its package; `nil` if there is no known
  /// program.
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
