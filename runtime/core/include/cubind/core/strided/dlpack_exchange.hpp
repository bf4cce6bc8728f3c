// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// DLPack's exchange of tensors between extension modules without calls of Python. Few files need it, so
// <cubind/core.hpp> does not include this header.

#include <cubind/core/device/device.hpp>
#include <cubind/core/strided/strided_view.hpp>

#include <concepts>
#include <cstdint>
#include <stdexcept>

// The type of <dlpack/dlpack.h>, which programs may include before or after this header.
struct DLPackExchangeAPI;

namespace CUBIND_NAMESPACE {

namespace detail {

/// DLPackExchangeAPI. The layout up to `previous` is the same in all versions.
struct DlpackExchangeTable {
    using SetError = void (*)(void* context, const char* kind, const char* message);

    std::uint32_t major;
    std::uint32_t minor;
    const DlpackExchangeTable* previous;  // of an older version
    int (*allocate)(void* prototype, ::DLManagedTensorVersioned** tensor, void* context, SetError set_error);
    int (*tensor_of)(void* object, ::DLManagedTensorVersioned** tensor);
    int (*object_of)(::DLManagedTensorVersioned* tensor, void** object);
    int (*borrow)(void* object, void* tensor);  // may be nullptr
    int (*current_stream)(std::int32_t device_type, std::int32_t device, void** stream);
};

/// The static functions of a DlpackTensorClass.
struct DlpackTensorFunctions {
    const StridedView& (*view_of)(void* object);
    void* (*object_of)(const StridedView& view);
    StreamRef (*current_stream)(const Device& device);
    StridedView (*allocate)(const StridedMemory& prototype);
    void (*set_error)(const char* kind, const char* message);
};

CUBIND_EXPORT int allocate_tensor(const DlpackTensorFunctions& tensors, void* prototype, ::DLManagedTensorVersioned** tensor,
                                  void* context, DlpackExchangeTable::SetError set_error) noexcept;
CUBIND_EXPORT int export_object(const DlpackTensorFunctions& tensors, void* object, ::DLManagedTensorVersioned** tensor) noexcept;
CUBIND_EXPORT int import_object(const DlpackTensorFunctions& tensors, ::DLManagedTensorVersioned* tensor, void** object) noexcept;
CUBIND_EXPORT int lend_object(const DlpackTensorFunctions& tensors, void* object, void* tensor) noexcept;
CUBIND_EXPORT int find_stream(const DlpackTensorFunctions& tensors, std::int32_t device_type, std::int32_t device,
                              void** stream) noexcept;

}  // namespace detail

/// The functions with which an extension module exchanges objects of its tensor class:
///
/// - `view_of(object)` returns the view that the object holds, whose shape and strides other code uses as long as the object
/// lives.
/// - `object_of(view)` returns a new reference to a new object, or nullptr if it has set an exception of Python.
/// - `current_stream(device)` returns the stream in which the module submits work for the device.
/// - `allocate(prototype)` returns a view of new memory with the `dtype`, `shape`, `memory_type` and `device_ordinal` of the
///   prototype; the other members have no meaning.
/// - `set_error(kind, message)` sets an exception of Python; `kind` is "BufferError", "MemoryError" or "RuntimeError". It must
/// not
///   throw. The other functions report failures by C++ exceptions.
///
/// Each object is a PyObject*. The thread that calls holds Python's lock, except for allocate().
template <class Tensors>
concept DlpackTensorClass = requires(void* object, const StridedView& view, const Device& device,
                                     const StridedMemory& prototype) {
    { Tensors::view_of(object) } -> std::same_as<const StridedView&>;
    { Tensors::object_of(view) } -> std::convertible_to<void*>;
    { Tensors::current_stream(device) } -> std::convertible_to<StreamRef>;
    { Tensors::allocate(prototype) } -> std::convertible_to<StridedView>;
    Tensors::set_error("BufferError", "message");
};

namespace detail {

template <class Tensors>
struct DlpackTableOf {
    CUBIND_HIDDEN static constexpr DlpackTensorFunctions functions = {
        [](void* object) -> const StridedView& { return Tensors::view_of(object); },
        [](const StridedView& view) -> void* { return Tensors::object_of(view); },
        [](const Device& device) -> StreamRef { return Tensors::current_stream(device); },
        [](const StridedMemory& prototype) -> StridedView { return Tensors::allocate(prototype); },
        [](const char* kind, const char* message) { Tensors::set_error(kind, message); }};

    CUBIND_HIDDEN static constexpr DlpackExchangeTable table = {
        .major = 1,
        .minor = 3,
        .previous = nullptr,
        .allocate =
            [](void* prototype, ::DLManagedTensorVersioned** tensor, void* context, DlpackExchangeTable::SetError set_error) {
                return allocate_tensor(functions, prototype, tensor, context, set_error);
            },
        .tensor_of = [](void* object, ::DLManagedTensorVersioned** tensor) { return export_object(functions, object, tensor); },
        .object_of = [](::DLManagedTensorVersioned* tensor, void** object) { return import_object(functions, tensor, object); },
        .borrow = [](void* object, void* tensor) { return lend_object(functions, object, tensor); },
        .current_stream = [](std::int32_t device_type, std::int32_t device,
                             void** stream) { return find_stream(functions, device_type, device, stream); }};
};

}  // namespace detail

/// Returns the table of DLPack 1.3 with which other extension modules exchange objects of a tensor class. It exists as long as
/// the module is loaded. The type has a capsule with it in the attribute `__dlpack_c_exchange_api__`:
///
///     const DLPackExchangeAPI* table = dlpack_exchange_api<Arrays>();            // a DlpackTensorClass
///     PyObject* capsule = PyCapsule_New(const_cast<DLPackExchangeAPI*>(table), "dlpack_exchange_api", nullptr);
///
/// No function orders streams: a consumer submits its work to the current stream, or makes its stream wait for that one. The
/// function that returns a DLTensor without an owner refuses read-only and padded views, which such a tensor cannot express. The
/// function that makes an object of a tensor takes ownership of the tensor only if it succeeds.
template <DlpackTensorClass Tensors>
[[nodiscard]] const ::DLPackExchangeAPI* dlpack_exchange_api() noexcept {
    return reinterpret_cast<const ::DLPackExchangeAPI*>(&detail::DlpackTableOf<Tensors>::table);
}

/// A function of another library's exchange table has failed.
class CUBIND_EXPORT DlpackExchangeError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// A view of the exchange table of another library, such as PyTorch's, which exchanges objects of one type of Python.
///
///     void* pointer = PyCapsule_GetPointer(capsule, "dlpack_exchange_api");      // type(object).__dlpack_c_exchange_api__
///     DlpackExchange tensors(static_cast<const DLPackExchangeAPI*>(pointer));    // can be kept for the type
///     StridedView view = tensors.borrow(object);                                 // a torch.Tensor, as a PyObject*
///     launch(tensors.current_stream(Device(0)), config, kernel, view.span<float, 2>());
///
/// The table must exist as long as the object; libraries keep it as long as the process. The caller holds Python's lock, and each
/// object is a PyObject* of the type that has the table. No function orders streams. If a function of the table fails, throws
/// DlpackExchangeError; except for allocate(), an exception of Python is then set, which states why.
class CUBIND_EXPORT DlpackExchange {
public:
    /// Chooses the table of version 1.x: this one, or an older one to which it refers. Throws std::invalid_argument, which names
    /// the version, if there is none, and for a table that lacks a required function.
    explicit DlpackExchange(const ::DLPackExchangeAPI* table);

    /// Returns a view that keeps the memory of the object alive (managed_tensor_from_py_object_no_sync). Throws
    /// std::invalid_argument like StridedView::from_dlpack().
    [[nodiscard]] StridedView view_of(void* object) const;
    /// Returns a view that does not keep the memory alive, faster than view_of() (dltensor_from_py_object_no_sync). The object
    /// must outlive the use of the view. A library without this function returns the result of view_of(). The view is never
    /// read-only, because the tensor does not state it. Throws like view_of().
    [[nodiscard]] StridedView borrow(void* object) const;
    /// Returns a new reference to a new object of the library that refers to the memory of the view and keeps it alive
    /// (managed_tensor_to_py_object_no_sync).
    [[nodiscard]] void* object_of(const StridedView& view) const;
    /// Returns the stream in which the library submits work for the device (current_work_stream). For the null stream, returns
    /// the legacy default stream.
    [[nodiscard]] StreamRef current_stream(const Device& device) const;
    /// Allocates memory in the library (managed_tensor_allocator). Of the prototype, `dtype`, `shape`, `memory_type` and
    /// `device_ordinal` are used. Does not need Python's lock. The message of the library is a part of the exception.
    [[nodiscard]] StridedView allocate(const StridedMemory& prototype) const;

private:
    const detail::DlpackExchangeTable* table_;
};

}  // namespace CUBIND_NAMESPACE
