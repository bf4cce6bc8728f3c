# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""Compares the answers of the simulated libraries with those of a GPU. See scripts/compare-with-gpu.

compare.py PROGRAM SIMULATION GPU_ANSWERS [ACCEPTED]

Runs PROGRAM on the simulated libraries in the folder SIMULATION, with the release and the compute capability of the GPU whose
answers GPU_ANSWERS holds. Prints where the answers differ, unless ACCEPTED names the question and a reason. The status is 1 if
answers differ, or if an entry of ACCEPTED names no difference.
"""
import os
import re
import subprocess
import sys


def parse(text):
    """Returns the answers as a dictionary from question to answer. Lines that begin with # are comments."""
    answers = {}
    for line in text.splitlines():
        if not line or line.startswith("#"):
            continue
        question, separator, answer = line.partition(": ")
        if not separator:
            sys.exit(f"not a line QUESTION: ANSWER: {line}")
        if question in answers:
            sys.exit(f"asked twice: {question}")
        answers[question] = answer
    return answers


def number(answers, question):
    """Returns the number that answers the first question whose name contains the given text."""
    found = [answer for name, answer in answers.items() if question in name]
    return int(found[0].split()[-1])


def simulate(program, folder, gpu):
    """Asks the simulated libraries, which is set up like the GPU."""
    version = number(gpu, " cuDriverGetVersion()")
    capability = [number(gpu, f" cuDeviceGetAttribute {i} ") for i in (75, 76)]
    devices = number(gpu, " devices in use") if any(" devices in use" in name for name in gpu) else 1
    environment = dict(os.environ, LD_LIBRARY_PATH=folder, CUBIND_SIM_DEVICES=str(devices),
                       CUBIND_RUNTIME_LIBRARY=os.path.join(folder, "libcudart.so.13"),
                       CUBIND_SIM_RELEASE=f"{version // 1000}.{version % 1000 // 10}",
                       CUBIND_SIM_COMPUTE_CAPABILITY=".".join(map(str, capability)))
    run = subprocess.run([program], env=environment, stdout=subprocess.PIPE, text=True, check=True)
    return parse(run.stdout)


def accepted_patterns(path):
    """Returns pairs of a pattern, in which * matches any text, and the reason for the difference."""
    with open(path, encoding="utf-8") as file:
        entries = parse(file.read())
    return [(re.compile(re.escape(pattern).replace(r"\*", ".*")), pattern, reason) for pattern, reason in entries.items()]


def main(program, folder, gpu_path, accepted_path=None):
    with open(gpu_path, encoding="utf-8") as file:
        gpu = parse(file.read())
    simulated = simulate(program, folder, gpu)
    accepted = accepted_patterns(accepted_path) if accepted_path else []
    unused = {pattern for _, pattern, _ in accepted}
    differences = 0
    same = 0
    for question in list(gpu) + [name for name in simulated if name not in gpu]:
        expected, found = gpu.get(question, "not asked"), simulated.get(question, "not asked")
        if expected == found:
            same += 1
            continue
        matching = [pattern for expression, pattern, _ in accepted if expression.fullmatch(question)]
        unused.difference_update(matching)
        if not matching:
            differences += 1
            print(f"{question}\n    GPU:       {expected}\n    simulated: {found}")
    for pattern in sorted(unused):
        print(f"accepted, but it does not differ: {pattern}")
    total = len(set(gpu) | set(simulated))
    print(f"{total} questions: {same} equal, {differences} different, {total - same - differences} accepted")
    return 1 if differences or unused else 0


if __name__ == "__main__":
    if len(sys.argv) not in (4, 5):
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
