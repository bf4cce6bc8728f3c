// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "operand/checks.hpp"

#include <cubind/core/lifetime/detail/retainer.hpp>
#include <cubind/core/stream/detail/stream_access.hpp>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdlib>

namespace CUBIND_NAMESPACE::math::detail {
namespace {

/// The bytes of an operand, from the first one to behind the last one.
struct Range {
    std::uintptr_t begin = 0;
    std::uintptr_t end = 0;
};

Range range_of(const Operand& operand) {
    std::int64_t lowest = 0;
    std::int64_t highest = 0;
    for (std::size_t i = 0; i < operand.rank(); ++i) {
        const std::int64_t extent = operand.shape().begin()[i];
        if (extent == 0) return {};
        const std::int64_t last = (extent - 1) * operand.strides().begin()[i];
        (last < 0 ? lowest : highest) += last;
    }
    const auto size = static_cast<std::int64_t>(operand.dtype().size());
    const auto data = reinterpret_cast<std::uintptr_t>(operand.data());
    return {data + static_cast<std::uintptr_t>(lowest * size), data + static_cast<std::uintptr_t>((highest + 1) * size)};
}

bool is_same_array(const Operand& left, const Operand& right) {
    return left.data() == right.data() && left.dtype() == right.dtype() && left.shape() == right.shape() &&
           left.strides() == right.strides();
}

/// Returns whether no two indices refer to one element. Exact if at most two dimensions interleave, and false if more do.
bool is_unique(const Operand& operand) {
    struct Dimension {
        std::int64_t stride;
        std::int64_t extent;
    };
    Dimension sorted[Dimensions::max_rank];
    std::size_t count = 0;
    for (std::size_t i = 0; i < operand.rank(); ++i) {
        const std::int64_t extent = operand.shape().begin()[i];
        if (extent == 0) return true;
        if (extent > 1) sorted[count++] = {std::abs(operand.strides().begin()[i]), extent};
    }
    std::sort(sorted, sorted + count, [](const Dimension& left, const Dimension& right) { return left.stride < right.stride; });
    std::int64_t reach = 0;
    for (std::size_t i = 0; i < count; ++i) {
        if (sorted[i].stride <= reach) [[unlikely]]
            return StridedView(
                       {.data = operand.data(), .dtype = operand.dtype(), .shape = operand.shape(), .strides = operand.strides()})
                .is_unique();
        reach += sorted[i].stride * (sorted[i].extent - 1);
    }
    return true;
}

void check_accessible(const char* operation, const Device& device, const NamedOperand& each) {
    if (!each.operand->is_device_accessible()) [[unlikely]] {
        throw_misuse(operation, ": ", describe(each.name, *each.operand),
                     " in pageable memory of the host, which the device cannot access: copy it to memory of device ",
                     device.ordinal());
    }
    if (each.operand->data() == nullptr && each.operand->size() != 0) [[unlikely]]
        throw_misuse(operation, ": ", describe(each.name, *each.operand), ", but its address is null");
    if (const auto other = each.operand->device(); other && *other != device) [[unlikely]] {
        throw_misuse(operation, ": ", each.name, " is in memory of device ", other->ordinal(), ", but the stream is of device ",
                     device.ordinal(), ": pass memory and a stream of one device");
    }
}

void check_output(const char* operation, const NamedOperand& output, std::initializer_list<NamedOperand> operands,
                  const char* in_place) {
    if (output.operand->is_readonly()) [[unlikely]]
        throw_misuse(operation, ": ", output.name, " is written, but the view is read-only");
    if (!is_unique(*output.operand)) [[unlikely]] {
        throw_misuse(operation, ": ", describe(output.name, *output.operand),
                     ", in which several indices refer to one element: an output needs distinct elements");
    }
    const Range written = range_of(*output.operand);
    for (const NamedOperand& other : operands) {
        if (other.operand == nullptr || other.operand == output.operand) continue;
        const Range range = range_of(*other.operand);
        if (range.begin >= written.end || written.begin >= range.end) continue;
        const bool may_be_equal = in_place != nullptr && std::string_view(other.name) == in_place;
        if (may_be_equal && is_same_array(*other.operand, *output.operand)) continue;
        throw_misuse(operation, ": ", output.name, " and ", other.name,
                     " overlap in memory: ", describe(output.name, *output.operand), ", ", describe(other.name, *other.operand),
                     may_be_equal ? "; they must be the same array, or have no element in common" : "; write to other memory");
    }
}

}  // namespace

std::string describe(const char* name, const Operand& operand) {
    return concat(name, " is ", to_string(operand.dtype()), " ", to_string(operand.shape()), " with strides ",
                  to_string(operand.strides()));
}

void check_operands(const char* operation, const Device& device, std::initializer_list<NamedOperand> operands,
                    const char* in_place) {
    for (const NamedOperand& each : operands) {
        if (each.operand == nullptr) continue;
        check_accessible(operation, device, each);
        if (each.is_output) check_output(operation, each, operands, in_place);
    }
}

void check_type(const char* operation, const char* name, const Operand& operand, DataType type) {
    if (operand.dtype() == type) return;
    throw_misuse(operation, ": ", name, " has elements of type ", to_string(operand.dtype()), ", but ", to_string(type),
                 " is required");
}

void check_shape(const char* operation, const char* name, const Operand& operand, const Dimensions& shape) {
    if (operand.shape() == shape) return;
    throw_misuse(operation, ": ", name, " has the shape ", to_string(operand.shape()), ", but ", to_string(shape),
                 " is required");
}

void check_strides(const char* operation, const char* name, const Operand& operand, const Dimensions& strides) {
    if (operand.strides() == strides) return;
    throw_misuse(operation, ": ", name, " has the strides ", to_string(operand.strides()), ", but the plan was made for ",
                 to_string(strides));
}

void check_rank(const char* operation, const char* name, const Operand& operand, std::size_t least, std::size_t most) {
    if (operand.rank() >= least && operand.rank() <= most) return;
    throw_misuse(operation, ": ", describe(name, operand), ", which has ", operand.rank(), " dimensions, but ",
                 least == most ? std::to_string(least) : concat(std::to_string(least), " to ", most), " are required");
}

std::size_t extent_bytes(const Operand& operand) {
    std::int64_t last = 0;
    for (std::size_t i = 0; i < operand.rank(); ++i) last += (operand.extent(i) - 1) * operand.strides()[i];
    return static_cast<std::size_t>(last + 1) * operand.dtype().size();
}

void check_alignment(const char* operation, const char* name, const Operand& operand, std::size_t alignment) {
    const auto address = reinterpret_cast<std::uintptr_t>(operand.data());
    if (address % alignment == 0) return;
    throw_misuse(operation, ": the address of ", name, " is ", address % alignment, " bytes above a multiple of ", alignment,
                 ", but must be a multiple");
}

std::size_t planned_alignment(const char* operation, const Operand& operand, std::size_t most) {
    if (!std::has_single_bit(most)) throw_misuse(operation, ": max_alignment is ", most, ", but must be a power of two");
    const auto address = reinterpret_cast<std::uintptr_t>(operand.data());
    return address % most == 0 ? most : address & (~address + 1);
}

void check_planned_alignment(const char* operation, const char* name, const Operand& operand, std::size_t alignment) {
    const auto address = reinterpret_cast<std::uintptr_t>(operand.data());
    if (address % alignment == 0) [[likely]]
        return;
    throw_misuse(operation, ": the address of ", name, " is ", address % alignment, " bytes above a multiple of ", alignment,
                 ", but the plan was made for an operand at a multiple: make it for an operand like this one, or with "
                 "max_alignment = ",
                 address & (~address + 1));
}

void retain_for_capture(StreamRef stream, std::initializer_list<NamedOperand> operands) {
    auto* const retainer = cubind::detail::StreamAccess::retainer(stream);
    if (retainer == nullptr) return;
    for (const NamedOperand& each : operands) {
        if (each.operand != nullptr) retainer->retain(each.operand->share());
    }
}

}  // namespace CUBIND_NAMESPACE::math::detail
