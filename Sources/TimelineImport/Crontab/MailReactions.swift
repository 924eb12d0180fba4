import TimelineConfiguration

/// The reactions that mail what jobs have written, as cron does: one for each recipient and user.
struct MailReactions {
  /// The parties of a mail.
  struct Mail: Hashable {
    var recipient: String
    /// The user whose job it is, and who sends it.
    var user: String
    var sender: String?
  }

  /// The reactions, in the order in which they were asked for.
  private(set) var jobs: [ImportedJob] = []
  private var names: [Mail: String] = [:]

  /// Difference of a mail from one of cron's. The limits are those of the variable `TIMELINE_UPSTREAM_OUTPUT`.
  static let difference =
    "a mail has the last 40 lines of the output, at most 4096 bytes, in lines of at most 900 bytes, and the name of the job in its subject; all of it is in timelinectl logs"

  /// Mails by the program that cron uses, and nothing where it is not installed. (Debian's config.h, `MAILCMD` and `MAILARGS`.) A line of a
  /// mail has at most 998 bytes (RFC 5322, 2.1.1): longer ones are broken, at a space where there is one.
  private static let command = """
    printf 'From: %s\\nTo: %s\\nSubject: Cron <%s@%s> %s\\nContent-Type: text/plain; charset=UTF-8\\n\\n%s\\n' \
    "${MAILFROM:-root (Cron Daemon)}" "$MAILTO" "$LOGNAME" "$(uname -n)" "$TIMELINE_UPSTREAM_JOB" "$TIMELINE_UPSTREAM_OUTPUT" \
    | fold -b -s -w 900 | /usr/sbin/sendmail -FCronDaemon -i -oem -- "$MAILTO"
    """

  /// Returns the name of the job that sends a mail.
  mutating func name(for mail: Mail, stem: String, names taken: inout JobNames) -> String {
    if let name = names[mail] { return name }
    var job = ImportedJob(name: taken.name([stem, "mail"]))
    job.isReaction = true
    job.comments = ["Mails the last lines that jobs of \(mail.user) wrote to \(mail.recipient)."]
    job.set("schedule", "on-demand")
    job.values["with"] = TOMLText.table([
      ("condition", TOMLText.string("test -x /usr/sbin/sendmail")),
      ("command", TOMLText.string(Self.command)), ("shell", "true"),
    ])
    job.values["no-new-privileges"] = "false"
    job.values["overlap"] = TOMLText.string("allow-all")
    if mail.user != "root" { job.set("user", mail.user) }
    job.environment["MAILTO"] = mail.recipient
    job.environment["MAILFROM"] = mail.sender
    jobs.append(job)
    names[mail] = job.name
    return job.name
  }
}
