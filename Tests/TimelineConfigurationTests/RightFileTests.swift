import Testing
import TimelineConfiguration
import TimelineCore
import TimelineEngine

/// Right files are read with the values that they contain.
@Suite struct RightFileTests {
  private func read(_ name: String) throws -> Configuration {
    let golden = try #require(GoldenCase.all(in: "Right").first { $0.name == name })
    return try Configuration.read(try golden.sources(), in: .golden).get()
  }

  private func instant(_ text: String) throws -> WallInstant { try WallInstant(rfc3339: text) }

  @Test func `the sample of the design is read`() throws {
    let configuration = try read("design")
    #expect(configuration.warnings.isEmpty)
    #expect(configuration.daemon.zone.name == "Europe/Berlin")
    #expect(configuration.jobs.map(\.name.text) == ["heartbeat", "sampler", "launch", "report"])
    let (heartbeat, sampler, launch) = (configuration.jobs[0], configuration.jobs[1], configuration.jobs[2])
    #expect(
      heartbeat.schedule
        == .periodic(try PeriodicSchedule(from: instant("2026-01-01T00:00:00Z"), by: .seconds(30))))
    #expect(heartbeat.plugin == .name("exec"))
    #expect(heartbeat.parameters == #"{"command":["/usr/bin/true"]}"#)
    #expect(heartbeat.policies.timeout == .seconds(10))
    #expect(sampler.plugin == .path("/usr/lib/timelined/plugins/sampler.so"))
    #expect(sampler.parameters == "{}")
    #expect(sampler.schedule == .animation(try AnimationSchedule(minimumInterval: .milliseconds(16))))
    #expect(
      launch.schedule
        == .explicit(
          try ExplicitSchedule([instant("2026-12-24T17:00:00Z"), instant("2026-12-31T22:59:50Z")])))
    #expect(launch.policies.missed == MissedPolicy(choice: .latest, window: .hours(1)))
    let rule = try CronExpression(parsing: "30 2 * * *")
    #expect(
      configuration.jobs[3].schedule
        == .cron(CronSchedule(expression: rule, zone: configuration.daemon.zone)))
  }

  @Test func `every setting of the daemon is read`() throws {
    let daemon = try read("everything").daemon
    #expect(daemon.pluginDirectories == ["/opt/plugins", "/usr/lib/timelined/plugins"])
    #expect(daemon.stateDirectory == "/var/lib/timelined")
    #expect(daemon.logLevel == .notice)
    #expect(daemon.hostCountMax == 8)
    #expect(daemon.drainTimeout == .minutes(2))
    #expect(daemon.mode.choice == .auto && daemon.mode.readsMachine)
    let lowFrequency = daemon.mode.lowFrequency
    #expect(lowFrequency.isForBattery && lowFrequency.cadence == .seconds)
    #expect(lowFrequency.thresholds == [.cpu: 60, .memory: 10, .io: 40])
    #expect(lowFrequency.duration == .minutes(1) && lowFrequency.releasePercent == 75)
    #expect(daemon.control.socketPath == "/run/timelined/control.sock")
    #expect(daemon.control.group == "timelined")
    #expect(daemon.control.users == ["alice", "bob"])
    #expect(daemon.ledger.retention == .days(90))
    #expect(daemon.ledger.entriesPerJobMax == 500)
    #expect(daemon.ledger.damaged == .refuse)
  }

  @Test func `every key of a job is read`() throws {
    let configuration = try read("everything")
    let job = try #require(JobName("everything").flatMap(configuration.job(named:)))
    #expect(job.summary == "what there is")
    #expect(job.user == "www-data")
    #expect(!job.isEnabled)
    #expect(job.zone.name == "America/New_York")
    #expect(
      job.schedule == .periodic(try PeriodicSchedule(from: instant("2026-07-01T12:00:00Z"), by: .minutes(1))))
    #expect(job.policies.timeout == .seconds(50))
    #expect(job.policies.grace == .zero)
    #expect(job.policies.expect == .milliseconds(1_500))
    #expect(job.policies.missed == MissedPolicy(choice: .latest, window: .days(1)))
    #expect(job.policies.priority == -5)
    #expect(configuration.place(of: job.name).description == "everything.toml:26:6")
  }

  @Test func `every policy of a job is read`() throws {
    let configuration = try read("everything")
    #expect(configuration.warnings.isEmpty, "\(configuration.warnings.text())")
    let db = try #require(GroupName("db"))
    let nightShift = try #require(GroupName("night.shift"))
    #expect(configuration.groups == [db: 2, nightShift: 1_000])
    let policies = try #require(JobName("backup").flatMap(configuration.job(named:))).policies
    #expect(policies.missed == MissedPolicy(choice: .all, window: .seconds(1)))
    #expect(policies.overlap == .bufferAll)
    #expect(policies.concurrency == 3)
    #expect(policies.waitingMax == 10_000)
    #expect(policies.waitingTimeout == .hours(2))
    #expect(policies.groups == [nightShift, db])
    #expect(
      policies.retry
        == RetryPolicy(attempts: 5, backoffFrom: .seconds(2), backoffTo: .seconds(30), jitterPercent: 25))
    #expect(policies.delivery == .atLeastOnce)
    #expect(
      policies.reactions
        == Reactions(
          onFailure: JobName("tell"), onMissed: JobName("tell"), onRecovery: JobName("epoch"),
          onSuccess: JobName("epoch"), onOutput: JobName("tell"),
          missedIncidents: IncidentPolicy(after: 3, within: .days(3), remind: .days(1)),
          onLate: JobName("tell"), lateIncidents: IncidentPolicy(remind: .hours(1)),
          onStart: JobName("tell")))
    let haste = try #require(JobName("in-haste").flatMap(configuration.job(named:))).policies
    #expect(haste.missed == MissedPolicy(choice: .skip))
    #expect(haste.overlap == .terminateOther)
    #expect(haste.retry == RetryPolicy(attempts: 2, backoffFrom: .seconds(1), backoffTo: .minutes(1)))
  }

  @Test func `the setup of a plugin host is read`() throws {
    let configuration = try read("everything")
    let backup = try #require(JobName("backup").flatMap(configuration.job(named:)))
    var setup = HostSetup()
    setup.memoryBytes = 256 << 20
    setup.processorTime = .hours(1)
    setup.openFileCount = 64
    setup.processCount = 32
    setup.niceness = 5
    setup.ioPriority = .bestEffort(level: 4)
    setup.runLimits.memoryBytes = 1 << 30
    setup.runLimits.processorPercent = 150
    setup.runLimits.taskCount = 64
    setup.runLimits.unsupported = .refuse
    setup.noNewPrivileges = false
    setup.sandbox.systemCalls = .off
    setup.fileModeMask = 0o077
    setup.workingDirectory = "/var/lib/backup"
    setup.environment = ["LANG": "C.UTF-8", "_x1": ""]
    setup.leftovers = .keep
    setup.group = "backup"
    setup.pluginDigest = FileDigest("9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08")
    setup.environmentFiles = [
      ExpectedPath(path: "/etc/default/backup"),
      ExpectedPath(path: "/etc/backup/local", mayBeMissing: true),
    ]
    setup.credentials = ["password": "/etc/backup/password", "key.pem": "/etc/backup/key"]
    #expect(backup.setup == setup)
    #expect(backup.isolation == .host)
    let tell = try #require(JobName("tell").flatMap(configuration.job(named:)))
    #expect(tell.setup.ioPriority == .idle)
    #expect(tell.setup.niceness == -20)
    var limits = RunLimits()
    limits.memoryBytes = 200 << 20
    #expect(tell.setup.runLimits == limits, "a job with limits that cannot be set runs without them")
    var sandbox = Sandbox()
    sandbox.systemCalls = .strict
    sandbox.writable = [
      ExpectedPath(path: "/var/backups"), ExpectedPath(path: "/srv/spool", mayBeMissing: true),
    ]
    sandbox.unsupported = .run
    #expect(tell.setup.sandbox == sandbox)
    let haste = try #require(JobName("in-haste").flatMap(configuration.job(named:)))
    #expect(haste.setup.sandbox.systemCalls == .strict && haste.setup.sandbox.writable == nil)
    #expect(tell.setup.environmentFiles == [ExpectedPath(path: "/etc/default/tell")])
    #expect(configuration.jobs[0].setup == HostSetup())
  }

  /// Values of the defaults; jobs add to some of them and replace others.
  @Test func `jobs have the defaults of their own file`() throws {
    let configuration = try read("defaults")
    #expect(configuration.warnings.isEmpty, "\(configuration.warnings.text())")
    let jobs = Dictionary(uniqueKeysWithValues: configuration.jobs.map { ($0.name.text, $0) })
    let (all, own) = (try #require(jobs["all"]), try #require(jobs["own"]))
    #expect(all.plugin == .name("exec") && all.user == "www-data" && all.zone.name == "Europe/Berlin")
    #expect(all.policies.missed == MissedPolicy(choice: .latest, window: .hours(1)))
    #expect(all.policies.retry?.attempts == 3 && all.policies.timeout == .minutes(1))
    #expect(all.policies.reactions.onFailure == JobName("mail"))
    #expect(all.setup.environment == ["PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"])
    #expect(all.setup.credentials == ["key": "/etc/key"])
    #expect(own.plugin == .name("log") && own.user == "nobody" && own.zone.name == "America/New_York")
    #expect(own.policies.missed == MissedPolicy(choice: .skip) && own.policies.timeout == .minutes(1))
    #expect(own.policies.reactions.onFailure == JobName("all"))
    #expect(own.setup.environment == ["PATH": "/usr/bin:/bin", "LANG": "de_DE.UTF-8", "X": "1"])
    #expect(own.setup.credentials == ["key": "/etc/key", "other.key": "/etc/other"])
    // The job that the defaults name does not react to itself.
    #expect(jobs["mail"]?.policies.reactions == Reactions() && jobs["mail"]?.user == "www-data")
    #expect(jobs["other"]?.user == nil && jobs["other"]?.policies == JobPolicies())
    #expect(jobs["third"]?.plugin == .name("log"))
    #expect(configuration.place(ofJobAt: 0, under: ["user"]).line == 7)
    #expect(configuration.pluginPlace(ofJobAt: 0).line == 6)
  }

  @Test func `a job on demand has no entries`() throws {
    let tell = try #require(JobName("tell").flatMap(try read("everything").job(named:)))
    #expect(tell.schedule.next(after: .min) == nil)
    #expect(tell.schedule.latest(atOrBefore: .max) == nil)
  }

  @Test func `parameters become JSON with sorted keys and RFC 3339 dates`() throws {
    let configuration = try read("everything")
    let job = try #require(JobName("everything").flatMap(configuration.job(named:)))
    #expect(
      job.parameters == #"{"a":"text\u0000\"\n\u001b é","b":{"c":{"d":16}},"date":"2026-01-02","#
        + #""instant":"2026-01-02T03:04:05.000000001-03:30","#
        + #""list":[1.5,1e+300,-0.0,9223372036854775807,[],{}],"local":"2026-01-02T03:04:05","#
        + #""time":"03:04:05.5","truth":true,"utc":"2026-01-02T03:04:05Z","z":1}"#)
  }

  @Test func `jobs come in the order of files and lines, and disabled ones are no definitions`() throws {
    let configuration = try read("everything")
    let names = [
      "everything", "minute", "also-minute", "a.b", "fast", "epoch", "report", "payday", "quarter",
      "last-friday", "last-workday", "moved-payday", "moved-close", "not-moved", "nth-of-week",
      "plain-report", "backup", "tell",
      "in-haste", "weekly", "abroad", "shop", "one-window", "still", "shared", "boot",
    ]
    #expect(configuration.jobs.map(\.name.text) == names)
    #expect(configuration.definitions.map(\.name.text) == Array(names.dropFirst()))
  }

  @Test func `a cluster whose store is an etcd`() throws {
    let cluster = try #require(try read("etcd").daemon.cluster)
    let endpoints = ["https://etcd1:2379", "https://etcd2:2379"]
    #expect(cluster.store == .etcd(endpoints: endpoints, credential: .file("/etc/timelined/etcd")))
    #expect(
      cluster.store.adapterArguments(credential: "/c")
        == ["etcd", "--endpoint", endpoints[0], "--endpoint", endpoints[1], "--credential", "/c"])
    #expect(cluster.store.adapterArguments(credential: nil).count == 5)
  }

  @Test func `a node of a cluster, and a job that one node runs`() throws {
    let configuration = try read("everything")
    let cluster = try #require(configuration.daemon.cluster)
    #expect(cluster.name == "prod")
    #expect(cluster.store == .postgresql(credential: .named("timelined-pg")))
    #expect(cluster.store.adapterArguments(credential: "/pg") == ["postgresql", "--credential", "/pg"])
    #expect(cluster.node(onHost: "db1") == "db1.a")
    #expect(cluster.node(onHost: "two words") == nil)
    #expect(cluster.labels == ["role": "db", "zone": "a"])
    #expect(cluster.lease == .seconds(5))
    let job = try #require(JobName("shared").flatMap(configuration.job(named:)))
    #expect(job.placement.runOn == .one)
    #expect(job.placement.storeDown == .ownerRuns)
    #expect(job.placement.rules.map(\.description) == ["role=db", "!zone=c"])
    #expect(job.placement.rules.areMet(by: cluster.labels))
    #expect(!job.placement.rules.areMet(by: ["role": "db", "zone": "c"]))
    #expect(job.clusterDigest?.count == 16)
    #expect(configuration.jobs.filter { $0.clusterDigest != nil }.count == 1)
  }

  @Test func `an animation may be paused`() throws {
    let job = try #require(JobName("still").flatMap(try read("everything").job(named:)))
    #expect(
      job.schedule == .animation(try AnimationSchedule(minimumInterval: .milliseconds(16), isPaused: true)))
    #expect(job.schedule.wordsWithoutNext == "not while its schedule is paused")
  }

  @Test func `both ways to write every minute are the same`() throws {
    let configuration = try read("everything")
    #expect(configuration.jobs[1].schedule == configuration.jobs[2].schedule)
    #expect(
      configuration.jobs[1].schedule == .everyMinute(EveryMinuteSchedule(zone: configuration.daemon.zone)))
  }

  @Test func `dates without an offset are meant in the job's zone`() throws {
    let schedule = try read("everything").jobs[3].schedule
    #expect(
      schedule
        == .explicit(
          try ExplicitSchedule([
            instant("2026-12-24T17:00:00Z"), instant("2026-12-24T17:00:00.5Z"),
            instant("2026-12-24T17:00:01Z"),
          ])))
  }

  @Test func `without a start the phase hangs on the epoch`() throws {
    #expect(
      try read("everything").jobs[5].schedule
        == .periodic(try PeriodicSchedule(from: .epoch, by: .seconds(7))))
  }

  @Test func `a cron rule is meant in the job's zone and has its policy beside it`() throws {
    let configuration = try read("everything")
    let report = try #require(JobName("report").flatMap(configuration.job(named:)))
    let plain = try #require(JobName("plain-report").flatMap(configuration.job(named:)))
    #expect(
      report.schedule
        == .cron(
          CronSchedule(
            expression: try CronExpression(parsing: "30 2 * * 1-5"), zone: report.zone,
            daylightSaving: DaylightSavingPolicy(gap: .shift, fold: .both))))
    #expect(report.zone.name == "America/New_York")
    #expect(
      plain.schedule
        == .cron(CronSchedule(expression: try CronExpression(parsing: "0 0 * * *"), zone: plain.zone)))
    #expect(plain.zone.name == "Europe/Berlin")
  }

  @Test func `moves of excluded entries are read`() throws {
    let configuration = try read("everything")
    let moves = try ["moved-payday", "moved-close", "not-moved"].map { name -> EntryMove? in
      let job = try #require(JobName(name).flatMap(configuration.job(named:)))
      guard case .composed(let schedule) = job.schedule else { return nil }
      return schedule.conditions.move
    }
    #expect(
      moves == [try EntryMove(.before), try EntryMove(.nearest, dayMax: 31, isWithinMonth: true), nil])
  }

  @Test func `the nth entries of a period are read`() throws {
    let configuration = try read("everything")
    let (last, weekly) = (JobName("last-workday"), JobName("nth-of-week"))
    let zone = try #require(last.flatMap(configuration.job(named:))).zone
    var conditions = ComposedSchedule.Conditions()
    conditions.except = [try CivilWindow(parsing: "Sat,Sun")]
    conditions.pick = try EntryPick([1, -1], per: .month)
    let cron = CronSchedule(expression: try CronExpression(parsing: "0 18 * * *"), zone: zone)
    #expect(
      last.flatMap(configuration.job(named:))?.schedule
        == .composed(try ComposedSchedule([.cron(cron)], conditions: conditions, zone: zone)))
    conditions = ComposedSchedule.Conditions()
    conditions.only = [try CivilWindow(parsing: "08:00-10:00")]
    conditions.pick = try EntryPick([366], per: .week, weekStart: .sunday)
    let minute = ScheduleRule.everyMinute(EveryMinuteSchedule(zone: zone))
    #expect(
      weekly.flatMap(configuration.job(named:))?.schedule
        == .composed(try ComposedSchedule([minute], conditions: conditions, zone: zone)))
  }

  @Test func `a civil rule has each of its values`() throws {
    let configuration = try read("everything")
    let payday = try #require(JobName("payday").flatMap(configuration.job(named:)))
    let quarter = try #require(JobName("quarter").flatMap(configuration.job(named:)))
    let (seventh, end) = (CivilDate(year: 2026, month: 1, day: 7), CivilDate(year: 2026, month: 1, day: 31))
    let times = [CivilTime(hour: 9, minute: 0), CivilTime(hour: 17, minute: 30, second: 15)].compactMap(
      \.self)
    let fortnight = try CivilRecurrence(
      every: 2, .weeks, from: try #require(seventh), at: times, on: [.monday, .thursday], weekStart: .sunday)
    #expect(
      payday.schedule
        == .civil(
          CivilSchedule(
            recurrence: fortnight, zone: payday.zone,
            daylightSaving: DaylightSavingPolicy(gap: .skip, fold: .second))))
    #expect(payday.zone.name == "America/New_York")
    let months = try CivilRecurrence(
      every: 3, .months, from: try #require(end), at: [.midnight], shortMonth: .last)
    #expect(quarter.schedule == .civil(CivilSchedule(recurrence: months, zone: quarter.zone)))
    #expect(quarter.zone.name == "Europe/Berlin")
  }

  @Test func `a recurrence rule has each of its values`() throws {
    let job = try #require(JobName("last-friday").flatMap(try read("everything").job(named:)))
    func time(_ text: String) throws -> CivilDateTime {
      Zone.utc.civil(at: try WallInstant(rfc3339: "\(text)T17:00:00Z"))
    }
    let rule = try RecurrenceRule(
      parsing: "FREQ=MONTHLY;BYDAY=-1FR", from: time("2026-01-30"), rdates: [time("2026-02-06")],
      exdates: [time("2026-03-27")])
    let schedule = RecurrenceSchedule(
      recurrence: rule, zone: job.zone, daylightSaving: DaylightSavingPolicy(gap: .shift, fold: .both))
    #expect(job.schedule == .recurrence(schedule))
    let entries = Array(job.schedule.entries(from: .epoch, mode: .normal).prefix(4)).map(\.description)
    #expect(
      entries == [
        "2026-01-30T22:00:00Z", "2026-02-06T22:00:00Z", "2026-02-27T22:00:00Z", "2026-04-24T21:00:00Z",
      ])
  }

  @Test func `a calendar rule is meant in its own zone or else in the job's`() throws {
    let configuration = try read("everything")
    let weekly = try #require(JobName("weekly").flatMap(configuration.job(named:)))
    let abroad = try #require(JobName("abroad").flatMap(configuration.job(named:)))
    #expect(
      weekly.schedule
        == .calendar(
          CalendarSchedule(
            expression: try CalendarExpression(parsing: "Mon..Fri 08:00"), zone: weekly.zone,
            daylightSaving: DaylightSavingPolicy(fold: .second))))
    #expect(weekly.zone.name == "America/New_York")
    guard case .calendar(let schedule) = abroad.schedule else {
      Issue.record("\(abroad.schedule) is no calendar rule")
      return
    }
    #expect(schedule.zone.name == "Europe/Berlin")
  }

  @Test func `unions, windows, holidays and bounds make one schedule`() throws {
    let configuration = try read("everything")
    let shop = try #require(JobName("shop").flatMap(configuration.job(named:)))
    #expect(shop.timing == ScheduleTiming(jitter: .minutes(5), accuracy: .seconds(1)))
    #expect(shop.definition.timing == shop.timing)
    func entries(after text: String, count: Int) throws -> [String] {
      var instant = try self.instant(text)
      return (0..<count).compactMap { _ in
        guard let next = shop.schedule.next(after: instant) else { return nil }
        instant = next
        return shop.zone.civil(at: next).description
      }
    }
    // The first is after the start; on Sundays there is none but on 20 December.
    #expect(
      try entries(after: "2020-01-01T00:00:00Z", count: 2) == ["2026-06-01 08:00:00", "2026-06-01 18:00:00"])
    #expect(
      try entries(after: "2026-07-30T12:00:00Z", count: 2) == ["2026-07-30 18:00:00", "2026-08-03 08:00:00"])
    #expect(
      try entries(after: "2026-12-19T12:00:00Z", count: 3) == [
        "2026-12-19 18:00:00", "2026-12-20 08:00:00", "2026-12-20 18:00:00",
      ])
    // Christmas Eve, Christmas, Sunday, stocktaking and New Year's Eve are out, and so is the new year.
    #expect(
      try entries(after: "2026-12-23T18:00:00Z", count: 9) == [
        "2026-12-28 08:00:00", "2026-12-28 18:00:00", "2026-12-30 08:00:00", "2026-12-30 18:00:00",
      ])
    let night = try #require(JobName("one-window").flatMap(configuration.job(named:))).schedule
    #expect(
      Array(night.entries(from: .min, mode: .normal)) == [
        try instant("2026-06-02T04:00:00Z"), try instant("2026-06-02T05:00:00Z"),
      ])
    #expect(configuration.files.keys.sorted() == ["/etc/timelined/public.ics", "/etc/timelined/works.txt"])
  }

  @Test func `expectations of schedules are read`() throws {
    let configuration = try read("everything")
    #expect(configuration.expectations.map(\.expectation.job.text) == ["backup", "weekly"])
    let (backup, weekly) = (
      configuration.expectations[0].expectation, configuration.expectations[1].expectation
    )
    #expect(backup.maxGap == .hours(24))
    #expect(backup.perDay == 1)
    #expect(backup.over == .days(1))
    #expect(weekly.minGap == .hours(23))
    #expect(weekly.neverOverlaps == JobName("abroad"))
    #expect(weekly.over == .days(5 * 365 + 2))
    #expect(configuration.proveExpectations(from: GoldenCase.now).diagnostics.isEmpty)
  }

  @Test func `an empty configuration has the defaults and one warning`() throws {
    let configuration = try Configuration.read(
      [ConfigurationSource(path: "a.toml", bytes: [])], in: .golden
    ).get()
    #expect(configuration.jobs.isEmpty)
    #expect(configuration.daemon == DaemonSettings(zone: .utc))
    #expect(configuration.warnings.map(\.severity) == [.warning])
    #expect(try Configuration.read([], in: .golden).get().jobs.isEmpty)
  }
}
