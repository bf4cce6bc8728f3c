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

using namespace cubind;

namespace {

constexpr int radius = 4;  // points on each side that a derivative needs
constexpr float weights[radius + 1] = {-205.0f / 72, 8.0f / 5, -1.0f / 5, 8.0f / 315, -1.0f / 560};
constexpr float courant_squared = 0.16f;  // (velocity * time step / distance of points)^2

// One thread computes a column of planes. `older` has the step before `now` and receives the step after it.
const char* const source = R"(
extern "C" __global__ void propagate(const float* now, float* older, int edge, int first_plane, int planes, const float* weights,
                                     float courant_squared)
{
    const int radius = 4;
    const int x = radius + blockIdx.x * blockDim.x + threadIdx.x;
    const int y = radius + blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= edge - radius || y >= edge - radius) return;
    const size_t row = edge, plane = row * edge;
    for (int z = first_plane; z < first_plane + planes; ++z) {
        const size_t i = z * plane + y * row + x;
        float derivative = 3 * weights[0] * now[i];
        for (int r = 1; r <= radius; ++r) {
            derivative += weights[r] * (now[i - r] + now[i + r] + now[i - r * row] + now[i + r * row] + now[i - r * plane] + now[i + r * plane]);
        }
        older[i] = 2 * now[i] - older[i] + courant_squared * derivative;
    }
}
)";

using Propagate = KernelFunction<void(const float*, float*, int, int, int, const float*, float)>;

Propagate compile(Device device) {
    Program program(source, {.name = "propagate.cu", .arch = "sm_" + device.arch()});
    return Propagate(program.compile(CodeType::ptx).kernel("propagate"), device);
}

struct Problem {
    int domains = 1;
    int edge = 48;  // points of each edge of the cube; the outer `radius` points stay 0
    int steps = 12;

    std::size_t plane() const { return std::size_t(edge) * std::size_t(edge); }
    int inner_planes() const { return edge - 2 * radius; }
};

// Returns the state at the beginning: a pulse in the middle of the cube.
std::vector<float> initial_state(const Problem& problem) {
    std::vector<float> state(problem.plane() * std::size_t(problem.edge));
    const float middle = float(problem.edge - 1) / 2;
    for (int z = radius; z < problem.edge - radius; ++z) {
        for (int y = radius; y < problem.edge - radius; ++y) {
            for (int x = radius; x < problem.edge - radius; ++x) {
                const float squared = (float(x) - middle) * (float(x) - middle) + (float(y) - middle) * (float(y) - middle) +
                                      (float(z) - middle) * (float(z) - middle);
                state[std::size_t(z) * problem.plane() + std::size_t(y) * std::size_t(problem.edge) + std::size_t(x)] =
                    std::exp(-squared / 8);
            }
        }
    }
    return state;
}

std::vector<float> propagate_on_host(const Problem& problem, std::vector<float> now) {
    std::vector<float> older = now;
    const std::size_t row = std::size_t(problem.edge), plane = problem.plane();
    for (int step = 0; step < problem.steps; ++step) {
        for (std::size_t z = radius; z < row - radius; ++z) {
            for (std::size_t y = radius; y < row - radius; ++y) {
                for (std::size_t x = radius; x < row - radius; ++x) {
                    const std::size_t i = z * plane + y * row + x;
                    float derivative = 3 * weights[0] * now[i];
                    for (std::size_t r = 1; r <= radius; ++r) {
                        derivative += weights[r] * (now[i - r] + now[i + r] + now[i - r * row] + now[i + r * row] +
                                                    now[i - r * plane] + now[i + r * plane]);
                    }
                    older[i] = 2 * now[i] - older[i] + courant_squared * derivative;
                }
            }
        }
        std::swap(now, older);
    }
    return now;
}

/// A slab of the cube on a device: its own planes, with `radius` planes of the neighbors, or of the border, on either side.
class Domain {
public:
    Domain(Device own_device, const Problem& own_problem, int own_begin, int own_planes)
        : problem(own_problem), device(own_device), begin(own_begin), planes(own_planes), propagate(compile(own_device)) {
        const std::size_t count = problem.plane() * std::size_t(planes + 2 * radius);
        const DeviceMemoryResource pool(device, {});
        for (const Device other : Device::all()) {
            if (other != device && other.can_access_peer(device))
                pool.allow_peer_access(other);  // neighbors write the halos directly
        }
        now = pool.allocate<float>(stream, count);
        older = pool.allocate<float>(stream, count);
        device_weights = pool.allocate<float>(stream, std::size(weights));
        copy(stream, device_weights, weights);
    }

    // Copies the state at the beginning, including the planes of the neighbors.
    void load(const std::vector<float>& state) {
        const auto* const part = state.data() + problem.plane() * std::size_t(begin - radius);
        copy(stream, now, std::span(part, now.count()));
        copy(stream, older, std::span(part, older.count()));
        stream.record(computed);
        stream.record(sent);
    }

    // Computes the planes that neighbors need, and then the others.
    void compute() {
        const int border = std::min(planes, 2 * radius);
        launch_planes(radius, border / 2);
        launch_planes(radius + planes - (border - border / 2), border - border / 2);
        stream.record(border_computed);
        launch_planes(radius + border / 2, planes - border);
        stream.record(computed);
        std::swap(now, older);
    }

    // Sends planes of the new state, which begin at one of its own planes, to a neighbor's halo.
    void send(Domain& neighbor, int from_plane, int to_plane) {
        const std::size_t count = problem.plane() * radius;
        exchange.wait(border_computed);
        exchange.wait(neighbor.computed_before);  // the neighbor does not read its halo any more
        copy(exchange, neighbor.now.subspan(problem.plane() * std::size_t(to_plane), count),
             now.subspan(problem.plane() * std::size_t(from_plane), count));
    }

    const Problem problem;
    const Device device;
    const int begin;   // first own plane, counted in the cube
    const int planes;  // own planes

    Stream stream{device};
    Stream exchange{device};
    Event border_computed{device}, computed{device}, computed_before{device}, sent{device};
    TypedBuffer<float> now, older, device_weights;
    Propagate propagate;

private:
    void launch_planes(int first, int count) {
        if (count <= 0) return;
        const auto inner = static_cast<unsigned int>(problem.inner_planes());
        const LaunchConfig config{.grid = {(inner + 31) / 32, (inner + 3) / 4}, .block = {32, 4}};
        propagate(stream, config, now, older, problem.edge, first, count, device_weights, courant_squared);
    }
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
                is_below ? domain.send(neighbor, radius, radius + neighbor.planes) : domain.send(neighbor, domain.planes, 0);
            });
            domain.exchange.record(domain.sent);
        }
    }
}

int wave_propagation(const Problem& problem) {
    const std::vector<Device> devices = Device::all();
    const int count = problem.domains != 0 ? problem.domains : static_cast<int>(devices.size());
    if (problem.inner_planes() < count * radius) {
        return example::skip("the cube has too few planes for " + std::to_string(count) + " domains of " +
                             std::to_string(radius) + " planes at least.");
    }
    std::vector<std::unique_ptr<Domain>> domains;
    int begin = radius;
    for (int i = 0; i < count; ++i) {
        const int planes = problem.inner_planes() / count + (i < problem.inner_planes() % count ? 1 : 0);
        domains.push_back(std::make_unique<Domain>(devices[std::size_t(i) % devices.size()], problem, begin, planes));
        begin += planes;
    }
    std::printf("%d %s on %zu %s, %d x %d x %d points, %d steps\n", count, count == 1 ? "domain" : "domains", devices.size(),
                devices.size() == 1 ? "device" : "devices", problem.edge, problem.edge, problem.edge, problem.steps);

    const std::vector<float> state = initial_state(problem);
    for (const auto& domain : domains) domain->load(state);
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

    // Each domain returns its own planes.
    std::vector<float> result(state.size());
    for (const auto& domain : domains) {
        const std::size_t elements = problem.plane() * std::size_t(domain->planes);
        copy(domain->stream, std::span(result).subspan(problem.plane() * std::size_t(domain->begin), elements),
             domain->now.subspan(problem.plane() * radius, elements));
        domain->stream.synchronize();
    }
    const std::vector<float> expected = propagate_on_host(problem, state);
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
    Problem problem;
    problem.domains = count > 1 ? std::atoi(arguments[1]) : 0;
    if (count > 2) problem.edge = std::atoi(arguments[2]);
    if (count > 3) problem.steps = std::atoi(arguments[3]);
    if (problem.domains < 0 || problem.edge <= 2 * radius || problem.edge > 2000 || problem.steps < 1) {
        std::fprintf(stderr, "usage: wave_propagation [DOMAINS [EDGE [STEPS]]], with an EDGE from %d to 2000\n", 2 * radius + 1);
        return example::failed;
    }
    return example::run([&] { return wave_propagation(problem); });
}
