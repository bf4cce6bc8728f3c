// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Other views of the memory of a view.
#include <cubind/core/strided/strided_view.hpp>

#include <optional>

#include "errors/misuse.hpp"
#include "strided/layout.hpp"

namespace CUBIND_NAMESPACE {
namespace {

using detail::throw_misuse;

// Returns the shape with a computed extent in the place of -1.
Dimensions complete_shape(const Dimensions& requested, const StridedView& view) {
    std::optional<std::size_t> unknown;
    std::size_t known = 1;
    bool is_too_large = false;
    for (std::size_t i = 0; i < requested.rank(); ++i) {
        if (requested[i] == -1 && !unknown) {
            unknown = i;
        } else if (requested[i] < 0) {
            throw_misuse("cannot reshape a view to ", to_string(requested), ": an extent is at least 0, and -1 can occur once");
        } else {
            is_too_large = __builtin_mul_overflow(known, static_cast<std::size_t>(requested[i]), &known) || is_too_large;
        }
    }
    Dimensions shape = requested;
    if (unknown && known != 0 && !is_too_large) shape.set(*unknown, static_cast<std::int64_t>(view.size() / known));
    const bool fits = !is_too_large && (unknown ? known != 0 && view.size() % known == 0 : known == view.size());
    if (!fits) {
        throw_misuse("cannot reshape a view of shape ", to_string(view.shape()), " to ", to_string(requested), ": the view has ",
                     view.size(), " elements");
    }
    return shape;
}

// Dimensions of more than one element that can be one dimension: each stride is the inner stride multiplied by the inner extent.
struct Run {
    std::int64_t extent;
    std::int64_t stride;
};

// Joins the dimensions from begin to before end.
std::size_t runs_of(const StridedView& view, std::size_t begin, std::size_t end, Run (&runs)[Dimensions::max_rank]) {
    std::size_t count = 0;
    for (std::size_t i = begin; i < end; ++i) {
        if (view.shape()[i] == 1) continue;
        const Run next{view.shape()[i], view.strides()[i]};
        if (count != 0 && runs[count - 1].stride == next.extent * next.stride) {
            runs[count - 1] = {runs[count - 1].extent * next.extent, next.stride};
        } else {
            runs[count++] = next;
        }
    }
    return count;
}

// Returns the strides that the elements of the view have with another shape, or nothing if no strides express it. There is at
// least one element. Divides each run, from the innermost, into new dimensions.
std::optional<Dimensions> strides_after_reshape(const StridedView& view, const Dimensions& shape) {
    Run runs[Dimensions::max_rank];
    std::size_t run = runs_of(view, 0, view.rank(), runs);
    Dimensions strides = shape;
    std::int64_t left = 1;    // elements of the run that no new dimension has yet
    std::int64_t stride = 1;  // the stride of the next new dimension
    for (std::size_t i = shape.rank(); i-- > 0;) {
        if (left == 1 && run != 0 && shape[i] != 1) {
            --run;
            left = runs[run].extent;
            stride = runs[run].stride;
        }
        if (left % shape[i] != 0) return std::nullopt;
        strides.set(i, stride);
        left /= shape[i];
        stride *= shape[i];
    }
    return strides;
}

}  // namespace

// Takes an offset in elements.
StridedView StridedView::with(std::int64_t offset, const Dimensions& shape, const Dimensions& strides) const {
    StridedView result = *this;
    result.memory_.shape = shape;
    result.memory_.strides = strides;
    if (offset != 0) {
        result.memory_.data = static_cast<char*>(memory_.data) + offset * static_cast<std::int64_t>(memory_.dtype.size());
    }
    return result;
}

StridedView StridedView::slice(std::size_t dimension, std::int64_t begin, std::int64_t end, std::int64_t step) const {
    const std::int64_t extent = shape()[dimension];
    if (step <= 0)
        throw_misuse("cannot slice with a step of ", step, ": a step is at least 1; use reverse() for the other direction");
    if (begin < 0 || begin > end || end > extent) {
        throw_misuse("the slice from ", begin, " to ", end, " is not within dimension ", dimension, ", which has ", extent,
                     " elements");
    }
    Dimensions shape = this->shape();
    Dimensions strides = this->strides();
    const std::int64_t count = begin == end ? 0 : (end - begin - 1) / step + 1;
    shape.set(dimension, count);
    if (count > 1 && size() != 0) strides.set(dimension, strides[dimension] * step);
    return with(size() == 0 || count == 0 ? 0 : begin * this->strides()[dimension], shape, strides);
}

StridedView StridedView::select(std::size_t dimension, std::int64_t index) const {
    const std::int64_t extent = shape()[dimension];
    if (index < 0 || index >= extent) {
        throw_misuse("index ", index, " is not within dimension ", dimension, ", which has ", extent, " elements");
    }
    Dimensions shape;
    Dimensions strides;
    for (std::size_t i = 0; i < rank(); ++i) {
        if (i == dimension) continue;
        shape.push_back(this->shape()[i]);
        strides.push_back(this->strides()[i]);
    }
    return with(size() == 0 ? 0 : index * this->strides()[dimension], shape, strides);
}

StridedView StridedView::reverse(std::size_t dimension) const {
    const std::int64_t stride = strides()[dimension];
    if (size() == 0 || shape()[dimension] == 1) return *this;
    Dimensions strides = this->strides();
    strides.set(dimension, -stride);
    return with((shape()[dimension] - 1) * stride, shape(), strides);
}

StridedView StridedView::permute(const Dimensions& order) const {
    bool is_used[Dimensions::max_rank] = {};
    bool is_permutation = order.rank() == rank();
    Dimensions shape;
    Dimensions strides;
    for (const std::int64_t from : order) {
        const auto dimension = static_cast<std::size_t>(from);
        is_permutation = is_permutation && from >= 0 && dimension < rank() && !is_used[dimension];
        if (!is_permutation) break;
        is_used[dimension] = true;
        shape.push_back(this->shape()[dimension]);
        strides.push_back(this->strides()[dimension]);
    }
    if (!is_permutation) {
        throw_misuse("cannot permute a view of ", rank(), " dimensions with ", to_string(order),
                     ": the order must have each dimension once");
    }
    return with(0, shape, strides);
}

StridedView StridedView::transpose() const {
    return with(0, detail::reversed(shape()), detail::reversed(strides()));
}

StridedView StridedView::reshape(const Dimensions& requested) const {
    const Dimensions shape = complete_shape(requested, *this);
    if (size() == 0) return with(0, shape, detail::row_major_strides(shape));
    const auto strides = strides_after_reshape(*this, shape);
    if (!strides) {
        throw_misuse("cannot reshape a view of shape ", to_string(this->shape()), " and strides ", to_string(this->strides()),
                     " to ", to_string(shape), " without a copy: copy it to a contiguous view first");
    }
    return with(0, shape, *strides);
}

StridedView StridedView::flatten(std::size_t begin, std::size_t end) const {
    if (begin > end || end > rank()) {
        throw_misuse("cannot flatten the dimensions from ", begin, " to before ", end, ": the view of shape ",
                     to_string(this->shape()), " has ", rank());
    }
    Run runs[Dimensions::max_rank];
    const std::size_t count = size() == 0 ? 0 : runs_of(*this, begin, end, runs);
    if (count > 1) {
        throw_misuse("cannot flatten the dimensions from ", begin, " to before ", end, " of a view of shape ",
                     to_string(this->shape()), " and strides ", to_string(this->strides()),
                     " without a copy: no stride reaches their elements; copy it to a contiguous view first");
    }
    Dimensions shape;
    Dimensions strides;
    for (std::size_t i = 0; i < begin; ++i) {
        shape.push_back(this->shape()[i]);
        strides.push_back(this->strides()[i]);
    }
    std::int64_t extent = 1;
    for (std::size_t i = begin; i < end; ++i) {
        if (__builtin_mul_overflow(extent, this->shape()[i], &extent)) {  // only a view without elements has such a shape
            throw_misuse("cannot flatten the dimensions from ", begin, " to before ", end, " of a view of shape ",
                         to_string(this->shape()), ": an extent is below 2^63");
        }
    }
    shape.push_back(extent);
    strides.push_back(count == 0 ? 1 : runs[0].stride);
    for (std::size_t i = end; i < rank(); ++i) {
        shape.push_back(this->shape()[i]);
        strides.push_back(this->strides()[i]);
    }
    return with(0, shape, strides);
}

StridedView StridedView::broadcast_to(const Dimensions& shape) const {
    const auto reject = [&] {
        throw_misuse("cannot broadcast a view of shape ", to_string(this->shape()), " to ", to_string(shape),
                     ": from the last dimension, each extent must be equal, or 1 in the view");
    };
    if (shape.rank() < rank()) reject();
    Dimensions strides;
    const std::size_t added = shape.rank() - rank();
    for (std::size_t i = 0; i < shape.rank(); ++i) {
        if (i >= added && shape[i] == this->shape()[i - added]) {
            strides.push_back(this->strides()[i - added]);
        } else {
            if (i >= added && this->shape()[i - added] != 1) reject();
            strides.push_back(0);
        }
    }
    (void)detail::check_layout(shape, strides, dtype().size());
    return with(0, shape, strides).as_readonly();
}

StridedView StridedView::squeeze() const {
    Dimensions shape;
    Dimensions strides;
    for (std::size_t i = 0; i < rank(); ++i) {
        if (this->shape()[i] == 1) continue;
        shape.push_back(this->shape()[i]);
        strides.push_back(this->strides()[i]);
    }
    return with(0, shape, strides);
}

StridedView StridedView::unsqueeze(std::size_t dimension) const {
    if (dimension > rank()) detail::throw_no_dimension(dimension, rank() + 1);
    Dimensions shape;
    Dimensions strides;
    for (std::size_t i = 0; i <= rank(); ++i) {
        if (i == dimension) {
            shape.push_back(1);
            strides.push_back(i < rank() && size() != 0 ? this->shape()[i] * this->strides()[i] : 1);
        }
        if (i == rank()) break;
        shape.push_back(this->shape()[i]);
        strides.push_back(this->strides()[i]);
    }
    return with(0, shape, strides);
}

StridedView StridedView::as_readonly() const {
    StridedView result = *this;
    result.memory_.readonly = true;
    return result;
}

}  // namespace CUBIND_NAMESPACE
