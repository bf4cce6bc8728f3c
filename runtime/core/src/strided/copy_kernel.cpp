// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "strided/copy_kernel.hpp"

#include <cubind/core/launch/kernel.hpp>
#include <cubind/core/launch/launch.hpp>
#include <cubind/core/program/object_code.hpp>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <memory>

#include "lifetime/once_per_driver.hpp"

namespace CUBIND_NAMESPACE::detail {
namespace {

/// The kernels for elements of one size.
struct CopyKernels {
    explicit CopyKernels(const ObjectCode& code) : elements(code.kernel("copy_elements")), tiles(code.kernel("copy_tiles")) {}

    Kernel elements;
    Kernel tiles;
};

constexpr std::size_t max_element_size = 16;
constinit OncePerDriver<CopyKernels> loaded_kernels[std::bit_width(max_element_size)];

const CopyKernels& kernels_for(std::size_t element_size) {
    return loaded_kernels[std::bit_width(element_size) - 1].get([&] {
        const auto code = ObjectCode::from_bytes(CodeType::ptx, copy_kernels_ptx(element_size), {.name = "strided copy"});
        return std::make_unique<CopyKernels>(code);
    });
}

/// Returns the size of the largest elements that the copy can consist of: addresses and distances are multiples of it.
std::int64_t element_size_of(const CopyPlan& plan) {
    std::uint64_t bits = max_element_size | plan.to | plan.from | static_cast<std::uint64_t>(plan.axes.back().extent);
    for (std::size_t i = 0; i + 1 < plan.axes.size(); ++i) {
        bits |= static_cast<std::uint64_t>(plan.axes[i].to) | static_cast<std::uint64_t>(plan.axes[i].from);
    }
    return std::int64_t{1} << std::countr_zero(bits);
}

/// Returns the axis whose neighbors are `size` bytes apart on one side, and which is long enough that a tile of it is worthwhile.
CopyAxis* find_contiguous(CopyAxis* begin, CopyAxis* end, std::int64_t CopyAxis::*side, std::int64_t size) {
    constexpr std::int64_t min_extent = 8;
    return std::find_if(begin, end,
                        [&](const CopyAxis& axis) { return std::abs(axis.*side) == size && axis.extent >= min_extent; });
}

}  // namespace

CopyLaunch copy_launch(const CopyPlan& plan) {
    CopyArguments arguments{.to = plan.to, .from = plan.from, .count = 1, .rank = 0, .axes = {}};
    const std::int64_t size = element_size_of(plan);
    CopyAxis* const begin = arguments.axes;
    CopyAxis* end = begin;
    if (plan.axes.back().extent != size) *end++ = {plan.axes.back().extent / size, size, size};
    end = std::copy(plan.axes.rbegin() + 1, plan.axes.rend(), end);
    std::stable_sort(begin, end,
                     [](const CopyAxis& left, const CopyAxis& right) { return std::abs(left.to) < std::abs(right.to); });
    arguments.rank = static_cast<std::uint32_t>(end - begin);

    const CopyKernels& kernels = kernels_for(static_cast<std::size_t>(size));
    CopyAxis* const across = find_contiguous(begin, end, &CopyAxis::to, size);
    CopyAxis* const along = find_contiguous(begin, end, &CopyAxis::from, size);
    if (across == end || along == end || across == along) {
        constexpr unsigned int block = 256;
        constexpr std::uint64_t max_grid = 1U << 20;  // a thread copies several elements beyond
        for (const CopyAxis* axis = begin; axis != end; ++axis) arguments.count *= static_cast<std::uint64_t>(axis->extent);
        const auto grid = static_cast<unsigned int>(std::min((arguments.count + block - 1) / block, max_grid));
        return {{.grid = grid, .block = block}, kernels.elements, arguments};
    }
    constexpr std::int64_t side = 32;
    constexpr std::uint64_t max_grid = 1U << 24;
    std::rotate(begin, across, across + 1);
    CopyAxis* const second = along < across ? along + 1 : along;
    std::rotate(begin + 1, second, second + 1);
    for (const CopyAxis* axis = begin; axis != end; ++axis) {
        const std::int64_t extent = axis < begin + 2 ? (axis->extent + side - 1) / side : axis->extent;
        arguments.count *= static_cast<std::uint64_t>(extent);
    }
    const auto grid = static_cast<unsigned int>(std::min(arguments.count, max_grid));
    return {{.grid = grid, .block = {32, 8}}, kernels.tiles, arguments};
}

void copy_by_kernel(StreamRef stream, const CopyPlan& plan) {
    const CopyLaunch launch = copy_launch(plan);
    launch_unchecked(stream, launch.config, launch.kernel, launch.arguments);
}

}  // namespace CUBIND_NAMESPACE::detail
