/// Words of cron, systemd units, Kubernetes CronJobs and scheduler libraries, for hints.
///
/// Contains only words that a search for similar spellings would not find. Case, `-` and `_` are ignored.
enum KeySynonyms {
  /// The meaning of a word of another scheduler.
  enum Meaning: Equatable {
    case key(String)
    case parameter
    /// An explanation of the alternative, because no key has this meaning.
    case sentence(String)
  }

  /// Returns the meaning of `word`; `nil` if `word` is no word of another scheduler.
  static func meaning(of word: String) -> Meaning? { meanings[fold(word)] }

  /// Keys, with the equivalent words of other schedulers.
  static let keys: [(key: String, words: String)] = [
    ("job", "jobs task timer service unit"),
    ("with", "args arguments parameters params"),
    ("calendar", "OnCalendar"),
    ("cron", "crontab"),
    ("by", "every interval period OnUnitActiveSec"),
    ("minimum-interval", "max-interval"),
    ("from", "start"),
    ("explicit", "dates"),
    ("any", "union"),
    ("only", "window windows"),
    ("except", "exclude"),
    ("starts", "start-date start-at"),
    ("ends", "until end end-date end-at"),
    ("limit", "max"),
    ("dst", "daylight-saving"),
    ("jitter", "RandomizedDelaySec randomized-delay random-delay splay"),
    ("offset", "FixedRandomDelay RandomizedOffsetSec fixed-delay stagger"),
    ("accuracy", "AccuracySec slack"),
    ("time-zone", "tz zone timezone CRON_TZ"),
    ("missed", "Persistent catch-up misfire misfire-grace-time coalesce startingDeadlineSeconds anacron"),
    ("overlap", "concurrency-policy"),
    ("concurrency", "max-instances parallelism"),
    ("timeout", "RuntimeMaxSec TimeoutStartSec activeDeadlineSeconds max-runtime"),
    ("grace", "TimeoutStopSec terminationGracePeriodSeconds"),
    ("retry", "retries max-retries Restart restart-policy"),
    ("attempts", "max-attempts tries"),
    ("backoff", "RestartSec retry-delay"),
    ("on-failure", "on-error notify"),
    ("on-output", "MAILTO mail email"),
    ("groups", "pool"),
    ("user", "run-as username"),
    ("memory", "LimitAS ram"),
    ("cpu-time", "LimitCPU"),
    ("open-files", "nofile LimitNOFILE"),
    ("processes", "nproc LimitNPROC"),
    ("io", "ionice IOSchedulingClass IOSchedulingPriority"),
    ("environment", "env"),
    ("working-directory", "cwd chdir workdir working-folder"),
    ("sandbox", "SystemCallFilter ReadWritePaths ProtectSystem seccomp landlock"),
    ("leftovers", "KillMode orphans"),
    ("credentials", "secrets LoadCredential"),
    ("description", "comment"),
    ("log-level", "loglevel verbosity"),
    ("state-directory", "statedir state-folder"),
    ("plugin-directories", "plugin-folders plugin-path"),
    ("plugin-hosts-max", "hosts-max"),
    ("expected-duration", "expect"),
    ("retention", "keep"),
    ("entries-per-job", "successfulJobsHistoryLimit failedJobsHistoryLimit"),
  ]

  /// Parameters of plugins that are often written as keys of a job.
  static let parameters = "command commands condition shell rehearse stdin success-statuses"

  /// Words for features without a key of their own, with a sentence for each.
  static let sentences: [(sentence: String, words: String)] = [
    (
      "a command is run by the plugin exec: plugin = \"exec\" and with = { command = [\"/path\", \"argument\"] }",
      "ExecStart exec run script cmd program executable"
    ),
    (
      "a time of the day is schedule = { calendar = \"02:00\" } or { cron = \"0 2 * * *\" }; single instants are "
        + "schedule = { explicit = [2027-01-01T08:00:00Z] }",
      "at time times daily"
    ),
    (
      "a failed run is repeated by `retry`, whose `attempts` count the first one too: 3 repetitions are "
        + "retry = { attempts = 4, backoff = { from = \"10s\", to = \"6m\" } }",
      "backoffLimit"
    ),
    (
      "a container is run by the plugin exec: with = { command = [\"/usr/bin/podman\", \"run\", \"--rm\", \"IMAGE\"] }",
      "image container containers"
    ),
    (
      "several commands are run by the plugin exec: with = { commands = [[\"/first\"], [\"/second\", \"argument\"]] }",
      "ExecStartPre ExecStartPost"
    ),
    (
      "the plugin exec runs its command on a condition: with = { condition = [\"test\", \"-x\", \"/path\"], command = [\"/path\"] }",
      "ExecCondition ConditionPathExists ConditionFileIsExecutable"
    ),
    (
      "what is to run once after each start of the machine has schedule = { cron = \"@reboot\", delay = \"15m\" }",
      "OnBootSec OnStartupSec on-boot reboot"
    ),
    (
      "no job waits for another: what belongs together is one command; `on-success`, `on-failure` and others name a job that "
        + "reacts, and jobs that must not run together share one of `groups`",
      "after before needs depends depends-on requires wants then"
    ),
    (
      "incidents are those of a reaction: on-failure = { job = \"tell\", after = 3, within = \"1d\", remind = \"1d\" }",
      "within remind reminder repeat-interval"
    ),
    (
      "that is once, so long after the timer was started: schedule = { explicit = [2027-01-01T08:00:00Z] } gives the instant "
        + "itself, and `timelinectl trigger JOB` runs a job at once",
      "OnActiveSec"
    ),
    (
      "a job runs with the groups of its `user`, and `group` in place of the main one; `groups` are those whose limits its runs count "
        + "against",
      "SupplementaryGroups"
    ),
    (
      "the memory of all processes of a run is `memory` of `run-limits`: run-limits = { memory = \"1G\" }",
      "MemoryMax MemoryHigh"
    ),
    ("that is `cpu` of `run-limits`: run-limits = { cpu = \"50%\" }", "CPUQuota"),
    ("that is `tasks` of `run-limits`: run-limits = { tasks = 20 }", "TasksMax"),
    ("a job that is to be kept and not run has enabled = false", "disabled suspend"),
    (
      "a group counts the runs of its own node: for one at a time over all machines, recipes.md has two ways under \"One dump at a time\"",
      "scope cluster-wide"
    ),
    ("the name of a job stands in its header: [job.NAME]", "name title id"),
  ]

  private static let meanings: [String: Meaning] = {
    var meanings: [String: Meaning] = [:]
    for (key, words) in keys {
      for word in words.split(separator: " ") { meanings[fold(word)] = .key(key) }
    }
    for (sentence, words) in sentences {
      for word in words.split(separator: " ") { meanings[fold(word)] = .sentence(sentence) }
    }
    for word in parameters.split(separator: " ") { meanings[fold(word)] = .parameter }
    return meanings
  }()

  private static func fold(_ word: some StringProtocol) -> String {
    word.lowercased().filter { $0 != "-" && $0 != "_" }
  }
}
