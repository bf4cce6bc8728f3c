// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Propagates an acoustic wave through a cube by finite differences: second order in time, eighth order in space. The cube is
// divided into slabs, one for each GPU. In each step, a GPU first computes the planes that its neighbors need and sends them,
// while it computes the remaining planes. Events order the steps of neighbors; the host waits only at the end. The result is
// compared with a computation on the host.
//
//     wave_propagation [DOMAINS [EDGE [STEPS]]]      // several domains can share a GPU

#include <cubind/core.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

#include "example.hpp"
#include "wave.hpp"

using namespace cubind;

namespace {

DeviceMemoryResource pool_of(Device device) {
    DeviceMemoryResource pool(device, {});
    for (const Device other : Device::all()) {
        if (other != device && other.can_access_peer(device))
            pool.allow_peer_access(other);  // neighbors write the halos directly
    }
    return pool;
}

struct Domain : wave::Slab {
    Domain(Device own_device, const wave::Problem& own_problem, wave::Share own_share)
        : Slab(own_device, own_problem, own_share, pool_of(own_device)) {}

    void begin_with(const std::vector<float>& state) {
        load(state);
        stream.record(computed);
        stream.record(sent);
    }
    void compute() {
        compute_border();
        stream.record(border_computed);
        compute_rest();
        stream.record(computed);
    }
    // Sends planes of the new state to a neighbor's halo.
    void send(Domain& neighbor, std::span<const float> own_planes, std::span<float> halo) {
        exchange.wait(border_computed);
        exchange.wait(neighbor.computed_before);  // the neighbor does not read its halo any more
        copy(exchange, halo, own_planes);
    }

    Stream exchange{device};
    Event border_computed{device}, computed{device}, computed_before{device}, sent{device};
};

// Runs all steps. In each, a domain waits until its neighbors have sent the planes of the step before.
void run_steps(std::vector<std::unique_ptr<Domain>>& domains, int steps) {
    const auto for_neighbors = [&](std::size_t i, auto&& function) {
        if (i > 0) function(*domains[i - 1], true);
        if (i + 1 < domains.size()) function(*domains[i + 1], false);
    };
    for (int step = 0; step < steps; ++step) {
        for (std::size_t i = 0; i < domains.size(); ++i) {
            Domain& domain = *domains[i];
            for_neighbors(i, [&](Domain& neighbor, bool) { domain.stream.wait(neighbor.sent); });
            domain.stream.wait(domain.sent);  // the planes that are overwritten now were sent
            std::swap(domain.computed, domain.computed_before);
            domain.compute();
        }
        for (std::size_t i = 0; i < domains.size(); ++i) {
            Domain& domain = *domains[i];
            for_neighbors(i, [&](Domain& neighbor, bool is_below) {
                is_below ? domain.send(neighbor, domain.lower(), neighbor.upper_halo())
                         : domain.send(neighbor, domain.upper(), neighbor.lower_halo());
            });
            domain.exchange.record(domain.sent);
        }
    }
}

int wave_propagation(const wave::Problem& problem, int domain_count) {
    const std::vector<Device> devices = Device::all();
    const int count = domain_count != 0 ? domain_count : static_cast<int>(devices.size());
    if (!wave::can_divide(problem, count)) {
        return example::skip("the cube has too few planes for " + std::to_string(count) + " domains of " +
                             std::to_string(wave::radius) + " planes at least.");
    }
    std::vector<std::unique_ptr<Domain>> domains;
    for (int i = 0; i < count; ++i) {
        const Device device = devices[std::size_t(i) % devices.size()];
        domains.push_back(std::make_unique<Domain>(device, problem, wave::share_of(problem, i, count)));
    }
    std::printf("%d %s on %zu %s, %d x %d x %d points, %d steps\n", count, count == 1 ? "domain" : "domains", devices.size(),
                devices.size() == 1 ? "device" : "devices", problem.edge, problem.edge, problem.edge, problem.steps);

    const std::vector<float> state = wave::initial_state(problem);
    for (const auto& domain : domains) domain->begin_with(state);
    for (const auto& domain : domains) domain->stream.synchronize();

    const auto start = std::chrono::steady_clock::now();
    run_steps(domains, problem.steps);
    for (const auto& domain : domains) {
        domain->stream.synchronize();
        domain->exchange.synchronize();
    }
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
    const double points = std::pow(problem.inner_planes(), 3) * problem.steps;
    std::printf("%.2f ms for each step, %.3f billion points/s\n", 1e3 * time.count() / problem.steps,
                points / time.count() / 1e9);

    std::vector<float> result(state.size());
    for (const auto& domain : domains) domain->store(result);
    const std::vector<float> expected = wave::propagate_on_host(problem, state);
    float largest = 0, error = 0;
    for (std::size_t i = 0; i < expected.size(); ++i) {
        largest = std::max(largest, std::fabs(expected[i]));
        error = std::max(error, std::fabs(result[i] - expected[i]));
        if (std::isnan(result[i])) error = INFINITY;
    }
    std::printf("largest amplitude %g, largest error %g\n", double(largest), double(error));
    return example::verdict(largest > 0 && error <= 1e-5f * float(problem.steps) * largest, "the wave equals that of the host");
}

}  // namespace

int main(int count, char** arguments) {
    wave::Problem problem;
    const int domains = count > 1 ? std::atoi(arguments[1]) : 0;
    if (!wave::read(problem, count - 2, arguments + 2) || domains < 0) {
        std::fprintf(stderr, "usage: wave_propagation [DOMAINS [EDGE [STEPS]]], with an EDGE from %d to 2000\n",
                     2 * wave::radius + 1);
        return example::failed;
    }
    return example::run([&] { return wave_propagation(problem, domains); });
}
