// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Functions for dlpack_exchange_test.py, which passes tensors to and from Python libraries. A tensor is a pointer to
// DLManagedTensorVersioned or, if `is_versioned` is 0, to DLManagedTensor. A function that fails returns null or -1, and
// last_problem() returns why.

#include <cubind/core/device/device.hpp>
#include <cubind/core/memory/copy.hpp>
#include <cubind/core/strided/dlpack_exchange.hpp>
#include <cubind/core/strided/strided_view.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

using namespace cubind;

namespace {

std::atomic<int> live_owners{0};
std::string problem;
std::string description;

struct Owner {
    Owner() { ++live_owners; }
    ~Owner() { --live_owners; }
    Owner(const Owner&) = delete;
    Owner& operator=(const Owner&) = delete;

    std::vector<float> values = std::vector<float>(12);
};

template <class Function>
auto guarded(Function function, decltype(function()) failure) {
    try {
        return function();
    } catch (const std::exception& error) {
        problem = error.what();
        return failure;
    }
}

void* release(const StridedView& view, int is_versioned) {
    if (is_versioned != 0) return view.to_dlpack().release();
    return view.to_unversioned_dlpack().release();
}

StridedView import(void* tensor, int is_versioned) {
    return is_versioned != 0 ? StridedView::from_dlpack(static_cast<DLManagedTensorVersioned*>(tensor))
                             : StridedView::from_dlpack(static_cast<DLManagedTensor*>(tensor));
}

// Returns the 3 x 4 matrix of the numbers 0 to 11 without its first column, transposed.
StridedView part_of(const StridedView& matrix) {
    return matrix.slice(1, 1, 4).transpose();
}

std::string describe(const StridedView& view) {
    return to_string(view.dtype()) + " " + to_string(view.shape()) + " " + to_string(view.strides()) +
           (view.is_readonly() ? " read-only" : "") + (view.is_device_accessible() ? " device" : " host");
}

}  // namespace

extern "C" {

[[gnu::visibility("default")]] const char* last_problem() {
    return problem.c_str();
}

[[gnu::visibility("default")]] int owner_count() {
    return live_owners;
}

/// Exports memory of the host.
[[gnu::visibility("default")]] void* export_host_matrix(int is_versioned, int is_readonly) {
    return guarded(
        [&] {
            const auto owner = std::make_shared<Owner>();
            for (std::size_t i = 0; i < owner->values.size(); ++i) owner->values[i] = static_cast<float>(i);
            const StridedView view({.data = owner->values.data(),
                                    .dtype = data_type<float>,
                                    .shape = {3, 4},
                                    .readonly = is_readonly != 0,
                                    .owner = owner});
            return release(part_of(view), is_versioned);
        },
        nullptr);
}

/// Describes an object of a library by its exchange table, first as a view that keeps it alive. The caller holds Python's lock.
[[gnu::visibility("default")]] const char* describe_object(const void* table, void* object) {
    return guarded(
        [&]() -> const char* {
            const DlpackExchange tensors(static_cast<const DLPackExchangeAPI*>(table));
            const StridedView view = tensors.view_of(object);
            const StridedView lent = tensors.borrow(object);
            if (lent.data() != view.data() || lent.owner() != nullptr) throw std::logic_error("the lent view differs");
            return (description = describe(view)).c_str();
        },
        nullptr);
}

/// Returns a new object of a library that refers to memory of cubind, which export_host_matrix() describes.
[[gnu::visibility("default")]] void* make_object(const void* table) {
    return guarded(
        [&] {
            const DlpackExchange tensors(static_cast<const DLPackExchangeAPI*>(table));
            DlpackTensor tensor(static_cast<DLManagedTensorVersioned*>(export_host_matrix(1, 0)));
            const StridedView view = StridedView::from_dlpack(tensor.get());
            (void)tensor.release();
            return tensors.object_of(view);
        },
        nullptr);
}

/// Exports memory of device 0. The consumer's stream waits until the memory has its values.
[[gnu::visibility("default")]] void* export_device_matrix(std::intptr_t consumer) {
    return guarded(
        [&]() -> void* {
            Device device(0);
            const Stream stream(device);
            std::vector<float> values(12);
            for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i);
            TypedBuffer<float> buffer = device.allocate<float>(stream, values.size());
            copy(stream, buffer, values);
            auto tensor = part_of(StridedView(buffer, {3, 4})).to_dlpack(stream, stream_from_dlpack(consumer));
            stream.synchronize();  // the values on the host end here
            return tensor.release();
        },
        nullptr);
}

/// Takes over a tensor and describes it.
[[gnu::visibility("default")]] const char* describe_tensor(void* tensor, int is_versioned) {
    return guarded(
        [&]() -> const char* {
            description = describe(import(tensor, is_versioned));
            return description.c_str();
        },
        nullptr);
}

/// Takes over a tensor of two dimensions of float. Returns the sum of each element times its number in row-major order, from 1.
[[gnu::visibility("default")]] double weighted_sum(void* tensor, int is_versioned) {
    return guarded(
        [&] {
            const StridedView view = import(tensor, is_versioned);
            std::vector<float> values(view.size());
            StridedView elements = view;
            if (!view.is_host_accessible()) {
                const Stream stream{Device(0)};
                elements = StridedView({.data = values.data(), .dtype = view.dtype(), .shape = view.shape()});
                copy(stream, elements, view);
                stream.synchronize();
            }
            const auto span = elements.span<const float, 2>();
            double sum = 0;
            double number = 0;
            for (std::int64_t row = 0; row < span.shape[0]; ++row)
                for (std::int64_t column = 0; column < span.shape[1]; ++column) sum += ++number * span(row, column);
            return sum;
        },
        -1.0);
}

}  // extern "C"
