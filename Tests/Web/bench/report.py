"""Tables of what was measured."""

import json


def table(metrics, results):
    lines = []
    for name, (what, goal) in metrics.items():
        value = results[name]
        text = f"{value:,.0f}" if value >= 1_000 else f"{value:.3g}"
        bound = ""
        if goal:
            side, least = goal
            met = value <= least if side == "most" else value >= least
            bound = f"{'≤' if side == 'most' else '≥'} {least:g}" + ("" if met else "  missed")
        lines.append(f"{name:<30}{text:>12}  {bound:<16}{what}")
    return "\n".join(lines)


def listing(title, metrics):
    lines = [title]
    for name, (_, goal) in metrics.items():
        lines.append(
            f"  {name}  " + (f"{'≤' if goal[0] == 'most' else '≥'} {goal[1]:g}" if goal else ""))
    return "\n".join(lines)


def as_json(results):
    return json.dumps({name: round(value, 4) for name, value in results.items()})
