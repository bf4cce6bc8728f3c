// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Contracts two tensors with cuTENSOR: C[a,b,c] is the sum over k of A[a,k,b] * B[k,c]. Each index has a number as its name, and
// cuTENSOR sums over the names that the result lacks.

#include <cubind/check.hpp>
#include <cubind/core.hpp>
#include <cubind/cutensor.hpp>
#include <cubind/library.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <map>
#include <utility>
#include <vector>

#include "address.hpp"
#include "example.hpp"

using namespace cubind;
using namespace cubind::cutensor;

namespace {

using Modes = std::vector<std::int32_t>;

const std::map<std::int32_t, std::int64_t> extents = {{'a', 40}, {'b', 24}, {'c', 30}, {'k', 56}};

std::int64_t extent(std::int32_t mode) {
    return extents.at(mode);
}

std::size_t elements(const Modes& modes) {
    std::int64_t count = 1;
    for (const std::int32_t mode : modes) count *= extent(mode);
    return static_cast<std::size_t>(count);
}

struct Library {
    cutensorHandle_t handle = check(cutensorCreate());
    Library() = default;
    Library(const Library&) = delete;
    Library& operator=(const Library&) = delete;
    ~Library() { (void)cutensorDestroy(handle); }
};

/// A tensor whose first mode is contiguous in memory.
struct Tensor {
    Tensor(const Library& library, Modes names) : modes(std::move(names)) {
        std::vector<std::int64_t> sizes;
        for (const std::int32_t mode : modes) sizes.push_back(extent(mode));
        constexpr std::uint32_t alignment = 256;  // bytes, which all allocations of the driver have
        handle = check(cutensorCreateTensorDescriptor(library.handle, static_cast<std::uint32_t>(modes.size()), sizes.data(),
                                                      nullptr, CUDA_R_32F, alignment));
    }
    Tensor(const Tensor&) = delete;
    Tensor& operator=(const Tensor&) = delete;
    ~Tensor() { (void)cutensorDestroyTensorDescriptor(handle); }
    Modes modes;
    cutensorTensorDescriptor_t handle = nullptr;
};

struct Contraction {
    Contraction(const Library& library, const Tensor& a, const Tensor& b, const Tensor& c)
        : operation(check(cutensorCreateContraction(
              library.handle, a.handle, a.modes.data(), CUTENSOR_OP_IDENTITY, b.handle, b.modes.data(), CUTENSOR_OP_IDENTITY,
              c.handle, c.modes.data(), CUTENSOR_OP_IDENTITY, c.handle, c.modes.data(), check(CUTENSOR_COMPUTE_DESC_32F())))) {}
    Contraction(const Contraction&) = delete;
    Contraction& operator=(const Contraction&) = delete;
    ~Contraction() { (void)cutensorDestroyOperationDescriptor(operation); }
    cutensorOperationDescriptor_t operation;
};

/// The default choice of an algorithm among the kernels of the library, without compilation at run time.
struct PlanPreference {
    explicit PlanPreference(const Library& library)
        : handle(check(cutensorCreatePlanPreference(library.handle, CUTENSOR_ALGO_DEFAULT, CUTENSOR_JIT_MODE_NONE))) {}
    PlanPreference(const PlanPreference&) = delete;
    PlanPreference& operator=(const PlanPreference&) = delete;
    ~PlanPreference() { (void)cutensorDestroyPlanPreference(handle); }
    cutensorPlanPreference_t handle;
};

struct Plan {
    Plan(const Library& library, const Contraction& contraction) {
        const PlanPreference preference(library);  // cutensorEstimateWorkspaceSize refuses a null handle
        workspace = check(
            cutensorEstimateWorkspaceSize(library.handle, contraction.operation, preference.handle, CUTENSOR_WORKSPACE_DEFAULT));
        handle = check(cutensorCreatePlan(library.handle, contraction.operation, preference.handle, workspace));
    }
    Plan(const Plan&) = delete;
    Plan& operator=(const Plan&) = delete;
    ~Plan() { (void)cutensorDestroyPlan(handle); }
    std::uint64_t workspace = 0;
    cutensorPlan_t handle = nullptr;
};

// Small integers, so that sums are exact in any order.
std::vector<float> make_elements(const Modes& modes, std::size_t period) {
    std::vector<float> values(elements(modes));
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i % period) - 2;
    return values;
}

std::vector<float> contract_on_host(const std::vector<float>& first, const std::vector<float>& second) {
    std::vector<float> sums;
    for (std::int64_t c = 0; c < extent('c'); ++c)
        for (std::int64_t b = 0; b < extent('b'); ++b)
            for (std::int64_t a = 0; a < extent('a'); ++a) {
                float sum = 0;
                for (std::int64_t k = 0; k < extent('k'); ++k)
                    sum += first[static_cast<std::size_t>(a + extent('a') * (k + extent('k') * b))] *
                           second[static_cast<std::size_t>(k + extent('k') * c)];
                sums.push_back(sum);
            }
    return sums;
}

int tensor_contraction() {
    if (library_path(cutensor::library()) == nullptr)
        return example::skip("cuTENSOR was not found. It is in the Python package cutensor-cu13.");
    Device device;
    device.set_current();  // cuTENSOR uses the current context
    const Stream stream(device);
    const Library library;
    const Tensor a(library, {'a', 'k', 'b'}), b(library, {'k', 'c'}), c(library, {'a', 'b', 'c'});
    const std::vector<float> first = make_elements(a.modes, 5), second = make_elements(b.modes, 7);
    TypedBuffer<float> device_a = device.allocate<float>(stream, first.size());
    TypedBuffer<float> device_b = device.allocate<float>(stream, second.size());
    TypedBuffer<float> device_c = device.allocate<float>(stream, elements(c.modes));
    copy(stream, device_a, first);
    copy(stream, device_b, second);
    fill(stream, device_c, 0.0f);

    const Contraction contraction(library, a, b, c);
    const Plan plan(library, contraction);
    const TypedBuffer<std::byte> workspace = device.allocate<std::byte>(stream, plan.workspace > 0 ? plan.workspace : 1);
    const float alpha = 1, beta = 0;
    check(cutensorContract(library.handle, plan.handle, &alpha, example::address(device_a), example::address(device_b), &beta,
                           example::address(device_c), example::address(device_c),
                           reinterpret_cast<void*>(workspace.native_handle()), plan.workspace, stream.native_handle()));
    std::vector<float> sums(elements(c.modes));
    copy(stream, sums, device_c);
    stream.synchronize();

    std::printf("cuTENSOR %zu contracted %zu and %zu elements to %zu.\n", cutensorGetVersion(), first.size(), second.size(),
                sums.size());
    return example::verdict(sums == contract_on_host(first, second), "each element equals the sum on the host");
}

}  // namespace

int main() {
    return example::run(tensor_contraction);
}
