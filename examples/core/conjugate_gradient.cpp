// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Solves a system of linear equations by the method of conjugate gradients in one launch of a graph. A while node repeats the
// steps of the method on the device until the residual is small enough: the host waits only once. The matrix has 2.1 on its
// diagonal and -1 beside it.

#include <cubind/core.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>
#include <stdexcept>
#include <vector>

#include "example.hpp"

using namespace cubind;

namespace {

constexpr unsigned int n = 1000;
constexpr unsigned int max_steps = 500;
constexpr double tolerance = 1e-10;
constexpr unsigned int block = 256;

const char* const source = R"(
// The runtime of device code declares it with the type cudaGraphConditionalHandle.
extern "C" __device__ void cudaGraphSetConditional(unsigned long long condition, unsigned int value);

struct Scalars { double residual, previous, curvature; unsigned int steps; };

__device__ double row_times(const double* p, unsigned int i, unsigned int n)
{
    return 2.1 * p[i] - (i > 0 ? p[i - 1] : 0) - (i + 1 < n ? p[i + 1] : 0);
}

// Returns the sum over all threads of the block, to thread 0.
__device__ double block_sum(double value)
{
    __shared__ double values[256];
    values[threadIdx.x] = value;
    for (unsigned int half = blockDim.x / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half) values[threadIdx.x] += values[threadIdx.x + half];
    }
    __syncthreads();
    return values[0];
}

extern "C" __global__ void start(const double* b, double* x, double* r, double* p, Scalars* s, unsigned int n)
{
    double sum = 0;
    for (unsigned int i = threadIdx.x; i < n; i += blockDim.x) {
        x[i] = 0;
        r[i] = p[i] = b[i];
        sum += b[i] * b[i];
    }
    sum = block_sum(sum);
    if (threadIdx.x == 0) *s = Scalars{sum, 0, 0, 0};
}

extern "C" __global__ void multiply(const double* p, double* product, Scalars* s, unsigned int n)
{
    double sum = 0;
    for (unsigned int i = threadIdx.x; i < n; i += blockDim.x) {
        product[i] = row_times(p, i, n);
        sum += p[i] * product[i];
    }
    sum = block_sum(sum);
    if (threadIdx.x == 0) s->curvature = sum;
}

extern "C" __global__ void step(double* x, double* r, const double* p, const double* product, Scalars* s, unsigned int n)
{
    const double length = s->residual / s->curvature;
    double sum = 0;
    for (unsigned int i = threadIdx.x; i < n; i += blockDim.x) {
        x[i] += length * p[i];
        r[i] -= length * product[i];
        sum += r[i] * r[i];
    }
    sum = block_sum(sum);
    if (threadIdx.x == 0) {
        s->previous = s->residual;
        s->residual = sum;
        ++s->steps;
    }
}

extern "C" __global__ void turn(const double* r, double* p, const Scalars* s, double tolerance, unsigned int max_steps,
                                unsigned int n, unsigned long long condition)
{
    for (unsigned int i = threadIdx.x; i < n; i += blockDim.x) p[i] = r[i] + s->residual / s->previous * p[i];
    if (threadIdx.x == 0) cudaGraphSetConditional(condition, s->residual > tolerance * tolerance && s->steps < max_steps);
}
)";

struct Scalars {
    double residual, previous, curvature;
    unsigned int steps;
};

int conjugate_gradient() {
    const Device device;
    const Stream stream(device);
    GraphDefinition definition(device);
    std::optional<GraphCondition> condition;
    try {
        condition = definition.create_condition(1);  // each launch begins with 1
    } catch (const std::invalid_argument& error) {
        return example::skip(error.what());  // a driver without conditional nodes
    }

    Program program(source, {.name = "kernels.cu", .arch = "sm_" + device.arch()});
    const ObjectCode code = program.compile(CodeType::ptx);

    const std::vector<double> b(n, 1.0);
    std::vector<double> x(n);
    Scalars scalars{};
    TypedBuffer<double> device_b = device.allocate<double>(stream, n);
    TypedBuffer<double> solution = device.allocate<double>(stream, n);
    TypedBuffer<double> residual = device.allocate<double>(stream, n);
    TypedBuffer<double> direction = device.allocate<double>(stream, n);
    TypedBuffer<double> product = device.allocate<double>(stream, n);
    TypedBuffer<Scalars> state = device.allocate<Scalars>(stream, 1);
    stream.synchronize();

    const LaunchConfig config{.grid = 1, .block = block};
    const WhileNode loop = definition.copy(device_b, b)
                               .launch(config, code.kernel("start"), device_b, solution, residual, direction, state, n)
                               .while_loop(*condition);
    loop.body()
        .launch(config, code.kernel("multiply"), direction, product, state, n)
        .launch(config, code.kernel("step"), solution, residual, direction, product, state, n)
        .launch(config, code.kernel("turn"), residual, direction, state, tolerance, max_steps, n, *condition);
    loop.copy(x, solution).copy(scalars, state);
    const Graph graph = definition.instantiate();
    graph.launch(stream);
    stream.synchronize();

    double error = 0;
    for (unsigned int i = 0; i < n; ++i) {
        const double row = 2.1 * x[i] - (i > 0 ? x[i - 1] : 0) - (i + 1 < n ? x[i + 1] : 0);
        error = std::max(error, std::abs(row - b[i]));
    }
    std::printf("%s: %u equations, %u steps in one launch, largest error %.1e\n", device.name().c_str(), n, scalars.steps, error);
    return example::verdict(error < 1e-9 && scalars.steps > 10 && scalars.steps < max_steps,
                            "the solution fulfills the equations");
}

}  // namespace

int main() {
    return example::run(conjugate_gradient);
}
