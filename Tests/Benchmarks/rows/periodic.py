"""`next(after:)` of a rule of every 30 seconds, as the engine asks it: each entry by the one before."""
import equipment


def measure(bench):
    return equipment.beside_robfig(bench, "periodic", "periodic: every 30 s, next(after:)", entries=10_000_000, goal=5, robfig=6.6)
