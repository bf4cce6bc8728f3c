// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "contraction/contraction_state.hpp"

#include <cubind/cutensor/variables.hpp>

#include <algorithm>
#include <map>

#include "operand/checks.hpp"

namespace CUBIND_NAMESPACE::math::detail {
namespace {

using namespace cutensor;

constexpr const char* input_names[] = {"a", "b", "c"};

bool is_complex(DataType type) {
    return type.kind == DataTypeKind::complex;
}

using ReadDescriptor = Result<cutensorStatus_t, cutensorComputeDescriptor_t> (*)() noexcept;

// In the order of ContractionPrecision, without `automatic`.
constexpr ReadDescriptor compute_descriptors[] = {
    CUTENSOR_COMPUTE_DESC_16F,    CUTENSOR_COMPUTE_DESC_16BF,  CUTENSOR_COMPUTE_DESC_TF32,
    CUTENSOR_COMPUTE_DESC_3XTF32, CUTENSOR_COMPUTE_DESC_32F,   CUTENSOR_COMPUTE_DESC_64F,
    CUTENSOR_COMPUTE_DESC_9X16BF, CUTENSOR_COMPUTE_DESC_4X16F, CUTENSOR_COMPUTE_DESC_8XINT8,
};

ReadDescriptor compute_descriptor(ContractionPrecision precision, bool is_double) {
    if (precision != ContractionPrecision::automatic) return compute_descriptors[static_cast<std::size_t>(precision) - 1];
    return is_double ? CUTENSOR_COMPUTE_DESC_64F : CUTENSOR_COMPUTE_DESC_32F;
}

// In the order of ContractionAlgorithm.
constexpr cutensorAlgo_t native_algorithms[] = {CUTENSOR_ALGO_DEFAULT, CUTENSOR_ALGO_DEFAULT_PATIENT, CUTENSOR_ALGO_GETT,
                                                CUTENSOR_ALGO_TGETT, CUTENSOR_ALGO_TTGT};

// In the order of ContractionWorkspace.
constexpr cutensorWorksizePreference_t native_workspaces[] = {CUTENSOR_WORKSPACE_MIN, CUTENSOR_WORKSPACE_DEFAULT,
                                                              CUTENSOR_WORKSPACE_MAX};

}  // namespace

TensorLayout::TensorLayout(const char* operand_name, const Operand& operand, std::string_view letters,
                           std::uint32_t max_alignment)
    : name(operand_name), dtype(operand.dtype()), shape(operand.shape()), strides(operand.strides()), alignment(max_alignment) {
    const auto size = static_cast<std::uint32_t>(dtype.size());
    // A buffer of one element has one dimension, but it can hold a result without dimensions.
    const bool is_scalar = letters.empty() && operand.rank() == 1 && operand.extent(0) == 1;
    if (!is_scalar && operand.rank() != letters.size()) {
        throw_misuse("contract: ", describe(name, operand), ", which has ", operand.rank(), " dimensions, but its subscripts \"",
                     letters, "\" have ", letters.size());
    }
    rank = static_cast<std::uint32_t>(letters.size());
    for (std::size_t i = 0; i < letters.size(); ++i) {
        modes[i] = letters[i];
        if (strides[i] > 0 || shape[i] <= 1) continue;
        throw_misuse("contract: ", describe(name, operand), ": the stride of ", std::string(1, letters[i]), " is ", strides[i],
                     ", but cuTENSOR needs positive ones: ",
                     strides[i] == 0 ? "leave the dimension out, since its elements are equal"
                                     : "copy the tensor, or reverse the dimension of each operand");
    }
    check_alignment("contract", name, operand, size);
    alignment = std::max(static_cast<std::uint32_t>(planned_alignment("contract", operand, max_alignment)), size);
}

void TensorLayout::check(const char* as, const Operand& operand) const {
    check_type("contract", as, operand, dtype);
    check_shape("contract", as, operand, shape);
    check_strides("contract", as, operand, strides);
    check_planned_alignment("contract", as, operand, alignment);
}

ContractionState::ContractionState(StreamRef stream, std::string_view text, std::initializer_list<const Operand*> operands,
                                   const Output& d, const ContractionOptions& contraction_options)
    : PlanState(stream.device(), contraction_options.plan), choices(contraction_options), subscripts(text) {
    const Subscripts letters = parse_subscripts(text);
    if (letters.operands.size() != operands.size()) {
        throw_misuse("contract: the subscripts \"", text, "\" are of ", letters.operands.size(), " operands, but ",
                     operands.size(), " are given besides the output");
    }
    for (std::size_t i = 0; i < operands.size(); ++i)
        inputs.emplace_back(input_names[i], *operands.begin()[i], letters.operands[i], choices.max_alignment);
    output.emplace("d", d, letters.output, choices.max_alignment);
    check_types();
    check_extents(letters);
    if (is_output_empty || is_sum_empty) return;
    const ScopedContext scope(context);
    library = tensor_handle(device, context);
    create_operation();
    plan = make_plan(0);
}

ContractionState::~ContractionState() {
    if (library == nullptr) return;
    std::optional<ScopedContext> scope;  // cuTENSOR unloads what it has loaded for the plan
    try {
        if (!library->has_ended()) scope.emplace(context);
    } catch (const std::exception& error) {
        report_failed_release("make the context of a contraction current", error.what());
    }
    plan.plan.reset();
    operation.reset();
    inputs.clear();
    output.reset();
}

void ContractionState::check_types() const {
    using namespace runtime;
    constexpr cudaDataType possible[] = {CUDA_R_16F, CUDA_R_16BF, CUDA_R_32F, CUDA_R_64F, CUDA_C_32F, CUDA_C_64F};
    const auto check_one = [&](const TensorLayout& each) {
        const auto native = find_native_type(each.dtype);
        if (native && std::ranges::find(possible, *native) != std::end(possible)) return;
        throw_misuse("contract: ", each.name, " has elements of type ", to_string(each.dtype),
                     ", but contractions are of float16, bfloat16, float32, float64, complex64 or complex128");
    };
    for (const TensorLayout& input : inputs) check_one(input);
    check_one(*output);
    const auto is_equal = [&](const TensorLayout& input) { return input.dtype == output->dtype; };
    if (std::ranges::all_of(inputs, is_equal)) return;
    const auto is_mixture = [&](const TensorLayout& input) { return is_equal(input) || input.dtype == data_type<double>; };
    if (inputs.size() == 2 && *find_native_type(output->dtype) == CUDA_C_64F && std::ranges::all_of(inputs, is_mixture) &&
        std::ranges::any_of(inputs, is_equal))
        return;
    throw_misuse("contract: the operands have different types: ", description(), ": convert them to one type");
}

void ContractionState::check_extents(const Subscripts& letters) {
    struct Dimension {
        const TensorLayout& tensor;
        std::size_t index;
    };
    std::map<char, Dimension> first;  // that has the letter
    const auto check_one = [&](const TensorLayout& tensor, const std::string& of_tensor) {
        for (std::size_t i = 0; i < of_tensor.size(); ++i) {
            const Dimension& other = first.try_emplace(of_tensor[i], Dimension{tensor, i}).first->second;
            if (tensor.shape[i] == other.tensor.shape[other.index]) continue;
            throw_misuse("contract: ", std::string(1, of_tensor[i]), " is dimension ", other.index, " of ", other.tensor.name,
                         " with ", other.tensor.shape[other.index], " elements and dimension ", i, " of ", tensor.name, " with ",
                         tensor.shape[i], ": ", description());
        }
    };
    for (std::size_t i = 0; i < inputs.size(); ++i) check_one(inputs[i], letters.operands[i]);
    check_one(*output, letters.output);
    for (const auto& [letter, dimension] : first) {
        if (dimension.tensor.shape[dimension.index] != 0) continue;
        (letters.output.find(letter) == std::string::npos ? is_sum_empty : is_output_empty) = true;
    }
}

void ContractionState::create_operation() {
    const auto what = [this] { return description(); };
    const cutensorHandle_t handle = library->get();
    const auto describe_tensor = [&](TensorLayout& tensor) {
        Dimensions positive = tensor.strides;
        for (std::size_t i = 0; i < positive.rank(); ++i) positive.set(i, std::max<std::int64_t>(positive[i], 1));
        tensor.descriptor.reset(
            checked(cutensorCreateTensorDescriptor(handle, tensor.rank, tensor.shape.begin(), positive.begin(),
                                                   *find_native_type(tensor.dtype), tensor.alignment),
                    what));
    };
    for (TensorLayout& input : inputs) describe_tensor(input);
    describe_tensor(*output);
    const auto operator_of = [&](std::size_t input, bool is_conjugate) {
        return is_conjugate && is_complex(inputs[input].dtype) ? CUTENSOR_OP_CONJ : CUTENSOR_OP_IDENTITY;
    };
    const auto is_double = [](const TensorLayout& input) { return input.dtype.size() == (is_complex(input.dtype) ? 16 : 8); };
    const cutensorComputeDescriptor_t compute =
        checked(compute_descriptor(choices.precision, std::ranges::any_of(inputs, is_double))(), what);
    const TensorLayout &a = inputs[0], &b = inputs[1], &d = *output;
    const auto to_d = d.descriptor.get();
    if (inputs.size() == 2) {
        operation.reset(
            checked(cutensorCreateContraction(handle, a.descriptor.get(), a.modes, operator_of(0, choices.conjugate_a),
                                              b.descriptor.get(), b.modes, operator_of(1, choices.conjugate_b), to_d, d.modes,
                                              CUTENSOR_OP_IDENTITY, to_d, d.modes, compute),
                    what));
    } else {
        const TensorLayout& c = inputs[2];
        operation.reset(
            checked(cutensorCreateContractionTrinary(handle, a.descriptor.get(), a.modes, operator_of(0, choices.conjugate_a),
                                                     b.descriptor.get(), b.modes, operator_of(1, choices.conjugate_b),
                                                     c.descriptor.get(), c.modes, operator_of(2, choices.conjugate_c), to_d,
                                                     d.modes, CUTENSOR_OP_IDENTITY, to_d, d.modes, compute),
                    what));
    }
    checked(cutensorOperationDescriptorGetAttribute(handle, operation.get(), CUTENSOR_OPERATION_DESCRIPTOR_SCALAR_TYPE,
                                                    &factor_type, sizeof factor_type),
            what);
}

TensorPlan ContractionState::make_plan(int candidates) const {
    const auto what = [this] { return description(); };
    const cutensorHandle_t handle = library->get();
    const TensorObject<::cutensorPlanPreference> preference(
        checked(cutensorCreatePlanPreference(handle, native_algorithms[static_cast<std::size_t>(choices.algorithm)],
                                             choices.jit ? CUTENSOR_JIT_MODE_DEFAULT : CUTENSOR_JIT_MODE_NONE),
                what));
    const auto prefer = [&](cutensorPlanPreferenceAttribute_t attribute, const auto& value) {
        checked(cutensorPlanPreferenceSetAttribute(handle, preference.get(), attribute, &value, sizeof value), what);
    };
    if (candidates != 0) {
        prefer(CUTENSOR_PLAN_PREFERENCE_AUTOTUNE_MODE, CUTENSOR_AUTOTUNE_MODE_INCREMENTAL);
        prefer(CUTENSOR_PLAN_PREFERENCE_INCREMENTAL_COUNT, std::int32_t{candidates});
    } else if (choices.kernel_rank) {
        prefer(CUTENSOR_PLAN_PREFERENCE_CACHE_MODE, CUTENSOR_CACHE_MODE_NONE);  // the cache would choose the kernel
        prefer(CUTENSOR_PLAN_PREFERENCE_KERNEL_RANK, *choices.kernel_rank);
    }
    std::uint64_t limit = checked(cutensorEstimateWorkspaceSize(handle, operation.get(), preference.get(),
                                                                native_workspaces[static_cast<std::size_t>(choices.workspace)]),
                                  what);
    if (choices.plan.workspace_limit) limit = std::min<std::uint64_t>(limit, *choices.plan.workspace_limit);
    TensorPlan made;
    made.plan.reset(checked(cutensorCreatePlan(handle, operation.get(), preference.get(), limit),
                            [&] { return concat(description(), ", with a workspace of up to ", limit, " bytes."); }));
    checked(cutensorPlanGetAttribute(handle, made.plan.get(), CUTENSOR_PLAN_REQUIRED_WORKSPACE, &made.workspace_size,
                                     sizeof made.workspace_size),
            what);
    return made;
}

void ContractionState::submit(const TensorPlan& using_plan, driver::CUstream stream, const NativeFactors& factors, const void* a,
                              const void* b, const void* c, const void* addend, void* d, void* memory) const {
    const cutensorHandle_t handle = library->get();
    const std::uint64_t size = using_plan.workspace_size;
    checked(c == nullptr ? cutensorContract(handle, using_plan.plan.get(), factors.alpha.data(), a, b, factors.beta.data(),
                                            addend, d, memory, size, stream)
                         : cutensorContractTrinary(handle, using_plan.plan.get(), factors.alpha.data(), a, b, c,
                                                   factors.beta.data(), addend, d, memory, size, stream),
            [this] { return description(); });
}

NativeFactors ContractionState::native(const ContractionFactors& factors) const {
    return {NativeScalar("contract", "alpha", factors.alpha, factor_type),
            NativeScalar("contract", "beta", factors.beta, factor_type)};
}

std::string ContractionState::description() const {
    std::string text = concat("The contraction is \"", subscripts, "\"");
    const auto add = [&](const TensorLayout& tensor) {
        text += concat(", ", tensor.name, " is ", to_string(tensor.dtype), " ", to_string(tensor.shape), " with strides ",
                       to_string(tensor.strides));
    };
    for (const TensorLayout& input : inputs) add(input);
    add(*output);
    return text;
}

}  // namespace CUBIND_NAMESPACE::math::detail
