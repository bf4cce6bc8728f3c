// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/strided/dlpack_exchange.hpp>
#include <cubind/error.hpp>

#include <cstddef>
#include <new>
#include <string>

#include "errors/misuse.hpp"
#include "strided/dlpack_abi.hpp"

namespace CUBIND_NAMESPACE {
namespace {

namespace dlpack = detail::dlpack;
using detail::DlpackExchangeTable;

static_assert(sizeof(DlpackExchangeTable) == 16 + 5 * sizeof(void*) && offsetof(DlpackExchangeTable, allocate) == 16);

// ---- tables of cubind ----------------------------------------------------------------------------------------------------

// Calls a function and returns 0, or passes its exception to `report` and returns -1.
template <class Function, class Report>
int guarded(const char* kind, Function&& function, Report&& report) noexcept {
    try {
        return function();
    } catch (const std::bad_alloc& failure) {
        report("MemoryError", failure.what());
    } catch (const OutOfMemory& failure) {
        report("MemoryError", failure.what());
    } catch (const std::exception& failure) {
        report(kind, failure.what());
    } catch (...) {
        report(kind, "an exception of a type that is not derived from std::exception");
    }
    return -1;
}

bool is_of_cuda(std::int32_t device_type) {
    return device_type == dlpack::cuda || device_type == dlpack::cuda_host || device_type == dlpack::cuda_managed;
}

}  // namespace

int detail::allocate_tensor(const DlpackTensorFunctions& tensors, void* prototype, ::DLManagedTensorVersioned** tensor,
                            void* context, DlpackExchangeTable::SetError set_error) noexcept {
    return guarded(
        "RuntimeError",
        [&] {
            const StridedMemory memory = dlpack::prototype_of(*static_cast<const dlpack::Tensor*>(prototype));
            *tensor = tensors.allocate(memory).to_dlpack().release();
            return 0;
        },
        [&](const char* kind, const char* message) { set_error(context, kind, message); });
}

int detail::export_object(const DlpackTensorFunctions& tensors, void* object, ::DLManagedTensorVersioned** tensor) noexcept {
    return guarded(
        "BufferError", [&] { return *tensor = tensors.view_of(object).to_dlpack().release(), 0; }, tensors.set_error);
}

int detail::import_object(const DlpackTensorFunctions& tensors, ::DLManagedTensorVersioned* tensor, void** object) noexcept {
    return guarded(
        "BufferError",
        [&] {
            const StridedView view = StridedView::from_dlpack(tensor);
            try {
                *object = tensors.object_of(view);
            } catch (...) {
                dlpack::disown(view);  // the caller deletes a tensor that did not become an object
                throw;
            }
            if (*object != nullptr) return 0;
            dlpack::disown(view);
            return -1;
        },
        tensors.set_error);
}

int detail::lend_object(const DlpackTensorFunctions& tensors, void* object, void* tensor) noexcept {
    return guarded(
        "BufferError",
        [&] {
            const StridedView& view = tensors.view_of(object);
            const DataType type = view.dtype();
            if (view.is_readonly() || std::size_t{type.bits} * type.lanes % 8 != 0) {
                detail::throw_misuse("a DLTensor cannot state that memory is ", view.is_readonly() ? "read-only" : "padded",
                                     ": use a DLManagedTensorVersioned");
            }
            *static_cast<dlpack::Tensor*>(tensor) = dlpack::tensor_of(view, view.shape(), view.strides());
            return 0;
        },
        tensors.set_error);
}

int detail::find_stream(const DlpackTensorFunctions& tensors, std::int32_t device_type, std::int32_t device,
                        void** stream) noexcept {
    return guarded(
        "RuntimeError",
        [&] {
            *stream = is_of_cuda(device_type) ? tensors.current_stream(Device(device)).native_handle() : nullptr;
            return 0;
        },
        tensors.set_error);
}

// ---- tables of other libraries -------------------------------------------------------------------------------------------

namespace {

// Returns the newest table of version 1.x.
const DlpackExchangeTable* table_of_version_1(const DlpackExchangeTable* newest) {
    if (newest == nullptr) detail::throw_misuse("the address of the DLPack exchange table is nullptr");
    const DlpackExchangeTable* table = newest;
    while (table->major > 1) {
        const DlpackExchangeTable* const older = table->previous;
        const bool is_older =
            older != nullptr && (older->major < table->major || (older->major == table->major && older->minor < table->minor));
        if (!is_older) break;  // the end, or a chain that is not ordered and may have none
        table = older;
    }
    if (table->major != 1) {
        detail::throw_misuse("the exchange table is of DLPack ", newest->major, ".", newest->minor,
                             ", and refers to none of DLPack 1.x, which cubind reads");
    }
    return table;
}

void check_function(bool exists, const char* name) {
    if (!exists) detail::throw_misuse("the DLPack exchange table has no function ", name, ", which DLPack requires");
}

void check_result(int result, const char* name) {
    if (result == 0) return;
    throw DlpackExchangeError(detail::concat("the function ", name, " of a DLPack exchange table returned ", result,
                                             ": the exception of Python that it has set states why"));
}

// Takes over a tensor that was created for this process.
StridedView take_over(DlpackTensor tensor) {
    StridedView view = StridedView::from_dlpack(tensor.get());
    (void)tensor.release();
    return view;
}

}  // namespace

DlpackExchange::DlpackExchange(const ::DLPackExchangeAPI* table)
    : table_(table_of_version_1(reinterpret_cast<const DlpackExchangeTable*>(table))) {
    check_function(table_->allocate != nullptr, "managed_tensor_allocator");
    check_function(table_->tensor_of != nullptr, "managed_tensor_from_py_object_no_sync");
    check_function(table_->object_of != nullptr, "managed_tensor_to_py_object_no_sync");
    check_function(table_->current_stream != nullptr, "current_work_stream");
}

StridedView DlpackExchange::view_of(void* object) const {
    ::DLManagedTensorVersioned* tensor = nullptr;
    check_result(table_->tensor_of(object, &tensor), "managed_tensor_from_py_object_no_sync");
    return take_over(DlpackTensor(tensor));
}

StridedView DlpackExchange::borrow(void* object) const {
    if (table_->borrow == nullptr) return view_of(object);
    dlpack::Tensor tensor{};
    check_result(table_->borrow(object, &tensor), "dltensor_from_py_object_no_sync");
    return StridedView(dlpack::memory_of(tensor, false));
}

void* DlpackExchange::object_of(const StridedView& view) const {
    DlpackTensor tensor = view.to_dlpack();
    void* object = nullptr;
    check_result(table_->object_of(tensor.get(), &object), "managed_tensor_to_py_object_no_sync");
    (void)tensor.release();
    return object;
}

StreamRef DlpackExchange::current_stream(const Device& device) const {
    void* stream = nullptr;
    check_result(table_->current_stream(dlpack::cuda, device.ordinal(), &stream), "current_work_stream");
    return stream == nullptr ? StreamRef::legacy_default() : StreamRef(static_cast<StreamRef::Handle>(stream));
}

StridedView DlpackExchange::allocate(const StridedMemory& prototype) const {
    const dlpack::Tensor tensor = dlpack::tensor_of(prototype);
    std::string problem;
    const auto set_error = [](void* context, const char* kind, const char* message) {
        // Libraries pass nullptr if they have no text.
        *static_cast<std::string*>(context) =
            detail::concat(kind != nullptr ? kind : "an exception", ": ", message != nullptr ? message : "no message");
    };
    ::DLManagedTensorVersioned* allocated = nullptr;
    const int result = table_->allocate(const_cast<dlpack::Tensor*>(&tensor), &allocated, &problem, set_error);
    if (result != 0) {
        throw DlpackExchangeError(detail::concat("the function managed_tensor_allocator of a DLPack exchange table returned ",
                                                 result, " for ", to_string(prototype.dtype), " of shape ",
                                                 to_string(prototype.shape), ": ", problem.empty() ? "no message" : problem));
    }
    return take_over(DlpackTensor(allocated));
}

}  // namespace CUBIND_NAMESPACE
