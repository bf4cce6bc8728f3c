// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/lifetime/detail/owner.hpp>
#include <cubind/core/strided/fill.hpp>
#include <cubind/error.hpp>
#include <cubind/math/contraction.hpp>

#include <optional>
#include <utility>
#include <vector>

#include "contraction/contraction_state.hpp"
#include "files/replacement_file.hpp"
#include "operand/checks.hpp"
#include "plan/tuning.hpp"

namespace CUBIND_NAMESPACE::math {
namespace {

using detail::ContractionState;
using detail::throw_misuse;

/// The operands of a call.
struct Tensors {
    const Operand& a;
    const Operand& b;
    const Operand* c;  // null if the call has two operands
    const Output& d;
};

void check_tensors(const ContractionState& plan, const Tensors& tensors, const Operand* addend) {
    const std::size_t count = tensors.c == nullptr ? 2 : 3;
    if (plan.inputs.size() != count) {
        throw_misuse("contract: the plan was made for \"", plan.subscripts, "\" with ", plan.inputs.size(), " operands, but ",
                     count, " are given besides the output");
    }
    plan.inputs[0].check("a", tensors.a);
    plan.inputs[1].check("b", tensors.b);
    if (tensors.c != nullptr) plan.inputs[2].check("c", *tensors.c);
    if (addend != nullptr) plan.output->check("addend", *addend);
    plan.output->check("d", tensors.d);
    detail::check_operands("contract", plan.device,
                           {{"a", &tensors.a}, {"b", &tensors.b}, {"c", tensors.c}, {"addend", addend}, {"d", &tensors.d, true}},
                           "addend");
}

/// Computes d = beta * addend, which is what a sum of no elements leaves.
void contract_nothing(const ContractionState& plan, StreamRef stream, const Output& d, const ContractionFactors& factors) {
    const bool is_in_place = !factors.addend || factors.addend->data() == d.data();
    if (factors.beta.is_zero()) {
        const StridedView elements({.data = d.data(),
                                    .dtype = d.dtype(),
                                    .shape = d.shape(),
                                    .strides = d.strides(),
                                    .memory_type = MemoryType::device,
                                    .device_ordinal = plan.device.ordinal(),
                                    .owner = d.share()});
        fill(stream, elements, std::byte{0});
    } else if (factors.beta.value() != 1.0 || !is_in_place) {
        throw_misuse("contract: the sum has no elements, so that the result is beta * addend, with beta = ",
                     factors.beta.value().real(), ": only 0, and 1 without another addend, are possible. ", plan.description());
    }
}

void submit_call(ContractionState& plan, StreamRef stream, const Tensors& tensors, const ContractionFactors& factors) {
    const Operand* const addend = factors.addend ? &*factors.addend : nullptr;
    check_tensors(plan, tensors, addend);
    const detail::PlanCall call("contract", plan, stream);
    if (plan.is_output_empty) return;
    if (plan.is_sum_empty) return contract_nothing(plan, stream, tensors.d, factors);
    const detail::NativeFactors native = plan.native(factors);
    const auto memory = plan.workspace.use(stream, plan.plan.workspace_size);
    plan.submit(plan.plan, call.stream(), native, tensors.a.data(), tensors.b.data(),
                tensors.c == nullptr ? nullptr : tensors.c->data(), (addend == nullptr ? tensors.d : *addend).data(),
                tensors.d.data(), memory.data());
    detail::retain_for_capture(stream,
                               {{"a", &tensors.a}, {"b", &tensors.b}, {"c", tensors.c}, {"addend", addend}, {"d", &tensors.d}});
}

ContractionTuning tune(ContractionState& plan, StreamRef stream, const Tensors& tensors, const AutotuneOptions& options) {
    constexpr const char* operation = "Contraction::autotune";
    check_tensors(plan, tensors, nullptr);
    detail::check_tuning(operation, stream, options);
    const detail::PlanCall call(operation, plan, stream);
    if (plan.is_output_empty || plan.is_sum_empty) return {};

    const Buffer result = plan.workspace.allocate(stream, detail::extent_bytes(tensors.d));
    void* const d = reinterpret_cast<void*>(result.native_handle());
    const detail::NativeFactors factors = plan.native({});
    const auto run = [&](const detail::TensorPlan& candidate) {
        const auto memory = plan.workspace.use(stream, candidate.workspace_size);
        plan.submit(candidate, call.stream(), factors, tensors.a.data(), tensors.b.data(),
                    tensors.c == nullptr ? nullptr : tensors.c->data(), d, d, memory.data());
    };
    run(plan.plan);  // loads the kernel
    std::vector<detail::TensorPlan> candidates;
    for (int i = 0; i < options.candidates; ++i) {
        detail::TensorPlan candidate = plan.make_plan(options.candidates);
        try {
            run(candidate);
        } catch (const OutOfMemory&) {
            continue;  // its workspace is too large for what is free
        }
        candidates.push_back(std::move(candidate));
    }
    const auto candidate = [&](std::size_t i) -> detail::TensorPlan& { return i == 0 ? plan.plan : candidates[i - 1]; };
    const detail::Ranking ranking =
        detail::rank(stream, candidates.size() + 1, options, [&](std::size_t i) { run(candidate(i)); });
    const std::size_t fastest = ranking.order.front();
    if (fastest != 0) plan.plan = std::move(candidate(fastest));
    return {ranking.times[0], ranking.times[fastest], static_cast<int>(candidates.size())};
}

}  // namespace

Contraction::Contraction(StreamRef stream, std::string_view subscripts, const Operand& a, const Operand& b, const Output& d,
                         const ContractionOptions& options)
    : state_(std::make_unique<ContractionState>(stream, subscripts, std::initializer_list<const Operand*>{&a, &b}, d, options)) {}

Contraction::Contraction(StreamRef stream, std::string_view subscripts, const Operand& a, const Operand& b, const Operand& c,
                         const Output& d, const ContractionOptions& options)
    : state_(std::make_unique<ContractionState>(stream, subscripts, std::initializer_list<const Operand*>{&a, &b, &c}, d,
                                                options)) {}

Contraction::Contraction(Contraction&& other) noexcept = default;
Contraction& Contraction::operator=(Contraction&& other) noexcept = default;
Contraction::~Contraction() = default;

ContractionState& Contraction::state() const {
    if (state_ == nullptr) [[unlikely]]
        cubind::detail::throw_moved_from("Contraction");
    return *state_;
}

void Contraction::operator()(StreamRef stream, const Operand& a, const Operand& b, const Output& d,
                             const ContractionFactors& factors) const {
    submit_call(state(), stream, {a, b, nullptr, d}, factors);
}

void Contraction::operator()(StreamRef stream, const Operand& a, const Operand& b, const Operand& c, const Output& d,
                             const ContractionFactors& factors) const {
    submit_call(state(), stream, {a, b, &c, d}, factors);
}

ContractionTuning Contraction::autotune(StreamRef stream, const Operand& a, const Operand& b, const Output& d,
                                        const AutotuneOptions& options) {
    return tune(state(), stream, {a, b, nullptr, d}, options);
}

ContractionTuning Contraction::autotune(StreamRef stream, const Operand& a, const Operand& b, const Operand& c, const Output& d,
                                        const AutotuneOptions& options) {
    return tune(state(), stream, {a, b, &c, d}, options);
}

std::size_t Contraction::workspace_size() const {
    ContractionState& plan = state();
    const std::lock_guard lock(plan.mutex);
    return plan.plan.workspace_size;
}

void contract(StreamRef stream, std::string_view subscripts, const Operand& a, const Operand& b, const Output& d,
              const ContractionFactors& factors, const ContractionOptions& options) {
    Contraction(stream, subscripts, a, b, d, options)(stream, a, b, d, factors);
}

void contract(StreamRef stream, std::string_view subscripts, const Operand& a, const Operand& b, const Operand& c,
              const Output& d, const ContractionFactors& factors, const ContractionOptions& options) {
    Contraction(stream, subscripts, a, b, c, d, options)(stream, a, b, c, d, factors);
}

void save_contraction_plans(const Device& device, const std::string& path) {
    const ScopedContext scope(device.primary_context());
    const auto library = detail::tensor_handle(device, device.primary_context());
    cubind::detail::replace_file(path, "save_contraction_plans", [&](const char* temporary) {
        detail::checked(cutensor::cutensorHandleWritePlanCacheToFile(library->get(), temporary),
                        [&] { return detail::concat("The file is ", path, "."); });
    });
}

std::size_t load_contraction_plans(const Device& device, const std::string& path) {
    const ScopedContext scope(device.primary_context());
    const auto library = detail::tensor_handle(device, device.primary_context());
    return detail::checked(cutensor::cutensorHandleReadPlanCacheFromFile(library->get(), path.c_str()),
                           [&] { return detail::concat("The file is ", path, "."); });
}

}  // namespace CUBIND_NAMESPACE::math
