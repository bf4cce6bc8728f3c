# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""Checks the answers of the simulation about mistakes, of which a GPU's may not be recorded.

usage: mistakes_test.py PROGRAM SIMULATION DOCUMENTED

PROGRAM asks at least 100 questions about two simulated devices, and none of them ends its process. DOCUMENTED has the answers that the
vendor's documentation states, or that a GPU gave elsewhere, in the form of the recorded answers; the other answers are not checked.
"""
import sys

import compare


def main(program, folder, documented_path):
    with open(documented_path, encoding="utf-8") as file:
        documented = compare.parse(file.read())
    simulated = compare.simulate(program, folder, documented)
    problems = [f"{question}\n    documented: {answer}\n    simulated:  {simulated.get(question, 'not asked')}"
                for question, answer in documented.items() if simulated.get(question) != answer]
    problems += [f"{question}: {answer}" for question, answer in simulated.items()
                 if answer in ("ends the process", "does not return")]
    if len(simulated) < 100:
        problems.append(f"only {len(simulated)} questions")
    print("\n".join(problems) or f"{len(simulated)} questions: {len(documented)} answers are documented, and the simulation gives them")
    return 1 if problems else 0


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
