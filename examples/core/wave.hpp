// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// An acoustic wave in a cube by finite differences, second order in time and eighth order in space, which the examples of
/// several GPUs share: the problem, its computation on the host, and a slab of the cube on a device. The examples differ in how
/// slabs exchange the planes at their borders.

#include <cubind/core.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <span>
#include <utility>
#include <vector>

namespace wave {

constexpr int radius = 4;  // points on each side that a derivative needs
constexpr float weights[radius + 1] = {-205.0f / 72, 8.0f / 5, -1.0f / 5, 8.0f / 315, -1.0f / 560};
constexpr float courant_squared = 0.16f;  // (velocity * time step / distance of points)^2

// One thread computes a column of planes. `older` has the step before `now` and receives the step after it.
constexpr const char* source = R"(
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

using Propagate = cubind::KernelFunction<void(const float*, float*, int, int, int, const float*, float)>;

inline Propagate compile(cubind::Device device) {
    cubind::Program program(source, {.name = "propagate.cu", .arch = "sm_" + device.arch()});
    return Propagate(program.compile(cubind::CodeType::ptx).kernel("propagate"), device);
}

struct Problem {
    int edge = 48;  // points of each edge of the cube; the outer `radius` points stay 0
    int steps = 12;

    std::size_t plane() const { return std::size_t(edge) * std::size_t(edge); }
    int inner_planes() const { return edge - 2 * radius; }
};

/// Reads the arguments [EDGE [STEPS]] of a program. Returns whether the examples can compute the problem.
inline bool read(Problem& problem, int count, char** arguments) {
    if (count > 0) problem.edge = std::atoi(arguments[0]);
    if (count > 1) problem.steps = std::atoi(arguments[1]);
    return problem.edge > 2 * radius && problem.edge <= 2000 && problem.steps >= 1;
}

/// The planes of a slab, counted in the cube.
struct Share {
    int begin;
    int planes;
};

/// Returns the `index`-th of `count` slabs. Each has at least `radius` planes if can_divide().
inline Share share_of(const Problem& problem, int index, int count) {
    const int planes = problem.inner_planes() / count, rest = problem.inner_planes() % count;
    return {radius + index * planes + std::min(index, rest), planes + (index < rest ? 1 : 0)};
}
inline bool can_divide(const Problem& problem, int count) {
    return problem.inner_planes() >= count * radius;
}

/// Returns the state at the beginning: a pulse in the middle of the cube.
inline std::vector<float> initial_state(const Problem& problem) {
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

inline std::vector<float> propagate_on_host(const Problem& problem, std::vector<float> now) {
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

/// A slab of the cube on a device: its own planes, with `radius` planes of the neighbors, or of the border, on either side. A
/// step is compute_border(), compute_rest(), and then the exchange of the planes: upper() and lower() go to the halos of
/// neighbors.
class Slab {
public:
    /// Allocates the slab from `memory`, of the size of the largest share if `largest` is one, because symmetric memory has equal
    /// sizes on all ranks.
    Slab(cubind::Device own_device, const Problem& own_problem, Share own_share, const cubind::MemoryResource& memory,
         int largest = 0)
        : problem(own_problem), device(own_device), begin(own_share.begin), planes(own_share.planes), propagate(compile(device)) {
        const std::size_t count = problem.plane() * std::size_t(std::max(planes, largest) + 2 * radius);
        now = memory.allocate<float>(stream, count);
        older = memory.allocate<float>(stream, count);
        device_weights = device.allocate<float>(stream, std::size(weights));
        copy(stream, device_weights, weights);
    }

    /// Copies the state at the beginning, including the planes of the neighbors.
    void load(const std::vector<float>& state) {
        const std::span part(state.data() + problem.plane() * std::size_t(begin - radius),
                             problem.plane() * std::size_t(planes + 2 * radius));
        copy(stream, now.first(part.size()), part);
        copy(stream, older.first(part.size()), part);
    }

    /// Computes the planes that neighbors need. They are in `older` until compute_rest() has swapped the states.
    void compute_border() {
        launch_planes(radius, below());
        launch_planes(radius + planes - above(), above());
    }
    /// Computes the other planes, and makes the new state `now`.
    void compute_rest() {
        launch_planes(radius + below(), planes - below() - above());
        std::swap(now, older);
    }

    /// Returns the own planes of the state that the neighbor with smaller, or greater, planes needs.
    std::span<float> lower() { return planes_from(radius); }
    std::span<float> upper() { return planes_from(planes); }
    /// Returns the planes of this neighbor.
    std::span<float> lower_halo() { return planes_from(0); }
    std::span<float> upper_halo() { return planes_from(radius + planes); }

    /// Waits, and writes the own planes to their place in the state of the cube.
    void store(std::vector<float>& state) {
        const std::size_t elements = problem.plane() * std::size_t(planes);
        copy(stream, std::span(state).subspan(problem.plane() * std::size_t(begin), elements),
             now.subspan(problem.plane() * radius, elements));
        stream.synchronize();
    }

    const Problem problem;
    const cubind::Device device;
    const int begin;   // first own plane, counted in the cube
    const int planes;  // own planes
    cubind::Stream stream{device};
    cubind::TypedBuffer<float> now, older, device_weights;

private:
    int below() const { return std::min(planes, 2 * radius) / 2; }
    int above() const { return std::min(planes, 2 * radius) - below(); }
    std::span<float> planes_from(int first) {
        return now.subspan(problem.plane() * std::size_t(first), problem.plane() * radius);
    }
    void launch_planes(int first, int count) {
        if (count <= 0) return;
        const auto inner = static_cast<unsigned int>(problem.inner_planes());
        const cubind::LaunchConfig config{.grid = {(inner + 31) / 32, (inner + 3) / 4}, .block = {32, 4}};
        propagate(stream, config, now, older, problem.edge, first, count, device_weights, courant_squared);
    }

    Propagate propagate;
};

}  // namespace wave
