"""`next(after:)` of a rule that comes every four years: `0 2 29 2 *` in Europe/Berlin."""
import equipment

ENTRIES = "2400"


def measure(bench):
    bench.need_verb("sparse")
    peers = equipment.peers(bench, {"robfig": lambda: [equipment.go(bench, "robfig"), "sparse", ENTRIES]})
    rounds, count, total = bench.enumerate({"ours": [bench.program, "sparse", ENTRIES], **peers})
    return bench.report("sparse: 0 2 29 2 * in Europe/Berlin, next(after:)", "ns an entry", rounds, [
        bench.goal("ours", 250), bench.goal("ours", 250 / 139_000, "robfig")], count=count, sum=total)
