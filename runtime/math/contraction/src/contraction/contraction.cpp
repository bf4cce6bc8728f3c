// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/lifetime/detail/owner.hpp>
#include <cubind/core/strided/fill.hpp>
#include <cubind/error.hpp>
#include <cubind/math/contraction.hpp>

#include <optional>
#include <utility>

#include "contraction/contraction_state.hpp"
#include "operand/checks.hpp"
#include "plan/held_stream.hpp"

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

/// Returns the bytes from the first element to behind the last one.
std::size_t bytes_of(const Operand& operand) {
    std::int64_t last = 0;
    for (std::size_t i = 0; i < operand.rank(); ++i) last += (operand.extent(i) - 1) * operand.strides()[i];
    return static_cast<std::size_t>(last + 1) * operand.dtype().size();
}

ContractionTuning tune(ContractionState& plan, StreamRef stream, const Tensors& tensors,
                       const ContractionTuningOptions& options) {
    if (options.candidates < 1 || options.runs < 1) {
        throw_misuse("autotune: there are ", options.candidates, " candidates with ", options.runs,
                     " runs each, but at least one of both is required");
    }
    check_tensors(plan, tensors, nullptr);
    const detail::PlanCall call("autotune", plan, stream);
    if (detail::is_captured(stream)) throw_misuse("autotune: the stream is captured: call it before the capture begins");
    if (plan.is_output_empty || plan.is_sum_empty) return {};

    const Buffer result = plan.workspace.allocate(stream, bytes_of(tensors.d));
    void* const d = reinterpret_cast<void*>(result.native_handle());
    const detail::NativeFactors factors = plan.native({});
    const auto time = [&](const detail::TensorPlan& candidate) {
        const auto memory = plan.workspace.use(stream, candidate.workspace_size);
        const auto run = [&] {
            plan.submit(candidate, call.stream(), factors, tensors.a.data(), tensors.b.data(),
                        tensors.c == nullptr ? nullptr : tensors.c->data(), d, d, memory.data());
        };
        run();  // loads the kernel
        detail::HeldStream held(stream);
        const Event start = stream.record({.timing_enabled = true});
        for (int i = 0; i < options.runs; ++i) run();
        const Event stop = stream.record({.timing_enabled = true});
        held.release();
        stop.synchronize();
        return (stop - start) / options.runs;
    };
    ContractionTuning tuning;
    tuning.before = tuning.after = time(plan.plan);
    for (int i = 0; i < options.candidates; ++i) {
        detail::TensorPlan candidate = plan.make_plan(options.candidates);
        Milliseconds needed{};
        try {
            needed = time(candidate);
        } catch (const OutOfMemory&) {
            continue;  // its workspace is too large for what is free
        }
        ++tuning.candidates;
        if (needed >= tuning.after) continue;
        tuning.after = needed;
        plan.plan = std::move(candidate);
    }
    return tuning;
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
                                        const ContractionTuningOptions& options) {
    return tune(state(), stream, {a, b, nullptr, d}, options);
}

ContractionTuning Contraction::autotune(StreamRef stream, const Operand& a, const Operand& b, const Operand& c, const Output& d,
                                        const ContractionTuningOptions& options) {
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
    detail::checked(cutensor::cutensorHandleWritePlanCacheToFile(library->get(), path.c_str()),
                    [&] { return detail::concat("The file is ", path, "."); });
}

std::size_t load_contraction_plans(const Device& device, const std::string& path) {
    const ScopedContext scope(device.primary_context());
    const auto library = detail::tensor_handle(device, device.primary_context());
    return detail::checked(cutensor::cutensorHandleReadPlanCacheFromFile(library->get(), path.c_str()),
                           [&] { return detail::concat("The file is ", path, "."); });
}

}  // namespace CUBIND_NAMESPACE::math
