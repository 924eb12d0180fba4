"""The mix of jobs, and the configuration that holds them."""

from dataclasses import dataclass, field, replace
from schedules import Animation, Civil, Cron, EachSeconds, EveryMinute, Explicit, OnDemand, Periodic, Recurrence, SECOND, Union, dice

MILLISECOND = SECOND // 1000

# What the configuration takes; a job that needs more is left out.
FEATURES = {
    "overlap": True,
    "missed": True,
    "retry": True,
    "delivery": True,
    "concurrency": True,
    "groups": True,
    "reactions": True,
    "pause": True,
    "cancel": True,
}


@dataclass(frozen=True)
class Job:
    name: str
    schedule: object
    lasts: tuple = (20, 100)  # milliseconds, shortest and longest
    odds: dict = field(default_factory=dict)  # percent of attempts that crash, hang, fail, retry
    script: bool = False  # whether it is a job of `exec`; then `odds["every"]` says how often it fails
    overlap: str = "skip"
    missed: str = "latest"
    window: int = None
    timeout: int = None
    grace: int = 10 * SECOND
    attempts: int = 1
    delivery: str = "at-most-once"
    concurrency: int = 1
    group: str = None
    on_failure: str = None
    needs: tuple = ()

    @property
    def is_counted(self):
        """Whether the daemon keeps counters in place of an entry's record."""
        return isinstance(self.schedule, Animation) or isinstance(self.schedule, Periodic) and self.schedule.by < SECOND

    def plan(self, seed, nominal, attempt):
        """How the attempt will end if it is let: `succeeded`, `failed`, `retry`, `crash` or `hang`; and its milliseconds."""
        if self.script:
            every = self.odds.get("every", 0)
            failed = every and nominal // SECOND % every == 0
            return ("failed" if failed else "succeeded"), self.lasts[0]
        value = dice(seed, self.name, nominal, attempt)
        roll, lasts = value % 100, self.lasts[0] + (value >> 32) % (self.lasts[1] - self.lasts[0] + 1)
        for outcome in ("crash", "hang", "fail", "retry"):
            roll -= self.odds.get(outcome, 0)
            if roll < 0:
                return ("failed" if outcome == "fail" else outcome), lasts
        return "succeeded", lasts

    def toml(self, seed, directory):
        lines = [f"[job.{self.name}]", f"schedule = {self.schedule.toml()}"]
        if self.script:
            seconds, every = self.lasts[0] / 1000, self.odds.get("every", 0)
            command = [f"{directory}/evidence.sh", f"{directory}/evidence", str(seconds), str(every)]
            lines += ['plugin = "exec"', "with = { command = [%s] }" % ", ".join(f'"{word}"' for word in command)]
        else:
            odds = "".join(f", {name} = {percent}" for name, percent in self.odds.items())
            lines += [
                f'plugin = "{directory}/evidence.so"',
                f'with = {{ file = "{directory}/evidence", seed = {seed}, shortest = {self.lasts[0]},'
                f" longest = {self.lasts[1]}{odds} }}"]
        if isinstance(self.schedule, Cron):
            lines.append(f'time-zone = "{self.schedule.name}"')
        if self.timeout:
            lines += [f'timeout = "{self.timeout // MILLISECOND}ms"']
        if self.grace != 10 * SECOND:
            lines += [f'grace = "{self.grace // MILLISECOND}ms"']
        if self.overlap != "skip":
            lines.append(f'overlap = "{self.overlap}"')
        if self.window:
            lines.append(f'missed = {{ policy = "{self.missed}", window = "{self.window // MILLISECOND}ms" }}')
        elif self.missed != "latest":
            lines.append(f'missed = "{self.missed}"')
        if self.attempts > 1:
            lines.append(f'retry = {{ attempts = {self.attempts}, backoff = {{ from = "200ms", to = "1s" }} }}')
        if self.delivery != "at-most-once":
            lines.append(f'delivery = "{self.delivery}"')
        if self.concurrency > 1:
            lines.append(f"concurrency = {self.concurrency}")
        if self.group:
            lines.append(f'groups = ["{self.group}"]')
        if self.on_failure:
            lines.append(f'on-failure = "{self.on_failure}"')
        return "\n".join(lines) + "\n"


GROUP_LIMITS = {"pair": 2}


def mix(begin):
    """Every job that the features allow; `begin` is what the daemon's clock shows at the start."""
    second = begin // SECOND * SECOND
    jobs = [
        Job("steady", Periodic(SECOND), (20, 150)),
        Job("fine", Periodic(1250 * MILLISECOND, second), (5, 30), window=3 * SECOND),
        Job("long", Periodic(2 * SECOND, second + 300 * MILLISECOND), (500, 3000)),
        Job("moody", Periodic(3 * SECOND), (10, 400), {"crash": 15, "fail": 15}),
        Job("hanger", Periodic(4 * SECOND), (100, 1200), {"hang": 25}, timeout=1500 * MILLISECOND, grace=300 * MILLISECOND),
        Job("tight", Periodic(3 * SECOND), (100, 1800), timeout=SECOND, grace=500 * MILLISECOND),
        Job("script", Periodic(2 * SECOND), (300, 300), {"every": 14}, script=True),
        Job("minutes", EveryMinute(), (50, 200)),
        Job("cron-utc", Cron("* * * * *"), (50, 200)),
        Job("cron-night", Cron("30 2 * * *", "Europe/Berlin"), (50, 200)),
        Job("cron-thirty", Cron("*/30 * * * *", "Europe/Berlin"), (50, 200)),
        Job("calendar", EachSeconds(5), (20, 200)),
        Job("civil", Civil.daily(second), (20, 200)),
        Job("rrule", Recurrence(7, second), (20, 200)),
        Job("dates", Explicit([second + (3 * n + n * n % 2) * SECOND for n in range(1, 400)]), (20, 200)),
        Job("either", Union(*(Explicit([second + step * n * SECOND for n in range(1, 200)]) for step in (3, 5))), (20, 200)),
        Job("pulse", Animation(200 * MILLISECOND), (5, 30)),
        Job("blink", Periodic(400 * MILLISECOND), (5, 120)),
        Job("one-waits", Periodic(SECOND), (200, 2200), overlap="buffer-one", needs=("overlap",)),
        Job("all-wait", Periodic(2 * SECOND), (300, 3000), overlap="buffer-all", needs=("overlap",)),
        Job("newest", Periodic(2 * SECOND), (100, 3000), overlap="cancel-other", grace=500 * MILLISECOND, needs=("overlap",)),
        Job("ruthless", Periodic(2 * SECOND), (100, 3000), overlap="terminate-other", needs=("overlap",)),
        Job("crowd", Periodic(SECOND), (300, 2500), overlap="allow-all", needs=("overlap",)),
        Job("makes-up", Periodic(SECOND), (10, 60), missed="all", overlap="buffer-all", window=5 * SECOND,
            needs=("missed", "overlap")),
        Job("forgets", Periodic(SECOND), (10, 60), missed="skip", needs=("missed",)),
        Job("stubborn", Periodic(5 * SECOND), (10, 200), {"retry": 50}, attempts=3, needs=("retry",)),
        Job("faithful", Periodic(2 * SECOND), (100, 900), delivery="at-least-once", needs=("delivery",)),
        Job("double", Periodic(SECOND), (100, 2500), concurrency=2, needs=("concurrency",)),
        Job("pair-a", Periodic(2 * SECOND), (300, 1200), group="pair", needs=("groups",)),
        Job("pair-b", Periodic(2 * SECOND), (300, 1200), group="pair", needs=("groups",)),
        Job("pair-c", Periodic(3 * SECOND), (300, 1200), group="pair", needs=("groups",)),
        Job("weeping", Periodic(4 * SECOND), (10, 60), {"fail": 30}, on_failure="consoler", needs=("reactions",)),
        Job("consoler", OnDemand(), (10, 60), overlap="allow-all", needs=("reactions", "overlap")),
    ]
    return [job for job in jobs if all(FEATURES[need] for need in job.needs)]


def guest(variant, begin):
    """The job that reloads bring, change and take away; `None` for the variant in which it is away."""
    second = begin // SECOND * SECOND
    return [
        None,
        Job("guest", Periodic(SECOND, second), (20, 400)),
        Job("guest", Periodic(1500 * MILLISECOND, second), (20, 400)),
        Job("guest", Periodic(1500 * MILLISECOND, second), (600, 2000)),
    ][variant]


def configuration(jobs, seed, directory):
    """The whole file."""
    groups = "".join(f"[group.{name}]\nlimit = {limit}\n" for name, limit in GROUP_LIMITS.items() if FEATURES["groups"])
    head = '[daemon]\ntime-zone = "UTC"\ndrain-timeout = "5s"\n'
    return head + groups + "".join(job.toml(seed, directory) for job in jobs)
