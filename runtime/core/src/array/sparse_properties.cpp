// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/array/sparse_properties.hpp>
#include <cubind/driver/constants.hpp>
#include <cubind/driver/memory.hpp>

#include <algorithm>

#include "array/array_description.hpp"
#include "array/array_state.hpp"
#include "calls/driver.hpp"

namespace CUBIND_NAMESPACE {

namespace {

// Reads the properties by `query()`, which is called in the context of the array.
template <class Query>
SparseProperties read_properties(ArrayRef array, const Query& query) {
    const ArrayOptions options = array.options();
    if (!options.sparse) {
        detail::throw_misuse(detail::describe(options), " has no tiles: create it with ArrayOptions::sparse");
    }
    const ScopedContext scope(detail::context_of(array));
    const driver::CUDA_ARRAY_SPARSE_PROPERTIES found = check(query());
    const auto side = [](unsigned int elements) -> std::size_t { return std::max(elements, 1u); };  // offsets are divided by it
    return {.tile = {side(found.tileExtent.width), side(found.tileExtent.height), side(found.tileExtent.depth)},
            .first_tail_level = found.miptailFirstLevel,
            .tail_size = static_cast<std::size_t>(found.miptailSize),
            .has_single_tail = (found.flags & unsigned{driver::CU_ARRAY_SPARSE_PROPERTIES_SINGLE_MIPTAIL}) != 0};
}

}  // namespace

SparseProperties sparse_properties(ArrayRef array) {
    return read_properties(array, [&] { return driver::cuArrayGetSparseProperties(array.native_handle()); });
}

SparseProperties sparse_properties(MipmappedArrayRef array) {
    return read_properties(array.level(0), [&] { return driver::cuMipmappedArrayGetSparseProperties(array.native_handle()); });
}

}  // namespace CUBIND_NAMESPACE
