// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

/// Times contractions through math::Contraction and through function pointers of cuTENSOR, with the same tensors and stream and
/// plans that cuTENSOR makes from the same description. benchmarks/math_cost runs this program and compares the
/// times; alternate.hpp has its options.

#include <cubind/core.hpp>
#include <cubind/cutensor/loading.hpp>
#include <cubind/cutensor/types.hpp>
#include <cubind/library.hpp>
#include <cubind/math/contraction.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>

#include "../alternate.hpp"
#include "../device_time.hpp"
#include "../plain.hpp"

namespace {

using namespace cubind;
using namespace cubind::cutensor;

void expect(cutensorStatus_t status) {
    if (status != CUTENSOR_STATUS_SUCCESS) [[unlikely]]
        std::abort();
}

/// d[a,b,c] is the sum over k of a[a,k,b] * b[k,c], in both ways.
class Contraction {
public:
    Contraction(const Stream& stream, std::int64_t edge)
        : stream_(stream),
          a_(tensor({edge, edge, edge})),
          b_(tensor({edge, edge})),
          d_(tensor({edge, edge, edge})),
          plan_(stream, "akb,kc->abc", a_, b_, d_) {
        const ScopedContext scope(Device().primary_context());
        expect(plain<cutensorStatus_t(cutensorHandle_t*)>(library(), "cutensorCreate")(&handle_));
        describe();
    }

    void contract() { plan_(stream_, a_, b_, d_); }
    void contract_plainly() {
        static auto* const call =
            plain<cutensorStatus_t(cutensorHandle_t, cutensorPlan_t, const void*, const void*, const void*, const void*,
                                   const void*, void*, void*, std::uint64_t, cudaStream_t)>(library(), "cutensorContract");
        const float alpha = 1, beta = 0;
        expect(call(handle_, plain_plan_, &alpha, a_.data(), b_.data(), &beta, d_.data(), d_.data(),
                    reinterpret_cast<void*>(workspace_.native_handle()), workspace_.size(), stream_.native_handle()));
    }
    void wait() { stream_.synchronize(); }

    [[nodiscard]] StreamRef stream() const { return stream_; }

private:
    StridedView tensor(const Dimensions& shape) {
        std::int64_t count = 1;
        for (const std::int64_t extent : shape) count *= extent;
        TypedBuffer<float> buffer = Device().allocate<float>(stream_, static_cast<std::size_t>(count));
        buffer.fill(stream_, 1.0f);
        return StridedView(buffer, shape);
    }
    cutensorTensorDescriptor_t descriptor(const StridedView& view) {
        static auto* const create =
            plain<cutensorStatus_t(cutensorHandle_t, cutensorTensorDescriptor_t*, std::uint32_t, const std::int64_t*,
                                   const std::int64_t*, cudaDataType, std::uint32_t)>(library(),
                                                                                      "cutensorCreateTensorDescriptor");
        cutensorTensorDescriptor_t made = nullptr;
        expect(create(handle_, &made, static_cast<std::uint32_t>(view.rank()), view.shape().begin(), view.strides().begin(),
                      CUDA_R_32F, 128));
        return made;
    }
    void describe() {
        using Tensor = cutensorTensorDescriptor_t;
        using Modes = const std::int32_t*;
        constexpr std::int32_t modes_a[] = {'a', 'k', 'b'}, modes_b[] = {'k', 'c'}, modes_d[] = {'a', 'b', 'c'};
        const Tensor a = descriptor(a_), b = descriptor(b_), d = descriptor(d_);
        cutensorOperationDescriptor_t operation = nullptr;
        expect(plain<cutensorStatus_t(cutensorHandle_t, cutensorOperationDescriptor_t*, Tensor, Modes, cutensorOperator_t, Tensor,
                                      Modes, cutensorOperator_t, Tensor, Modes, cutensorOperator_t, Tensor, Modes,
                                      cutensorComputeDescriptor_t)>(library(), "cutensorCreateContraction")(
            handle_, &operation, a, modes_a, CUTENSOR_OP_IDENTITY, b, modes_b, CUTENSOR_OP_IDENTITY, d, modes_d,
            CUTENSOR_OP_IDENTITY, d, modes_d,
            *static_cast<cutensorComputeDescriptor_t*>(symbol_of(library(), "CUTENSOR_COMPUTE_DESC_32F"))));
        cutensorPlanPreference_t preference = nullptr;
        expect(plain<cutensorStatus_t(cutensorHandle_t, cutensorPlanPreference_t*, cutensorAlgo_t, cutensorJitMode_t)>(
            library(), "cutensorCreatePlanPreference")(handle_, &preference, CUTENSOR_ALGO_DEFAULT, CUTENSOR_JIT_MODE_NONE));
        std::uint64_t size = 0;
        expect(plain<cutensorStatus_t(cutensorHandle_t, cutensorOperationDescriptor_t, cutensorPlanPreference_t,
                                      cutensorWorksizePreference_t, std::uint64_t*)>(library(), "cutensorEstimateWorkspaceSize")(
            handle_, operation, preference, CUTENSOR_WORKSPACE_DEFAULT, &size));
        expect(plain<cutensorStatus_t(cutensorHandle_t, cutensorPlan_t*, cutensorOperationDescriptor_t, cutensorPlanPreference_t,
                                      std::uint64_t)>(library(), "cutensorCreatePlan")(handle_, &plain_plan_, operation,
                                                                                       preference, size));
        workspace_ = Device().allocate(stream_, static_cast<std::size_t>(size) + 1);
    }

    const Stream& stream_;
    StridedView a_, b_, d_;
    math::Contraction plan_;
    cutensorHandle_t handle_ = nullptr;  // lives as long as the process, with what is made from it
    cutensorPlan_t plain_plan_ = nullptr;
    Buffer workspace_;
};

int run(int argc, char** argv) {
    Alternation calls(argc, argv);
    static const Stream stream{Device()};
    Device().set_current();  // for the plain calls
    for (const std::int64_t edge : {64, 256}) {
        auto* const large = new Contraction(stream, edge);  // used by the calls below until the process ends
        const std::string name = "device time of a contraction, edge " + std::to_string(edge);
        const int repeats = edge < 100 ? 100 : 10;
        calls.add_timed(name, "plain", [=] { return device_time(large->stream(), repeats, [=] { large->contract_plainly(); }); });
        calls.add_timed(name, "cubind", [=] { return device_time(large->stream(), repeats, [=] { large->contract(); }); });
    }
    auto* const small = new Contraction(stream, 8);
    const std::string name = "host time of a contraction";
    calls.add(
        name, "plain", 64, [=] { small->contract_plainly(); }, [=] { small->wait(); });
    calls.add(
        name, "cubind", 64, [=] { small->contract(); }, [=] { small->wait(); });
    return calls.run();
}

}  // namespace

int main(int argc, char** argv) try {
    if (library_path(cutensor::library()) == nullptr || Device::count() == 0) {
        std::fprintf(stderr, "cuTENSOR or a GPU is missing\n");
        return 77;
    }
    return run(argc, argv);
} catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 77;
}
