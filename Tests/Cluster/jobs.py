"""The jobs of the three nodes: the same text on all, because the definition of a job is to be the same."""

from dataclasses import dataclass

SECOND = 1_000_000_000


@dataclass(frozen=True)
class Job:
    name: str
    period: float = 1
    # Milliseconds that an attempt lasts, at least and at most.
    lasts: tuple = (20, 150)
    delivery: str = "at-most-once"
    is_shared: bool = True
    where: str = ""
    store_down: str = "hold"
    buffers: bool = False
    retries: int = 0
    is_script: bool = False

    @property
    def is_short(self):
        """Whether each run has ended before the next entry, so that none is dropped for an overlap."""
        return self.lasts[1] + 300 < self.period * 1000 and not self.retries

    def toml(self, directory, timeout=60):
        lines = [f"[job.{self.name}]", f'schedule = {{ periodic = {{ by = "{round(self.period * 1000)}ms" }} }}', f'timeout = "{timeout}s"']
        if self.is_script:
            command = f'"{directory}/evidence.sh", "{directory}/evidence", "{self.lasts[0] / 1000}"'
            lines += ['plugin = "exec"', f"with = {{ command = [{command}] }}"]
        else:
            retry = f", retry = {self.retries}" if self.retries else ""
            lines += [
                f'plugin = "{directory}/evidence.so"',
                f'with = {{ directory = "{directory}", shortest = {self.lasts[0]}, longest = {self.lasts[1]}{retry} }}']
        if self.is_shared:
            lines.append('run-on = "one"')
        if self.where:
            lines.append(f'where = ["{self.where}"]')
        if self.store_down != "hold":
            lines.append(f'store-down = "{self.store_down}"')
        if self.delivery != "at-most-once":
            lines.append(f'delivery = "{self.delivery}"')
        if self.buffers:
            lines += ['overlap = "buffer-all"', 'missed = "all"']
        if self.retries:
            lines.append('retry = { attempts = 3, backoff = { from = "1s", to = "2s" } }')
        return "\n".join(lines) + "\n"


def mix(lease):
    """Every kind of job; `lease` has seconds."""
    long = (int(lease * 1500), int(lease * 2000))
    return [
        Job("once"),
        Job("least", delivery="at-least-once"),
        Job("alone", delivery="at-least-once", store_down="owner-runs"),
        Job("once-long", period=4 * lease, lasts=long),
        Job("least-long", period=4 * lease, lasts=long, delivery="at-least-once"),
        Job("retries", period=4, lasts=(20, 300), retries=40),
        Job("labeled", where="role=db"),
        Job("buffers", period=3, lasts=(300, 3000), buffers=True),
        Job("counted", period=0.4),
        Job("script", period=2, lasts=(200, 200), is_script=True),
        Job("control", is_shared=False),
    ]


# Labels of each node.
LABELS = {"a": 'role = "db", zone = "1"', "b": 'role = "db", zone = "2"', "c": 'role = "web", zone = "3"'}


def configuration(node, world, timeouts=None):
    """The whole file of a node; `timeouts` has those of jobs that it defines differently."""
    head = (
        '[daemon]\ntime-zone = "UTC"\ndrain-timeout = "5s"\n'
        f'[cluster]\nname = "proof"\nstore = {world.database.table(world.directory)}\n'
        f'node = {{ name = "{node}", labels = {{ {LABELS[node]} }} }}\nlease = "{world.lease}s"\n')
    return head + "".join(job.toml(world.directory, (timeouts or {}).get(job.name, 60)) for job in world.jobs)
