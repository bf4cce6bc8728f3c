// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/nccl_core/detail/elements.hpp>

#include <memory>

namespace CUBIND_NAMESPACE::nccl {

class Communicator;

namespace detail {
struct CommunicatorState;
}

/// How a collective combines the elements of the ranks: one of the constants below, or a ReductionOperator, which converts to it.
class Reduction {
public:
    /// Creates a reduction that NCCL predefines, such as ncclSum.
    constexpr explicit Reduction(ncclRedOp_t handle) noexcept : handle_(handle) {}

    /// Returns the native handle.
    [[nodiscard]] constexpr ncclRedOp_t native_handle() const noexcept { return handle_; }

private:
    friend class Communicator;
    friend class ReductionOperator;
    ncclRedOp_t handle_;
    ncclDataType_t type_ = ncclNumTypes;                       // that of a custom operator
    const detail::CommunicatorState* communicator_ = nullptr;  // that of a custom operator
};

CUBIND_HIDDEN inline constexpr Reduction sum{ncclSum};       ///< adds the elements
CUBIND_HIDDEN inline constexpr Reduction product{ncclProd};  ///< multiplies the elements
CUBIND_HIDDEN inline constexpr Reduction min{ncclMin};       ///< takes the least element
CUBIND_HIDDEN inline constexpr Reduction max{ncclMax};       ///< takes the greatest element
CUBIND_HIDDEN inline constexpr Reduction average{ncclAvg};   ///< adds the elements and divides by the number of ranks

/// An owner of a reduction for one communicator and one element type. Movable, not copyable. After the communicator has ended,
/// the destructor does nothing, because NCCL has released the operator with it.
///
///     auto halved = nccl::ReductionOperator::premultiplied_sum(communicator, 0.5f);
///     communicator.all_reduce(stream, gradients, halved);
class [[nodiscard]] CUBIND_EXPORT ReductionOperator {
public:
    /// Creates a sum whose elements this rank multiplies by `scale` before. NCCL copies the value during the call. Throws
    /// CommunicationError (ncclRedOpCreatePreMulSum).
    template <Transferable Element>
    [[nodiscard]] static ReductionOperator premultiplied_sum(Communicator& communicator, Element scale) {
        return create(communicator, &scale, detail::data_type_of<Element>(), ncclScalarHostImmediate);
    }
    /// Creates a sum whose elements this rank multiplies by the first element of `scale`, in device memory. Each operation reads
    /// it when it runs, so it must outlive them. Throws std::invalid_argument for no element (ncclRedOpCreatePreMulSum).
    template <detail::Source Scale>
    [[nodiscard]] static ReductionOperator premultiplied_sum(Communicator& communicator, Scale&& scale) {
        return create(communicator, detail::elements_of(std::forward<Scale>(scale)));
    }

    /// Takes the operator of the other object.
    ReductionOperator(ReductionOperator&& other) noexcept = default;
    /// Destroys the own operator and takes that of the other object.
    ReductionOperator& operator=(ReductionOperator&& other) noexcept;
    ReductionOperator(const ReductionOperator&) = delete;
    ReductionOperator& operator=(const ReductionOperator&) = delete;
    /// Destroys the operator. Operations that were submitted keep it. A failure is reported to the cleanup handler
    /// (ncclRedOpDestroy).
    ~ReductionOperator();

    /// Returns the reduction, for collectives. Throws std::invalid_argument if the object was moved from.
    operator Reduction() const;

private:
    explicit ReductionOperator(std::shared_ptr<detail::CommunicatorState> communicator) noexcept;
    static ReductionOperator create(Communicator& communicator, void* scale, ncclDataType_t type,
                                    ncclScalarResidence_t residence);
    static ReductionOperator create(Communicator& communicator, const detail::Elements& scale);

    std::shared_ptr<detail::CommunicatorState> communicator_;
    Reduction reduction_{ncclSum};
};

}  // namespace CUBIND_NAMESPACE::nccl
