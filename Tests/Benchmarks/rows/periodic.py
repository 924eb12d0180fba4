"""`next(after:)` of a rule of every 30 seconds, as the engine asks it: each entry by the one before."""
import equipment

ENTRIES = "10000000"


def measure(bench):
    bench.need_verb("periodic")
    peers = equipment.peers(bench, {"robfig": lambda: [equipment.go(bench, "robfig"), "periodic", ENTRIES]})
    rounds, count, total = bench.enumerate({"ours": [bench.program, "periodic", ENTRIES], **peers})
    return bench.report("periodic: every 30 s, next(after:)", "ns an entry", rounds, [
        bench.goal("ours", 5), bench.goal("ours", 5 / 6.6, "robfig")], count=count, sum=total)
