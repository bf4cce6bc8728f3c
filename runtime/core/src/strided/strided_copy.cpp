// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/lifetime/detail/retainer.hpp>
#include <cubind/core/stream/detail/stream_access.hpp>
#include <cubind/core/strided/strided_view.hpp>

#include "errors/misuse.hpp"
#include "strided/copy_plan.hpp"
#include "strided/driver_copy.hpp"
#include "strided/staged_copy.hpp"

namespace CUBIND_NAMESPACE {
namespace {

using detail::throw_misuse;

void check_operands(const StridedView& destination, const StridedView& source) {
    if (destination.dtype() != source.dtype()) {
        throw_misuse("cannot copy elements of ", to_string(source.dtype()), " to elements of ", to_string(destination.dtype()));
    }
    if (destination.shape() != source.shape()) {
        throw_misuse("cannot copy a view of shape ", to_string(source.shape()), " to a view of shape ",
                     to_string(destination.shape()), ": use slice(), reshape() or broadcast_to()");
    }
    if (destination.is_readonly()) throw_misuse("cannot copy to a read-only view");
}

// Throws for a destination whose elements only a kernel or the host could write, in an undefined order.
void check_destination(const StridedView& destination) {
    for (std::size_t i = 0; i < destination.rank(); ++i) {
        if (destination.strides()[i] != 0 || destination.shape()[i] <= 1) continue;
        throw_misuse("cannot copy to a view of shape ", to_string(destination.shape()), " with strides ",
                     to_string(destination.strides()), ": a stride of 0 repeats elements");
    }
}

void retain_owners(StreamRef stream, const StridedView& destination, const StridedView& source) {
    if (detail::Retainer* const retainer = detail::StreamAccess::retainer(stream)) {
        retainer->retain(destination.owner());
        retainer->retain(source.owner());
    }
}

detail::StridedSide side_of(const StridedView& view) {
    return {view.memory_type(), view.device()};
}

}  // namespace

void copy(StreamRef stream, const StridedView& destination, const StridedView& source) {
    (void)detail::StreamAccess::handle(stream);  // throws for an empty stream
    check_operands(destination, source);
    if (destination.size() == 0) return;
    const detail::CopyPlan plan = detail::plan_of(destination, source);
    if (detail::has_driver_copy(plan)) {
        retain_owners(stream, destination, source);
        return detail::copy_by_driver(stream, plan);
    }
    check_destination(destination);
    const detail::StagedCopy staged(stream, plan, side_of(destination), side_of(source));
    retain_owners(stream, destination, source);
    staged.submit();
}

}  // namespace CUBIND_NAMESPACE
