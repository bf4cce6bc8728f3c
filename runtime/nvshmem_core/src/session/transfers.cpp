// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/nvshmem/extensions.hpp>
#include <cubind/nvshmem/loading.hpp>
#include <cubind/nvshmem/memory.hpp>
#include <cubind/nvshmem_core/session.hpp>

#include <bit>
#include <cstddef>
#include <limits>

#include "errors/misuse.hpp"
#include "support/session_state.hpp"

namespace CUBIND_NAMESPACE::nvshmem {

using cubind::detail::throw_misuse;
using detail::check_symmetric;
using detail::handle_of;
using detail::Operand;
using detail::SessionState;

namespace {

/// Checks a transfer whose remote side is `remote`. Returns whether there is something to do.
bool has_elements(const char* operation, const char* what, const Operand& destination, const Operand& source,
                  const Operand& remote, int pe, const SessionState& session) {
    detail::check_equal(operation, destination, source);
    detail::check_pe_number(operation, "PE", pe, session.size);
    check_symmetric(operation, what, remote, session);
    return remote.count != 0;
}

/// A strided transfer of elements of 1, 2, 4, 8 and 16 bytes.
using Strided = void(void*, const void*, std::ptrdiff_t, std::ptrdiff_t, std::size_t, int, cudaStream_t) noexcept;
constexpr Strided* strided_puts[] = {nvshmemx_iput8_on_stream, nvshmemx_iput16_on_stream, nvshmemx_iput32_on_stream,
                                     nvshmemx_iput64_on_stream, nvshmemx_iput128_on_stream};
constexpr Strided* strided_gets[] = {nvshmemx_iget8_on_stream, nvshmemx_iget16_on_stream, nvshmemx_iget32_on_stream,
                                     nvshmemx_iget64_on_stream, nvshmemx_iget128_on_stream};

// NVSHMEM copies an area with this pitch, and ends the process if the driver refuses it.
constexpr std::ptrdiff_t max_pitch = std::numeric_limits<int>::max();

void check_span(const char* operation, const char* what, const Operand& view, std::size_t count, std::ptrdiff_t stride) {
    const auto max_stride = max_pitch / static_cast<std::ptrdiff_t>(view.element_size);
    if (stride < 1 || stride > max_stride)
        throw_misuse(operation, ": the stride of the ", what, " is ", stride, ", but must be from 1 to ", max_stride,
                     " elements");
    if (count != 0 && (view.count == 0 || (view.count - 1) / static_cast<std::size_t>(stride) < count - 1)) {
        throw_misuse(operation, ": the ", what, " has ", view.count, " elements, which do not hold ", count, " at a stride of ",
                     stride);
    }
}

void submit_strided(const char* operation, Strided* submit, StreamRef stream, const Operand& destination, const Operand& source,
                    const Operand& remote, std::size_t count, Strides strides, int pe, const SessionState& session) {
    check_span(operation, "destination", destination, count, strides.destination);
    check_span(operation, "source", source, count, strides.source);
    detail::check_pe_number(operation, "PE", pe, session.size);
    check_symmetric(operation, &remote == &source ? "source" : "destination", remote, session);
    if (count == 0) return;
    if (nvshmem_ptr(remote.pointer(), pe) == nullptr) {
        throw_misuse(operation, ": the device cannot access the memory of PE ", pe,
                     ", and NVSHMEM has no strided transfers over a network: copy to contiguous memory before");
    }
    const cudaStream_t handle = handle_of(session, stream, {&destination, &source});
    const ScopedContext scope(session.context);
    submit(destination.pointer(), source.pointer(), strides.destination, strides.source, count, pe, handle);
}

std::uint64_t* checked_signal(const char* operation, const Operand& signal, const SessionState& session) {
    if (signal.count != 1) throw_misuse(operation, ": the signal has ", signal.count, " elements, but must be one: pass a part");
    check_symmetric(operation, "signal", signal, session);
    return static_cast<std::uint64_t*>(signal.pointer());
}

template <class Element>
void submit_wait(void (*submit)(Element*, int, Element, cudaStream_t) noexcept, const Operand& variable, Comparison comparison,
                 std::uint64_t value, cudaStream_t stream) {
    submit(static_cast<Element*>(variable.pointer()), static_cast<int>(comparison), static_cast<Element>(value), stream);
}

}  // namespace

void Session::submit_put(StreamRef stream, const Operand& destination, const Operand& source, int pe, Mode mode) const {
    const SessionState& own = state();
    if (!has_elements("put", "destination", destination, source, destination, pe, own)) return;
    const cudaStream_t handle = handle_of(own, stream, {&destination, &source});
    const ScopedContext scope(own.context);
    const auto submit = mode == Mode::in_order ? nvshmemx_putmem_on_stream : nvshmemx_putmem_nbi_on_stream;
    submit(destination.pointer(), source.pointer(), source.size(), pe, handle);
}

void Session::submit_get(StreamRef stream, const Operand& destination, const Operand& source, int pe, Mode mode) const {
    const SessionState& own = state();
    if (!has_elements("get", "source", destination, source, source, pe, own)) return;
    const cudaStream_t handle = handle_of(own, stream, {&destination, &source});
    const ScopedContext scope(own.context);
    const auto submit = mode == Mode::in_order ? nvshmemx_getmem_on_stream : nvshmemx_getmem_nbi_on_stream;
    submit(destination.pointer(), source.pointer(), source.size(), pe, handle);
}

void Session::submit_strided_put(StreamRef stream, const Operand& destination, const Operand& source, std::size_t count,
                                 Strides strides, int pe) const {
    submit_strided("put", strided_puts[std::countr_zero(source.element_size)], stream, destination, source, destination, count,
                   strides, pe, state());
}

void Session::submit_strided_get(StreamRef stream, const Operand& destination, const Operand& source, std::size_t count,
                                 Strides strides, int pe) const {
    submit_strided("get", strided_gets[std::countr_zero(source.element_size)], stream, destination, source, source, count,
                   strides, pe, state());
}

void Session::submit_put_signal(StreamRef stream, const Operand& destination, const Operand& source, const Operand& signal,
                                std::uint64_t value, SignalOperation op, int pe, Mode mode) const {
    constexpr const char* name = "put_signal";
    const SessionState& own = state();
    if (!has_elements(name, "destination", destination, source, destination, pe, own)) {
        submit_signal(stream, name, signal, value, op, pe);  // the other PE waits for it
        return;
    }
    std::uint64_t* const variable = checked_signal(name, signal, own);
    const cudaStream_t handle = handle_of(own, stream, {&destination, &source, &signal});
    const ScopedContext scope(own.context);
    const auto submit = mode == Mode::in_order ? nvshmemx_putmem_signal_on_stream : nvshmemx_putmem_signal_nbi_on_stream;
    submit(destination.pointer(), source.pointer(), source.size(), variable, value, static_cast<int>(op), pe, handle);
}

void Session::submit_signal(StreamRef stream, const char* operation, const Operand& signal, std::uint64_t value,
                            SignalOperation op, int pe) const {
    const SessionState& own = state();
    std::uint64_t* const variable = checked_signal(operation, signal, own);
    detail::check_pe_number(operation, "PE", pe, own.size);
    const cudaStream_t handle = handle_of(own, stream, {&signal});
    const ScopedContext scope(own.context);
    nvshmemx_signal_op_on_stream(variable, value, static_cast<int>(op), pe, handle);
}

void Session::submit_wait_signal(StreamRef stream, const Operand& signal, Comparison comparison, std::uint64_t value) const {
    const SessionState& own = state();
    std::uint64_t* const variable = checked_signal("wait_signal", signal, own);
    const cudaStream_t handle = handle_of(own, stream, {&signal});
    const ScopedContext scope(own.context);
    nvshmemx_signal_wait_until_on_stream(variable, static_cast<int>(comparison), value, handle);
}

void Session::submit_wait_until(StreamRef stream, const Operand& variable, ElementType type, Comparison comparison,
                                std::uint64_t value) const {
    const SessionState& own = state();
    if (variable.count != 1)
        throw_misuse("wait_until: the variable has ", variable.count, " elements, but must be one: pass a part");
    check_symmetric("wait_until", "variable", variable, own);
    const cudaStream_t handle = handle_of(own, stream, {&variable});
    const ScopedContext scope(own.context);
    switch (type) {
        case ElementType::int32:
            return submit_wait(nvshmemx_int32_wait_until_on_stream, variable, comparison, value, handle);
        case ElementType::uint32:
            return submit_wait(nvshmemx_uint32_wait_until_on_stream, variable, comparison, value, handle);
        case ElementType::int64:
            return submit_wait(nvshmemx_int64_wait_until_on_stream, variable, comparison, value, handle);
        default:
            return submit_wait(nvshmemx_uint64_wait_until_on_stream, variable, comparison, value, handle);
    }
}

// ---- order ---------------------------------------------------------------------------------------------------------------

void Session::quiet(StreamRef stream) const {
    const ScopedContext scope(state().context);
    nvshmemx_quiet_on_stream(stream.native_handle());
}

void Session::quiet() const {
    const ScopedContext scope(state().context);
    nvshmem_quiet();
}

void Session::fence() const {
    const ScopedContext scope(state().context);
    nvshmem_fence();
}

void Session::flush(StreamRef stream) const {
    const SessionState& own = state();
    if (!has(nvshmemx_flush_on_stream)) {
        detail::throw_failure("nvshmemx_flush_on_stream", NVSHMEMX_ERROR_NOT_SUPPORTED, {"flush", own.pe},
                              "NVSHMEM has the function since 3.7. quiet() waits for as much, and more.");
    }
    const ScopedContext scope(own.context);
    nvshmemx_flush_on_stream(stream.native_handle());
}

}  // namespace CUBIND_NAMESPACE::nvshmem
