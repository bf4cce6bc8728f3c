// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Times kernels on the simulated driver and the same algorithms in C++ on one core. Checks that the results agree. Prints the
// nanoseconds of each as JSON; simulated_kernels_cost computes the ratios. With --instructions, times nothing and prints how many
// instructions the threads of kernels run. With --counting, the simulation counts executed instructions, as for a fidelity
// report.
#include <cubind/core.hpp>
#include <cubind/sim/install.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <string_view>
#include <vector>

#include "../alternate.hpp"
#include "kernels.hpp"
#include "lane_instructions.hpp"
#include "modules.hpp"

namespace {

constexpr const char* source = R"(
extern "C" __global__ void empty() {}
extern "C" __global__ void saxpy(float a, const float* x, float* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
}
extern "C" __global__ void mandelbrot(int* out, int width, int height, int limit) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    const float cr = -2.0f + 3.0f * x / width, ci = -1.0f + 2.0f * y / height;
    float zr = 0, zi = 0;
    int steps = 0;
    while (steps < limit && zr * zr + zi * zi < 4.0f) {
        const float next = zr * zr - zi * zi + cr;
        zi = 2.0f * zr * zi + ci;
        zr = next;
        ++steps;
    }
    out[y * width + x] = steps;
}
extern "C" __global__ void multiply(const float* a, const float* b, float* c, int n) {
    __shared__ float tile_a[16][16], tile_b[16][16];
    const int row = blockIdx.y * 16 + threadIdx.y, column = blockIdx.x * 16 + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < n; k += 16) {
        tile_a[threadIdx.y][threadIdx.x] = a[row * n + k + threadIdx.x];
        tile_b[threadIdx.y][threadIdx.x] = b[(k + threadIdx.y) * n + column];
        __syncthreads();
        for (int i = 0; i < 16; ++i) sum += tile_a[threadIdx.y][i] * tile_b[i][threadIdx.x];
        __syncthreads();
    }
    c[row * n + column] = sum;
}
extern "C" __global__ void bodies(const float4* bodies, float3* accelerations, int n) {
    __shared__ float4 tile[128];
    const int i = blockIdx.x * 128 + threadIdx.x;
    const float4 own = bodies[i];
    float3 sum = {0, 0, 0};
    for (int k = 0; k < n; k += 128) {
        tile[threadIdx.x] = bodies[k + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < 128; ++j) {
            const float dx = tile[j].x - own.x, dy = tile[j].y - own.y, dz = tile[j].z - own.z;
            const float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + 1e-3f);
            const float scale = tile[j].w * inverse * inverse * inverse;
            sum.x += dx * scale;
            sum.y += dy * scale;
            sum.z += dz * scale;
        }
        __syncthreads();
    }
    accelerations[i] = sum;
}
extern "C" __global__ void sort(int* data) {
    __shared__ int group[1024];
    const int i = threadIdx.x;
    group[i] = data[blockIdx.x * 1024 + i];
    __syncthreads();
    for (int k = 2; k <= 1024; k *= 2) {
        for (int j = k / 2; j > 0; j /= 2) {
            const int other = i ^ j;
            if (other > i && (group[i] > group[other]) == ((i & k) == 0)) {
                const int value = group[i];
                group[i] = group[other];
                group[other] = value;
            }
            __syncthreads();
        }
    }
    data[blockIdx.x * 1024 + i] = group[i];
}
extern "C" __global__ void reduce(const float* x, float* sum, int n) {
    __shared__ float parts[256];
    float part = 0;
    for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) part += x[i];
    parts[threadIdx.x] = part;
    __syncthreads();
    for (int k = 128; k > 0; k /= 2) {
        if (threadIdx.x < k) parts[threadIdx.x] += parts[threadIdx.x + k];
        __syncthreads();
    }
    if (threadIdx.x == 0) atomicAdd(sum, parts[0]);
}
)";

using namespace cubind;

constexpr int elements = 1 << 20;
constexpr int width = 512;
constexpr int limit = 256;
constexpr int order = 256;
constexpr int body_count = 2048;
constexpr int groups = 50;

std::vector<float> numbers(std::size_t count) {
    std::vector<float> values(count);
    for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<float>(i * 7919 % 1021) / 1021.0f;
    return values;
}

void expect_near(const char* what, double first, double second, double tolerance) {
    if (std::abs(first - second) <= tolerance * (1 + std::abs(second))) return;
    std::fprintf(stderr, "%s: the simulation computes %g, C++ %g\n", what, first, second);
    std::exit(1);
}

// Reads --workers=N, the number of threads that run blocks.
unsigned workers_of(int argc, char** argv) {
    unsigned workers = 1;
    for (int i = 1; i < argc; ++i) (void)std::sscanf(argv[i], "--workers=%u", &workers);
    return workers;
}

// Reads --counting.
bool counts_of(int argc, char** argv) {
    return std::find(argv, argv + argc, std::string_view("--counting")) != argv + argc;
}

}  // namespace

int main(int argc, char** argv) {
    sim::install({.workers = workers_of(argc, argv), .counts_instructions = counts_of(argc, argv)});
    const Device device;
    device.set_current();
    const Stream stream(device);
    const ObjectCode code = Program(source).compile(CodeType::ptx);
    const auto kernel = [&](const char* name) { return code.kernel(name); };
    const auto wait = [&] { stream.synchronize(); };
    if (argc > 1 && argv[1] == std::string_view("--instructions")) {
        std::printf("{\"matrix multiplication\": %.0f, \"n-body\": %.0f}\n",
                    count_lane_instructions(code.text(), "multiply", "fma.rn.f32", double{order} * order * order),
                    count_lane_instructions(code.text(), "bodies", "rsqrt.approx", double{body_count} * body_count));
        return 0;
    }
    Alternation calls(argc, argv);

    const std::vector<float> x = numbers(elements);
    std::vector<float> y = numbers(elements);
    TypedBuffer<float> device_x = device.allocate<float>(stream, elements);
    TypedBuffer<float> device_y = device.allocate<float>(stream, elements);
    copy(stream, device_x, x);
    copy(stream, device_y, y);

    calls.add("empty", "simulated", 100, [&, k = kernel("empty")] {
        launch(stream, {.grid = 1, .block = 32}, k);
        wait();
    });
    calls.add("empty", "C++", 100, wait);
    calls.add("saxpy", "simulated", 2, [&, k = kernel("saxpy")] {
        launch(stream, {.grid = elements / 256, .block = 256}, k, 0.5f, device_x, device_y, elements);
        wait();
    });
    calls.add("saxpy", "C++", 8, [&] { native::saxpy(0.5f, x.data(), y.data(), elements); });

    std::vector<int> steps(width * width);
    std::vector<int> device_steps_copy(width * width);
    TypedBuffer<int> device_steps = device.allocate<int>(stream, width * width);
    const auto mandelbrot = [&, k = kernel("mandelbrot")] {
        launch(stream, {.grid = {width / 32, width / 8}, .block = {32, 8}}, k, device_steps, width, width, limit);
        wait();
    };
    calls.add("mandelbrot", "simulated", 1, mandelbrot);
    calls.add("mandelbrot", "C++", 1, [&] { native::mandelbrot(steps.data(), width, width, limit); });

    std::vector<float> product(order * order);
    TypedBuffer<float> device_product = device.allocate<float>(stream, order * order);
    const auto multiply = [&, k = kernel("multiply")] {
        launch(stream, {.grid = {order / 16, order / 16}, .block = {16, 16}}, k, device_x, device_x, device_product, order);
        wait();
    };
    calls.add("matrix multiplication", "simulated", 1, multiply);
    calls.add("matrix multiplication", "C++", 1, [&] { native::multiply(x.data(), x.data(), product.data(), order); });

    std::vector<float> accelerations(3 * body_count);
    TypedBuffer<float> device_accelerations = device.allocate<float>(stream, 3 * body_count);
    const auto bodies = [&, k = kernel("bodies")] {
        launch(stream, {.grid = body_count / 128, .block = 128}, k, device_x, device_accelerations, body_count);
        wait();
    };
    calls.add("n-body", "simulated", 1, bodies);
    calls.add("n-body", "C++", 1, [&] { native::bodies(x.data(), accelerations.data(), body_count); });

    std::vector<int> unsorted(1024 * groups);
    for (std::size_t i = 0; i < unsorted.size(); ++i) unsorted[i] = static_cast<int>(i * 2654435761u % 100003);
    std::vector<int> sorted = unsorted;
    TypedBuffer<int> device_sorted = device.allocate<int>(stream, unsorted.size());
    calls.add(
        "bitonic sort", "simulated", 1,
        [&, k = kernel("sort")] {
            launch(stream, {.grid = groups, .block = 1024}, k, device_sorted);
            wait();
        },
        [] {}, [&] { copy(stream, device_sorted, unsorted), wait(); });
    calls.add(
        "bitonic sort", "C++", 1, [&] { native::sort(sorted.data(), groups); }, [] {}, [&] { sorted = unsorted; });

    float sum = 0;
    TypedBuffer<float> device_sum = device.allocate<float>(stream, 1);
    const auto reduce = [&, k = kernel("reduce")] {
        fill(stream, device_sum, 0.0f);
        launch(stream, {.grid = 64, .block = 256}, k, device_x, device_sum, elements);
        wait();
    };
    calls.add("reduction", "simulated", 2, reduce);
    calls.add("reduction", "C++", 8, [&] { native::reduce(x.data(), &sum, elements); });

    // With these arguments, threads read and write the begin of a buffer only.
    const std::uint64_t memory = device_y.native_handle();
    const LargeModule modules[] = {
        multiply_module(code.text(), {{"empty", {}}}, 1),
        multiply_module(code.text(), {{"reduce", {memory, memory, 0}}, {"saxpy", {0, memory, memory, 0}}}, 100),
        multiply_module(code.text(),
                        {{"saxpy", {0, memory, memory, 0}},
                         {"mandelbrot", {memory, 1, 1, 0}},
                         {"multiply", {memory, memory, memory, 0}},
                         {"bodies", {memory, memory, 0}},
                         {"sort", {memory}},
                         {"reduce", {memory, memory, 0}}},
                        12000),
    };
    for (const LargeModule& module : modules) {
        calls.add("module", std::to_string(module.instructions), 4, [&module] { load_and_launch(module); });
    }

    const int status = calls.run();

    std::vector<float> results(order * order);
    copy(stream, results, device_product), wait();
    native::multiply(x.data(), x.data(), product.data(), order);
    multiply();
    copy(stream, results, device_product), wait();
    expect_near("matrix multiplication", results[777], product[777], 1e-5);
    bodies();
    std::vector<float> moved(3 * body_count);
    copy(stream, moved, device_accelerations), wait();
    native::bodies(x.data(), accelerations.data(), body_count);
    expect_near("n-body", moved[777], accelerations[777], 1e-3);
    mandelbrot();
    copy(stream, device_steps_copy, device_steps), wait();
    native::mandelbrot(steps.data(), width, width, limit);
    expect_near("mandelbrot", std::accumulate(device_steps_copy.begin(), device_steps_copy.end(), 0.0),
                std::accumulate(steps.begin(), steps.end(), 0.0), 1e-3);
    reduce();
    float device_total = 0;
    copy(stream, device_total, device_sum), wait();
    native::reduce(x.data(), &sum, elements);
    expect_near("reduction", device_total, sum, 1e-3);
    return status;
}
