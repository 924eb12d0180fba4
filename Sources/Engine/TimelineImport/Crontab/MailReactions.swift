import TimelineConfiguration

/// The reactions that mail the output of jobs, as cron does: one for each recipient and user.
struct MailReactions {
  /// Sender and recipient of a mail.
  struct Mail: Hashable {
    var recipient: String
    /// The user who runs the job and sends the mail.
    var user: String
    var sender: String?
  }

  /// In the order of the requests.
  private(set) var jobs: [ImportedJob] = []
  private var names: [Mail: String] = [:]

  /// The difference from cron's mail. The limits are those of the variable `TIMELINE_UPSTREAM_OUTPUT`.
  static let difference =
    "a mail has the last 40 lines of the output, at most 4096 bytes, in lines of at most 900 bytes, and the name of the job in its subject; all of it is in `timelinectl logs JOB`"

  /// The command that mails with the program that cron uses (Debian's config.h, `MAILCMD` and `MAILARGS`). It has no
  /// effect if the program is not installed. A line of a mail has at most 998 bytes (RFC 5322, 2.1.1). Longer lines
  /// are broken, at a space if there is one.
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
