// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Copies an array to symmetric memory of NVSHMEM and back, in a stream. This process is the only processing element (PE), so it
// copies to itself. With several processes, one of them creates the unique id and sends it to the others, and each passes its own
// number; the copies then reach the memory of other GPUs.

#include <cubind/check.hpp>
#include <cubind/core.hpp>
#include <cubind/nvshmem.hpp>

#include <cstddef>
#include <cstdio>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "example.hpp"

using namespace cubind;
using namespace cubind::nvshmem;

namespace {

constexpr std::size_t n = 1 << 20;
constexpr std::size_t bytes = n * sizeof(int);

/// The use of NVSHMEM by this process. NVSHMEM works on the device that is current when it starts.
class Session {
public:
    Session() : id_(check(nvshmemx_get_uniqueid())) {
        constexpr int pe = 0;
        constexpr int count = 1;
        // The attributes refer to the id, which must exist until the call has returned.
        nvshmemx_init_attr_t attributes = check(nvshmemx_set_attr_uniqueid_args(pe, count, &id_, nvshmemx_init_attr_t{}));
        check(nvshmemx_hostlib_init_attr(NVSHMEMX_INIT_WITH_UNIQUEID, &attributes));
    }
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;
    ~Session() { nvshmemx_hostlib_finalize(); }

private:
    nvshmemx_uniqueid_t id_;
};

/// An array that every PE has, in memory that the other PEs can reach.
class SymmetricArray {
public:
    SymmetricArray() : data_(nvshmem_malloc(bytes)) {
        if (data_ == nullptr) throw std::runtime_error("nvshmem_malloc failed; choose a larger NVSHMEM_SYMMETRIC_SIZE");
    }
    SymmetricArray(const SymmetricArray&) = delete;
    SymmetricArray& operator=(const SymmetricArray&) = delete;
    ~SymmetricArray() { nvshmem_free(data_); }
    void* data() const { return data_; }

private:
    void* data_;
};

int symmetric_memory() {
    Device device;
    device.set_current();
    Stream stream(device);
    TypedBuffer source = device.allocate<int>(stream, n);
    TypedBuffer result = device.allocate<int>(stream, n);
    std::vector<int> expected(n);
    std::iota(expected.begin(), expected.end(), 1);
    copy(stream, source, expected);
    fill(stream, result, 0);
    stream.synchronize();

    const Session session;
    const SymmetricArray array;
    const int pe = nvshmem_my_pe();
    const int target = (pe + 1) % nvshmem_n_pes();  // with one PE, the PE itself
    const auto address_of = [](TypedBuffer<int>& buffer) { return reinterpret_cast<void*>(buffer.native_handle()); };
    nvshmemx_putmem_on_stream(array.data(), address_of(source), bytes, target, stream.native_handle());
    nvshmemx_barrier_all_on_stream(stream.native_handle());  // waits until the array of each PE has its data
    nvshmemx_getmem_on_stream(address_of(result), array.data(), bytes, pe, stream.native_handle());
    std::vector<int> received(n);
    copy(stream, received, result);
    stream.synchronize();

    std::printf("PE %d of %d put %zu bytes into the memory of PE %d.\n", pe, nvshmem_n_pes(), bytes, target);
    return example::verdict(received == expected, "the symmetric memory has the array that was put there");
}

}  // namespace

int main() {
    return example::run_with(nvshmem::library(), "nvidia-nvshmem-cu13", symmetric_memory);
}
