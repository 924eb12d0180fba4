"""What stands for the values that programs fill in when they print a command, and the commands that have another end or are run elsewhere."""

# An interpolated expression, and the value of the world (world.py) that stands for it.
VALUES = {
    "Self.tool": "timelinectl",
    "tool": "timelinectl",
    "socket": "/run/timelined/control.sock",
    "backfill.job": "JOB",
    "context.job": "JOB",
    "entry.job": "JOB",
    "entry": "2026-11-21 02:30",
    "job": "JOB",
    "job.job": "JOB",
    "job.name": "JOB",
    "question.job": "JOB",
    "name": "ZONE",
    "reply.job": "JOB",
    "status.name": "JOB",
    "target": "JOB",
    "wait.job": "JOB",
    "$labels.job": "JOB",
    "entry.instant": "2026-11-21T02:30:00Z",
    "from": "'2h ago'",
    "until": "now",
    "run": "RUN",
    "run.attempt.run": "RUN",
    "cadence": "minutes",
    "names": "backup.timer",
    "path": "CRONTAB",
    "rest": "*/5 * * * *",
    "service": "timelined",
    "unit.service": "timelined.service",
    "user": "root",
}

# A placeholder, and what a user types in its place.
PLACEHOLDERS = {
    "JOB": "failing",
    "NAME": "failing",
    "VERB": "status",
    "RULE": "'30 2 * * *'",
    "ZONE": "Europe/Berlin",
    "TIME": "now",
    "RUN": "1",  # the world has an active one
    "NEW": "new.toml",
    "OLD": "jobs.toml",
    "FILE": "jobs.toml",
    "TIMER": "backup.timer",
    "CRONTAB": "/etc/crontab",
    "JSON": "'{\"message\": \"hello\"}'",
    "N": "60",
    "@name@": "exec",
}

# What stands for a placeholder after these words.
OF_VERBS = {
    "JOB": {"release": "ahead", "resume": "paused", "activate": "shared"},
    "TIME": {"leap": "'in 2h'"},
    "FILE": {"test": "/usr/local/lib/timelined/plugins/log.so"},
}

# A command that ends with another status, and why that is right.
ENDS = {
    "timelinectl backfill \\(job) --cancel": (1, "the job has no open backfill"),
    "timelinectl plan OLD NEW": (1, "the configurations differ, as with diff"),
    "timelinectl plan --json OLD NEW": (1, "the configurations differ, as with diff"),
}

# A command that a script of its own runs: it needs what this world lacks.
ELSEWHERE = {
    "timelinectl takeover": "87-takeover.sh",
    "timelinectl takeover --dry-run": "87-takeover.sh",
    "timelinectl takeover --undo": "87-takeover.sh",
}

# A text that names what a job or the service runs: no user types it.
NOT_TYPED = {
    "systemctl start": "the command of an imported job; its unit stands in the job",
}
# Programs that timelined starts itself; the script that runs each form of its help.
STARTED = {"timeline-host": "52-plugin-authors.sh", "timeline-store": "85-store.sh"}
