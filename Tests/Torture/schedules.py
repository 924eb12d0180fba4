"""The schedule oracle: what a job's nominal instants are, computed without a line of the engine's.

Instants are integer nanoseconds since the Unix epoch. A schedule answers `between(low, high)`, ascending and inclusive, `count`
of the same, and `toml()`, how the configuration writes it.
"""

from datetime import datetime, timedelta, timezone
from zoneinfo import ZoneInfo

SECOND = 1_000_000_000
MINUTE = 60 * SECOND
HOUR = 3600 * SECOND


def utc_text(instant):
    """An instant as a date-time of TOML."""
    moment = datetime.fromtimestamp(instant // SECOND, timezone.utc)
    fraction = f".{instant % SECOND:09d}".rstrip("0").rstrip(".")
    return moment.strftime("%Y-%m-%dT%H:%M:%S") + fraction + "Z"


class Periodic:
    def __init__(self, by, start=0):
        self.by, self.start = by, start

    def _index(self, low):
        return max(0, -((self.start - low) // self.by))

    def between(self, low, high):
        first = self.start + self._index(low) * self.by
        return range(first, high + 1, self.by)

    def count(self, low, high):
        return len(self.between(low, high))

    def leaves_out(self, instant):
        """The outcome of an instant that the rule names and leaves out, `None` for any other."""
        return None

    def toml(self):
        begin = f"from = {utc_text(self.start)}, " if self.start else ""
        return "{ periodic = { %sby = \"%dms\" } }" % (begin, self.by // 1_000_000)


class Explicit:
    def __init__(self, instants):
        self.instants = sorted(instants)

    def between(self, low, high):
        return [instant for instant in self.instants if low <= instant <= high]

    def count(self, low, high):
        return len(self.between(low, high))

    def leaves_out(self, instant):
        return None

    def toml(self):
        return "{ explicit = [%s] }" % ", ".join(map(utc_text, self.instants))


class Union(Explicit):
    """Several sets of dates; one entry where several have one."""

    def __init__(self, *members):
        super().__init__({instant for member in members for instant in member.instants})
        self.members = members

    def toml(self):
        return "{ any = [%s] }" % ", ".join(member.toml() for member in self.members)


class EveryMinute(Periodic):
    """In a zone whose offset is whole minutes, as all are today."""

    def __init__(self):
        super().__init__(MINUTE)

    def toml(self):
        return '"every-minute"'


class EachSeconds(Periodic):
    """A calendar rule of systemd's for every so many seconds of each minute."""

    def __init__(self, seconds):
        super().__init__(seconds * SECOND)

    def toml(self):
        return '{ calendar = "*:*:0/%d" }' % (self.by // SECOND)


class Animation:
    """A closed loop: it has no instants that anybody could know before."""

    def __init__(self, minimum):
        self.minimum = minimum

    def toml(self):
        return "{ animation = { minimum-interval = \"%dms\" } }" % (self.minimum // 1_000_000)


class OnDemand(Explicit):
    """No instants at all: the job is run when somebody asks, or when another job's end is to be told."""

    def __init__(self):
        super().__init__([])

    def toml(self):
        return '"on-demand"'


class Cron:
    """Five fields of numbers, lists, ranges and steps, in a zone whose offsets are whole hours and change on the hour.

    Minute or hour beginning with `*`: the rule follows real time. Otherwise it fixes the time of day: times that the clocks skip
    run once, at the change; of those shown twice the first runs. `rules` names the zone whose rules are in the file of `zone`.
    """

    def __init__(self, text, zone="UTC", rules=None):
        self.text, self.name, self.zone = text, zone, ZoneInfo(rules or zone)
        fields = text.split()
        bounds = [(0, 59), (0, 23), (1, 31), (1, 12), (0, 7)]
        self.minutes, self.hours, self.days, self.months, weekdays = (
            self._field(field, *bound) for field, bound in zip(fields, bounds, strict=True))
        self.weekdays = {day % 7 for day in weekdays}
        self.both_days = fields[2].startswith("*") or fields[4].startswith("*")
        self.follows_real_time = fields[0].startswith("*") or fields[1].startswith("*")

    @staticmethod
    def _field(text, low, high):
        values = set()
        for part in text.split(","):
            span, _, step = part.partition("/")
            first, _, last = span.partition("-")
            if span == "*":
                first, last = low, high
            values.update(range(int(first), int(last or (high if step else first)) + 1, int(step or 1)))
        return values

    def _day_matches(self, date):
        if date.month not in self.months:
            return False
        in_month, in_week = date.day in self.days, date.isoweekday() % 7 in self.weekdays
        return in_month and in_week if self.both_days else in_month or in_week

    def _offset(self, instant):
        return int(datetime.fromtimestamp(instant // SECOND, self.zone).utcoffset().total_seconds()) * SECOND

    def _real_hours(self, low, high):
        for hour in range(low // HOUR * HOUR, high + 1, HOUR):
            local = datetime.fromtimestamp(hour // SECOND, self.zone)
            if local.hour in self.hours and self._day_matches(local.date()):
                yield hour

    def _real_time(self, low, high):
        instants = (hour + minute * MINUTE for hour in self._real_hours(low, high) for minute in sorted(self.minutes))
        return [instant for instant in instants if low <= instant <= high]

    def _instant(self, date, hour, minute):
        """The first instant at which clocks show the time, or that of the change which skips it."""
        civil = int(datetime(date.year, date.month, date.day, hour, minute, tzinfo=timezone.utc).timestamp()) * SECOND
        before, after = self._offset(civil - 24 * HOUR), self._offset(civil + 24 * HOUR)
        for offset in (before, after):
            if self._offset(civil - offset) == offset:
                return civil - offset
        change = (civil - after) // HOUR * HOUR
        while self._offset(change) == before:
            change += HOUR
        return change

    def _times_of_day(self, low, high):
        date = datetime.fromtimestamp(low // SECOND, self.zone).date() - timedelta(days=1)
        last = datetime.fromtimestamp(high // SECOND, self.zone).date() + timedelta(days=1)
        found = set()
        while date <= last:
            if self._day_matches(date):
                found.update(self._instant(date, hour, minute) for hour in self.hours for minute in self.minutes)
            date += timedelta(days=1)
        return sorted(instant for instant in found if low <= instant <= high)

    def between(self, low, high):
        return self._real_time(low, high) if self.follows_real_time else self._times_of_day(low, high)

    def count(self, low, high):
        if not self.follows_real_time or high - low < 48 * HOUR:
            return len(self.between(low, high))
        # Ten years of minutes need not be listed to be counted.
        begin, end = (low // HOUR + 1) * HOUR, high // HOUR * HOUR
        whole = sum(1 for _ in self._real_hours(begin, end - 1)) * len(self.minutes)
        return len(self._real_time(low, begin - 1)) + whole + len(self._real_time(end, high))

    def leaves_out(self, instant):
        local = datetime.fromtimestamp(instant // SECOND, self.zone)
        named = local.hour in self.hours and local.minute in self.minutes and self._day_matches(local.date())
        is_again = named and local.fold == 1 and not self.follows_real_time and instant % MINUTE == 0
        return "dst-fold" if is_again else None

    def toml(self):
        return '{ cron = "%s" }' % self.text


class Civil(Explicit):
    """Every so many days of UTC from a date on, at times of the day in seconds."""

    def __init__(self, days, first, times):
        self.days, self.first, self.times = days, first, sorted(times)

    @classmethod
    def daily(cls, instant):
        """64 times of each day, three seconds apart, the first at an instant."""
        moment = datetime.fromtimestamp(instant // SECOND, timezone.utc)
        begin = moment.hour * 3600 + moment.minute * 60 + moment.second
        return cls(1, (moment.year, moment.month, moment.day), {(begin + 3 * n) % 86_400 for n in range(64)})

    def between(self, low, high):
        day, length = int(datetime(*self.first, tzinfo=timezone.utc).timestamp()), 86_400 * self.days
        begin = day + max(0, (low // SECOND - day) // length) * length
        instants = ((date + time) * SECOND for date in range(begin, high // SECOND + 1, length) for time in self.times)
        return [instant for instant in instants if low <= instant <= high]

    def toml(self):
        date = "%04d-%02d-%02d" % self.first
        times = ", ".join('"%02d:%02d:%02d"' % (t // 3600, t // 60 % 60, t % 60) for t in self.times)
        return '{ civil = { every = "%d days", from = %s, at = [%s] } }' % (self.days, date, times)


class Recurrence(Explicit):
    """Every so many seconds of UTC from an instant on, as an RRULE."""

    def __init__(self, seconds, first):
        self.seconds, self.first = seconds, first // SECOND

    def between(self, low, high):
        begin = self.first + max(0, -(-(low // SECOND - self.first) // self.seconds)) * self.seconds
        instants = (second * SECOND for second in range(begin, high // SECOND + 1, self.seconds))
        return [instant for instant in instants if low <= instant <= high]

    def toml(self):
        first = datetime.fromtimestamp(self.first, timezone.utc).strftime("%Y-%m-%dT%H:%M:%S")
        return '{ rrule = "FREQ=SECONDLY;INTERVAL=%d", from = %s }' % (self.seconds, first)


# Each kind that a configuration can name.
SCHEDULES = {
    "periodic": Periodic,
    "animation": Animation,
    "explicit": Explicit,
    "every-minute": EveryMinute,
    "cron": Cron,
    "calendar": EachSeconds,
    "civil": Civil,
    "rrule": Recurrence,
    "any": Union,
}


def dice(seed, job, nominal, attempt):
    """What evidence.c throws."""
    mask = (1 << 64) - 1
    value = 0xCBF29CE484222325
    for byte in f"{seed}/{job}/{nominal}/{attempt}".encode():
        value = (value ^ byte) * 0x100000001B3 & mask
    value ^= value >> 33
    value = value * 0xFF51AFD7ED558CCD & mask
    return value ^ value >> 33
