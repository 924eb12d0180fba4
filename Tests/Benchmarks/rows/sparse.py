"""`next(after:)` of a rule that comes every four years: `0 2 29 2 *` in Europe/Berlin."""
import equipment


def measure(bench):
    return equipment.beside_robfig(
        bench, "sparse", "sparse: 0 2 29 2 * in Europe/Berlin, next(after:)", entries=2_400, goal=250, robfig=139_000)
