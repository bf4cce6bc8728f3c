// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/device/context.hpp>
#include <cubind/nccl/operators.hpp>
#include <cubind/nccl_core/communicator.hpp>

#include "support/communicator_state.hpp"

namespace CUBIND_NAMESPACE::nccl {

using cubind::detail::throw_misuse;

ReductionOperator::ReductionOperator(std::shared_ptr<detail::CommunicatorState> communicator) noexcept
    : communicator_(std::move(communicator)) {}

ReductionOperator ReductionOperator::create(Communicator& communicator, void* scale, ncclDataType_t type,
                                            ncclScalarResidence_t residence) {
    detail::CommunicatorState& own = communicator.state();
    own.begin("premultiplied_sum");
    ReductionOperator created(nullptr);
    created.reduction_.handle_ = own.check(ncclRedOpCreatePreMulSum(scale, type, residence, own.handle));
    created.reduction_.type_ = type;
    created.reduction_.communicator_ = &own;
    created.communicator_ = communicator.state_;
    return created;
}

ReductionOperator ReductionOperator::create(Communicator& communicator, const detail::Elements& scale) {
    communicator.state().begin("premultiplied_sum", {&scale});
    if (scale.count == 0) throw_misuse("premultiplied_sum: the scale has no element: pass memory of one");
    return create(communicator, reinterpret_cast<void*>(scale.address), scale.type, ncclScalarDevice);
}

ReductionOperator& ReductionOperator::operator=(ReductionOperator&& other) noexcept {
    ReductionOperator old(std::move(*this));
    communicator_ = std::move(other.communicator_);
    reduction_ = other.reduction_;
    return *this;
}

ReductionOperator::~ReductionOperator() {
    if (communicator_ == nullptr || communicator_->handle == nullptr) return;
    detail::report(ncclRedOpDestroy(reduction_.handle_, communicator_->handle), "destroy a reduction operator");
}

ReductionOperator::operator Reduction() const {
    if (communicator_ == nullptr) throw_misuse("this ReductionOperator was moved from: create a new one");
    return reduction_;
}

}  // namespace CUBIND_NAMESPACE::nccl
