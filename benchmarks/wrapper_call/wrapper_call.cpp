// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

/// Times every case in both forms. benchmarks/wrapper_call_cost runs this program and compares the times. It takes the options of
/// Google Benchmark.

#include <benchmark/benchmark.h>

#include <string>

#include "cases.hpp"

namespace {

constexpr long calls_per_iteration = 1000;

void repeat(benchmark::State& state, void (*calls)(long)) {
    for (auto _ : state) calls(calls_per_iteration);
    state.counters["ns_per_call"] = benchmark::Counter(static_cast<double>(state.iterations() * calls_per_iteration) * 1e-9,
                                                       benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

}  // namespace

int main(int argc, char** argv) {
    for (const Case& each : prepared_cases()) {
        benchmark::RegisterBenchmark((std::string(each.name) + "/raw").c_str(), repeat, each.raw);
        benchmark::RegisterBenchmark((std::string(each.name) + "/wrapper").c_str(), repeat, each.wrapper);
    }
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
