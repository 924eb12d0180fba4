extension Rule {
  /// Time is read in TimelineSystem alone; everybody else is handed an instant or a clock.
  static let time = Rule(name: "Time is read and awaited in TimelineSystem alone") { tree in
    let names = [
      #"\bDate\s*\("#, #"\b[A-Z]\w*(?:\(\))?\.now\b"#,
      // An implicit member: `from: .now`. A clock in hand, `clock.now`, is how it should be.
      #"(?<![\w)\]>}?!`.])\.now\b"#,
      #"\b(?:Task|Thread)\s*(?:<[^>]*>)?\.sleep\b"#, #"\b(?:Continuous|Suspending|UTC)Clock\b"#,
      #"\bDispatch(?:Wall)?Time\b"#, #"\basyncAfter\b"#, #"\bsystemUptime\b"#,
      #"\b(?:TimeZone|Calendar|Locale)\.(?:autoupdatingCurrent|current)\b"#,
      #"\b(?:clock_(?:gettime|getres|nanosleep|settime)|gettimeofday|settimeofday|timespec_get|ftime)\b"#,
      #"\b(?:localtime|gmtime)(?:_r)?\b"#, #"\b(?:mktime|timegm|timelocal|strftime|tzset|ctime(?:_r)?)\b"#,
      #"\b(?:usleep|nanosleep|timerfd_\w+|timer_create|setitimer|alarm)\s*\("#,
      #"(?<![.\w])(?:sleep|time)\s*\(\s*(?:\d|nil|NULL|&)"#,
    ]
    let pattern = try Pattern(names.joined(separator: "|"))
    let files = tree.files.filter { file in
      (file.isSwift || file.isC) && file.isSource && !file.isPlugin
        && !ArchitectureMap.doorToTheClock.contains(file.target)
    }
    return files.flatMap { file in
      // The name of our own door, where it is what is asked: SystemTime is TimelineSystem's.
      pattern.violations(in: file) { "'\($0[0])': take an instant or a clock as a parameter" }
        .filter { !$0.message.hasPrefix("'SystemTime.now'") }
    }
  }

  /// Tests wait for descriptors and for clocks they turn manually.
  static let sleepingTests = Rule(name: "No test sleeps or counts on yields") { tree in
    let names = [
      #"\b(?:Task|Thread)\s*(?:<[^>]*>)?\.sleep\b"#, #"\bTask\s*(?:<[^>]*>)?\.(?:yield|megaYield)\b"#,
      #"\b(?:Continuous|Suspending)Clock\s*\(\s*\)\s*\.sleep\b"#, #"\basyncAfter\b"#,
      #"\b(?:usleep|nanosleep|clock_nanosleep)\s*\("#, #"(?<![.\w])sleep\s*\(\s*\d"#,
    ]
    let pattern = try Pattern(names.joined(separator: "|"))
    return tree.files.filter { ($0.isSwift || $0.isC) && $0.isTest && !$0.isPlugin }.flatMap { file in
      pattern.violations(in: file) { "'\($0[0])': wait for a descriptor, or turn a TestClock" }
    }
  }
}
