// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/math/contraction.hpp>

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "contraction/subscripts.hpp"
#include "contraction/tensor_library.hpp"
#include "operand/native_type.hpp"
#include "plan/plan_state.hpp"

namespace CUBIND_NAMESPACE::math::detail {

/// What a plan knows of an operand.
struct TensorLayout {
    /// Checks an operand of the creation against the letters of its dimensions.
    TensorLayout(const char* name, const Operand& operand, std::string_view letters, std::uint32_t max_alignment);

    /// Throws std::invalid_argument unless the operand has this layout. `as` is the operand's name in the message.
    void check(const char* as, const Operand& operand) const;

    const char* name;
    DataType dtype;
    Dimensions shape;
    Dimensions strides;
    std::uint32_t alignment;  // of the address, in bytes
    std::uint32_t rank;       // of the tensor: 0 also for an operand of one element whose subscripts are empty
    std::int32_t modes[Dimensions::max_rank] = {};
    TensorObject<::cutensorTensorDescriptor> descriptor;  // null if the plan does nothing
};

/// A plan of cuTENSOR, and the workspace that it needs.
struct TensorPlan {
    TensorObject<::cutensorPlan> plan;
    std::uint64_t workspace_size = 0;
};

/// The factors of a call in the type that cuTENSOR reads.
struct NativeFactors {
    NativeScalar alpha;
    NativeScalar beta;
};

struct ContractionState : PlanState {
    /// Checks the operands, and creates the plan.
    ContractionState(StreamRef stream, std::string_view subscripts, std::initializer_list<const Operand*> inputs,
                     const Output& output, const ContractionOptions& options);
    ~ContractionState();

    /// Returns a plan; if `candidates` is not 0, the next of so many candidates of cuTENSOR. The context is current.
    [[nodiscard]] TensorPlan make_plan(int candidates) const;
    /// Submits the contraction. `c` is null if there are two inputs. The context is current.
    void submit(const TensorPlan& using_plan, driver::CUstream stream, const NativeFactors& factors, const void* a, const void* b,
                const void* c, const void* addend, void* d, void* memory) const;
    /// Returns the factors in the type of the computation.
    [[nodiscard]] NativeFactors native(const ContractionFactors& factors) const;
    /// Describes the operands for messages.
    [[nodiscard]] std::string description() const;

    const ContractionOptions choices;
    const std::string subscripts;
    std::vector<TensorLayout> inputs;
    std::optional<TensorLayout> output;
    bool is_output_empty = false;
    bool is_sum_empty = false;
    runtime::cudaDataType factor_type{};
    std::shared_ptr<const TensorHandle> library;  // null if the plan does nothing
    TensorObject<::cutensorOperationDescriptor> operation;
    TensorPlan plan;

private:
    void check_types() const;
    void check_extents(const Subscripts& letters);
    void create_operation();
};

}  // namespace CUBIND_NAMESPACE::math::detail
