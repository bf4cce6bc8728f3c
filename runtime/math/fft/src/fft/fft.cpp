// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/lifetime/detail/owner.hpp>
#include <cubind/core/lifetime/detail/retainer.hpp>
#include <cubind/core/program/program.hpp>
#include <cubind/core/stream/detail/stream_access.hpp>
#include <cubind/cufft/constants.hpp>
#include <cubind/cufft/transforms.hpp>
#include <cubind/library.hpp>
#include <cubind/math/fft.hpp>
#include <cubind/nvjitlink/loading.hpp>

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "fft/cufft_status.hpp"
#include "fft/fft_callbacks.hpp"
#include "fft/fft_layout.hpp"
#include "lifetime/relaxed_capture_mode.hpp"
#include "operand/checks.hpp"
#include "plan/call_order.hpp"
#include "plan/library_object.hpp"
#include "plan/plan_state.hpp"

namespace CUBIND_NAMESPACE::math {

using namespace cufft;
using namespace detail;
using cubind::detail::RelaxedCaptureMode;

namespace {

constexpr const char* operation = "Fft";

/// The layout of an operand for which a plan was made.
struct PlannedOperand {
    explicit PlannedOperand(const Operand& operand) : type(operand.dtype()), shape(operand.shape()), strides(operand.strides()) {}
    void check(const char* name, const Operand& operand) const {
        check_type(operation, name, operand, type);
        check_shape(operation, name, operand, shape);
        check_strides(operation, name, operand, strides);
    }
    [[nodiscard]] bool is_empty() const noexcept {
        for (const std::int64_t extent : shape) {
            if (extent == 0) return true;
        }
        return false;
    }

    DataType type;
    Dimensions shape;
    Dimensions strides;
};

/// A cufftHandle as the handle of a LibraryObject.
std::shared_ptr<LibraryObject> create_plan(ContextRef context) {
    const cufftHandle plan = checked(cufftCreate(), [] { return std::string("A plan could not be created."); });
    return LibraryObject::own(context, static_cast<std::uintptr_t>(plan), [](std::uintptr_t handle) noexcept {
        report(cufftDestroy(static_cast<cufftHandle>(handle)), "destroy a plan of cuFFT");
    });
}

// Returns whether both operands may begin at one address: each element, and each row of a real transform, stays in its place.
bool can_be_in_place(const FftTypes& types, const Dimensions& axes, const Operand& input, const Operand& output) {
    if (types.kind == FftKind::complex) return input.strides() == output.strides();
    const bool is_forward = types.kind == FftKind::real_to_complex;
    const Operand& real = is_forward ? input : output;
    const Operand& complex = is_forward ? output : input;
    const auto halved = static_cast<std::size_t>(axes[axes.rank() - 1]);
    for (std::size_t i = 0; i < input.rank(); ++i) {
        const std::int64_t stride = real.strides()[i];
        if (i == halved ? stride != 1 || complex.strides()[i] != 1 : stride != 2 * complex.strides()[i] && real.extent(i) > 1)
            return false;
        if (i != halved && real.extent(i) > 1 && stride < 2 * complex.extent(halved)) return false;  // rows overlap
    }
    return true;
}

}  // namespace

struct Fft::State : PlanState {
    State(const Device& plan_device, const Operand& input_operand, const Operand& output_operand, const FftOptions& fft_options)
        : PlanState(plan_device, fft_options.plan),
          types(fft_types(operation, input_operand, output_operand)),
          axes(fft_axes(operation, input_operand, fft_options.axes)),
          input(input_operand),
          output(output_operand) {}
    State(const State&) = delete;
    State& operator=(const State&) = delete;
    ~State() { LibraryObject::release(object, order); }

    void make(const FftLayout& layout, const FftOptions& fft_options);
    /// Adds a callback to the plan that is being made, and returns its code, which cuFFT reads when it makes the plan.
    [[nodiscard]] ObjectCode set_callback(const char* symbol, const std::string& source, const FftCallback& callback,
                                          cufftXtCallbackType type);
    void check(const Operand& in, const Output& out) const;

    [[nodiscard]] cufftHandle handle() const noexcept { return static_cast<cufftHandle>(object->handle()); }
    [[nodiscard]] FftDirection natural_direction() const noexcept {
        return types.kind == FftKind::complex_to_real ? FftDirection::inverse : FftDirection::forward;
    }

    const FftTypes types;
    const Dimensions axes;
    const PlannedOperand input;
    const PlannedOperand output;
    bool may_be_in_place = false;
    std::shared_ptr<LibraryObject> object;  // nullptr without elements
    std::size_t workspace_size = 0;
    void* data[2] = {};  // of load and store, as cuFFT reads them
    CallOrder order;
    // What cuFFT has: setting them again would take time.
    std::optional<driver::CUstream> stream;
    std::optional<void*> area;
};

ObjectCode Fft::State::set_callback(const char* symbol, const std::string& source, const FftCallback& callback,
                                    cufftXtCallbackType type) {
    const bool is_load = symbol == fft_load_symbol;
    if (callback.data) {
        check_operands(operation, device, {{is_load ? "load.data" : "store.data", &*callback.data}});
        data[is_load ? 0 : 1] = callback.data->data();
        object->retain(callback.data->share());
    }
    // cuFFT links with the nvJitLink that the process has, or else that the operating system finds.
    (void)library_path(nvjitlink::library());
    Program program(source, {.name = symbol, .arch = "sm_" + device.arch(), .std = "c++17", .link_time_optimization = true});
    ObjectCode code = program.compile(CodeType::lto_ir);
    checked(cufftXtSetJITCallback(handle(), symbol, code.bytes().data(), code.bytes().size(), type, &data[is_load ? 0 : 1]),
            [&] { return cubind::detail::concat("The callback ", callback.function, " could not be added to the plan."); });
    return code;
}

void Fft::State::make(const FftLayout& layout, const FftOptions& fft_options) {
    const auto what = [&] {
        return cubind::detail::concat("The transform has ", layout.rank, " dimensions of ",
                                      to_string(Dimensions({layout.extents[0], layout.extents[1], layout.extents[2]})),
                                      " elements and a batch of ", layout.batch, ".");
    };
    const RelaxedCaptureMode mode;  // cuFFT allocates memory for tables
    const ScopedContext scope(context);
    object = create_plan(context);
    checked(cufftSetAutoAllocation(handle(), 0), what);
    std::vector<ObjectCode> codes;
    const bool is_double = types.execution == runtime::CUDA_C_64F;
    if (!fft_options.load.source.empty()) {
        const bool is_real = types.kind == FftKind::real_to_complex;
        codes.push_back(set_callback(fft_load_symbol, fft_load_source(types.input, fft_options.load), fft_options.load,
                                     is_real ? (is_double ? CUFFT_CB_LD_REAL_DOUBLE : CUFFT_CB_LD_REAL)
                                             : (is_double ? CUFFT_CB_LD_COMPLEX_DOUBLE : CUFFT_CB_LD_COMPLEX)));
    }
    if (has_fft_store(fft_options)) {
        const bool is_real = types.kind == FftKind::complex_to_real;
        codes.push_back(set_callback(fft_store_symbol, fft_store_source(types.output, fft_options.store, fft_options.scale),
                                     fft_options.store,
                                     is_real ? (is_double ? CUFFT_CB_ST_REAL_DOUBLE : CUFFT_CB_ST_REAL)
                                             : (is_double ? CUFFT_CB_ST_COMPLEX_DOUBLE : CUFFT_CB_ST_COMPLEX)));
    }
    FftLayout made = layout;  // cuFFT's parameters are not const
    checked(cufftXtMakePlanMany(handle(), made.rank, made.extents, made.input.embed, made.input.stride, made.input.distance,
                                types.input, made.output.embed, made.output.stride, made.output.distance, types.output,
                                made.batch, &workspace_size, types.execution),
            what);
    if (options.workspace_limit && workspace_size > *options.workspace_limit) {
        throw_misuse(operation, ": ", what(), " It needs a workspace of ", workspace_size,
                     " bytes, but PlanOptions::workspace_limit is ", *options.workspace_limit,
                     ": raise the limit, or transform a part of the batch at a time");
    }
}

void Fft::State::check(const Operand& in, const Output& out) const {
    input.check("input", in);
    output.check("output", out);
    if (types.kind == FftKind::complex_to_real && in.is_readonly()) [[unlikely]] {
        throw_misuse(operation, ": ", describe("input", in),
                     ", which is read-only, but cuFFT may overwrite the input of a transform from complex to real: pass memory "
                     "that may be written, such as a copy");
    }
    if (may_be_in_place && in.data() == out.data()) {
        check_operands(operation, device, {{"input", &in}});
        check_operands(operation, device, {{"output", &out, true}});
    } else {
        check_operands(operation, device, {{"input", &in}, {"output", &out, true}});
    }
}

Fft::Fft(StreamRef stream, const Operand& input, const Output& output, const FftOptions& options) {
    state_ = std::make_unique<State>(stream.device(), input, output, options);
    State& plan = *state_;
    check_fft_shapes(operation, plan.types, plan.axes, input, output);
    check_fft_callbacks(operation, plan.types, options);
    if (plan.input.is_empty() || plan.output.is_empty()) return;
    plan.may_be_in_place = can_be_in_place(plan.types, plan.axes, input, output);
    const FftLayout layout = fft_layout(operation, plan.types, plan.axes, input, output);
    plan.check(input, output);
    plan.make(layout, options);
}

Fft::Fft(Fft&& other) noexcept = default;
Fft& Fft::operator=(Fft&& other) noexcept = default;
Fft::~Fft() = default;

Fft::State& Fft::state() const {
    if (state_ == nullptr) [[unlikely]]
        cubind::detail::throw_moved_from("Fft");
    return *state_;
}

void Fft::operator()(StreamRef stream, const Operand& input, const Output& output) {
    (*this)(stream, input, output, state().natural_direction());
}

void Fft::operator()(StreamRef stream, const Operand& input, const Output& output, FftDirection direction) {
    State& plan = state();
    if (plan.types.kind != FftKind::complex && direction != plan.natural_direction()) [[unlikely]] {
        throw_misuse(
            operation, ": ", describe("input", input), "; ", describe("output", output),
            ": a transform from real to complex is forward, and one from complex to real is inverse; make a plan with the "
            "operands exchanged");
    }
    plan.check(input, output);
    if (plan.object == nullptr) return;

    const PlanCall call(operation, plan, stream);
    const auto what = [&] {
        return cubind::detail::concat("The operands: ", describe("input", input), "; ", describe("output", output), ".");
    };
    const cufftHandle handle = plan.handle();
    if (!is_captured(stream)) {
        // Calls share only the workspace, which has an order of its own; this one lets destruction wait for the latest call.
        if (plan.order.is_latest_captured(stream)) {
            plan.order.begin(stream);
        } else {
            plan.order.follow(operation, stream);
        }
    }
    const auto workspace = plan.workspace.use(stream, plan.workspace_size);
    if (plan.stream != call.stream()) {
        plan.stream.reset();
        checked(cufftSetStream(handle, call.stream()), what);
        plan.stream = call.stream();
    }
    if (plan.area != workspace.data()) {
        plan.area.reset();
        checked(cufftSetWorkArea(handle, workspace.data()), what);
        plan.area = workspace.data();
    }
    checked(cufftXtExec(handle, input.data(), output.data(), direction == FftDirection::forward ? CUFFT_FORWARD : CUFFT_INVERSE),
            what);
    if (auto* const retainer = cubind::detail::StreamAccess::retainer(stream)) {
        retain_for_capture(stream, {{"input", &input}, {"output", &output}});
        retainer->retain(plan.object);
    }
}

std::size_t Fft::workspace_size() const {
    return state().workspace_size;
}

int Fft::native_handle() const {
    return state().object == nullptr ? -1 : state().handle();
}

void fft(StreamRef stream, const Operand& input, const Output& output, const FftOptions& options) {
    Fft(stream, input, output, options)(stream, input, output, FftDirection::forward);
}

void inverse_fft(StreamRef stream, const Operand& input, const Output& output, const FftOptions& options) {
    Fft(stream, input, output, options)(stream, input, output, FftDirection::inverse);
}

}  // namespace CUBIND_NAMESPACE::math
