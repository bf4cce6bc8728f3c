// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Imports damaged files of other processes: memory, pools, events, and objects of other interfaces.
#include <cubind/driver.hpp>
#include <cubind/sim/install.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fuzzer/FuzzedDataProvider.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace {

using namespace cubind::driver;

constexpr auto shareable = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
constexpr std::size_t unit = std::size_t{2} << 20;

void require(bool condition) {
    if (!condition) std::abort();
}
template <class Result>
auto value_of(const Result& result) {
    require(result.ok());
    return result.value;
}

void* handle_of(int descriptor) {
    return reinterpret_cast<void*>(static_cast<std::intptr_t>(descriptor));
}

/// The beginning and the end of a file that a process has exported, and its size.
struct Original {
    explicit Original(int descriptor) {
        struct stat status {};
        require(fstat(descriptor, &status) == 0);
        size = static_cast<std::uint64_t>(status.st_size);
        const std::size_t bytes = std::min<std::size_t>(size, 3 * 4096);
        begin.resize(bytes);
        end.resize(std::min<std::size_t>(size, 128));
        require(pread(descriptor, begin.data(), bytes, 0) == static_cast<ssize_t>(bytes));
        require(pread(descriptor, end.data(), end.size(), static_cast<off_t>(size - end.size())) ==
                static_cast<ssize_t>(end.size()));
    }
    std::uint64_t size;
    std::vector<char> begin, end;
};

/// A process with one object of each kind that other processes can open.
class Exporter {
public:
    Exporter() {
        cubind::sim::install({.devices = 2, .memory = std::size_t{64} << 20});
        require(cuInit(0).ok());
        require(cuCtxSetCurrent(value_of(cuDevicePrimaryCtxRetain(0))).ok());
        CUmemAllocationProp memory{};
        memory.type = CU_MEM_ALLOCATION_TYPE_PINNED;
        memory.location = {CU_MEM_LOCATION_TYPE_DEVICE, {0}};
        memory.requestedHandleTypes = shareable;
        int descriptor = -1;
        require(cuMemExportToShareableHandle(&descriptor, value_of(cuMemCreate(unit, &memory, 0)), shareable, 0).ok());
        originals.emplace_back(descriptor);
        CUmemPoolProps pool{};
        pool.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
        pool.handleTypes = shareable;
        pool.location = {CU_MEM_LOCATION_TYPE_DEVICE, {0}};
        const auto created = value_of(cuMemPoolCreate(&pool));
        const auto allocated = value_of(cuMemAllocFromPoolAsync(5000, created, nullptr));
        require(cuMemPoolExportToShareableHandle(&descriptor, created, shareable, 0).ok());
        originals.emplace_back(descriptor);
        piece = value_of(cuMemPoolExportPointer(allocated));
        event = value_of(cuIpcGetEventHandle(value_of(cuEventCreate(CU_EVENT_INTERPROCESS | CU_EVENT_DISABLE_TIMING))));
        std::int32_t place[10];
        std::memcpy(place, event.reserved, sizeof place);
        originals.emplace_back(place[9]);  // the descriptor
        // Under the number of a thread, the files of this process are found as those of another one.
        other = std::thread([this] {
            thread = static_cast<std::int32_t>(syscall(SYS_gettid));
            for (;;) pause();
        });
        other.detach();
        while (thread == 0) std::this_thread::yield();
    }

    std::vector<Original> originals;  ///< memory, a pool, an event
    CUmemPoolPtrExportData piece{};
    CUipcEventHandle event{};
    std::atomic<std::int32_t> thread{0};
    std::thread other;
};

// Small numbers, numbers near limits, and any others.
std::uint64_t number(FuzzedDataProvider& bytes) {
    switch (bytes.ConsumeIntegralInRange<int>(0, 4)) {
        case 0:
            return bytes.ConsumeIntegral<std::uint64_t>();
        case 1:
            return std::uint64_t{1} << bytes.ConsumeIntegralInRange<int>(0, 63);
        case 2:
            return 4096 * std::uint64_t{bytes.ConsumeIntegral<std::uint16_t>()};
        case 3:
            return ~std::uint64_t{bytes.ConsumeIntegral<std::uint8_t>()};
        default:
            return bytes.ConsumeIntegral<std::uint8_t>();
    }
}

// Returns a damaged copy of an exported file, or -1.
int damaged_file(FuzzedDataProvider& bytes, const Original& original) {
    const int file = memfd_create("fuzz", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    require(file >= 0);
    const std::uint64_t size = bytes.ConsumeBool() ? original.size : number(bytes);
    if (ftruncate(file, static_cast<off_t>(size)) != 0) {
        close(file);
        return -1;
    }
    const auto write = [&](std::uint64_t at, const void* data, std::size_t count) {
        if (at < size) require(pwrite(file, data, std::min<std::uint64_t>(count, size - at), static_cast<off_t>(at)) >= 0);
    };
    write(0, original.begin.data(), original.begin.size());
    if (size > original.end.size()) write(size - original.end.size(), original.end.data(), original.end.size());
    for (int count = bytes.ConsumeIntegralInRange<int>(0, 3); count > 0; --count) {
        const std::uint64_t at = 4 * bytes.ConsumeIntegralInRange<std::uint64_t>(0, 32), value = number(bytes);
        const std::array<std::uint64_t, 3> places{at, 4096 + at, size - 4 - at};
        write(bytes.PickValueInArray(places), &value, bytes.ConsumeBool() ? 8 : 4);
    }
    constexpr int seals = F_SEAL_SEAL | F_SEAL_SHRINK;
    constexpr std::array all{seals, seals | F_SEAL_GROW, F_SEAL_SHRINK, 0};
    require(fcntl(file, F_ADD_SEALS, bytes.PickValueInArray(all)) == 0);
    return file;
}

// Writes the first and the last byte. The calls fail for memory that the device of the context cannot access.
void use(CUdeviceptr address, std::size_t size) {
    (void)cuMemsetD8(address, 1, 1);
    (void)cuMemsetD8(address + size - 1, 2, 1);
}

void import_memory(int file) {
    const auto imported = cuMemImportFromShareableHandle(handle_of(file), shareable);
    if (!imported.ok()) return;
    const auto properties = value_of(cuMemGetAllocationPropertiesFromHandle(imported.value));
    struct stat status {};
    require(fstat(file, &status) == 0);
    const auto size = static_cast<std::size_t>(status.st_size) / unit * unit;
    const auto reserved = cuMemAddressReserve(size, 0, 0, 0);
    if (reserved.ok()) {
        if (cuMemMap(reserved.value, size, 0, imported.value, 0).ok()) {
            const CUmemAccessDesc access{properties.location, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
            if (cuMemSetAccess(reserved.value, size, &access, 1).ok()) use(reserved.value, size);
            require(cuMemUnmap(reserved.value, size).ok());
        }
        require(cuMemAddressFree(reserved.value, size).ok());
    }
    require(cuMemRelease(imported.value).ok());
}

void import_pool(FuzzedDataProvider& bytes, int file, CUmemPoolPtrExportData piece) {
    const auto pool = cuMemPoolImportFromShareableHandle(handle_of(file), shareable, 0);
    if (!pool.ok()) return;
    struct stat status {};
    require(fstat(file, &status) == 0);
    std::uint64_t words[6];  // mark, device, number, and the offset, size and number of the piece
    std::memcpy(words, piece.reserved, sizeof words);
    words[1] = status.st_dev;
    words[2] = status.st_ino;
    if (bytes.ConsumeBool()) words[3 + bytes.ConsumeIntegralInRange<std::size_t>(0, 2)] = number(bytes);
    std::memcpy(piece.reserved, words, sizeof words);
    const auto pointer = cuMemPoolImportPointer(pool.value, &piece);
    if (pointer.ok()) {
        use(pointer.value, words[4]);
        require(cuMemFree(pointer.value).ok());
    }
    require(cuMemPoolDestroy(pool.value).ok());
}

void open_event(int file, const Exporter& exporter) {
    CUipcEventHandle handle = exporter.event;
    std::int32_t place[10];
    std::memcpy(place, handle.reserved, sizeof place);
    place[8] = exporter.thread;
    place[9] = file;
    std::memcpy(handle.reserved, place, sizeof place);
    const auto event = cuIpcOpenEventHandle(handle);
    if (!event.ok()) return;
    (void)cuEventQuery(event.value);  // which may never be done
    require(cuEventRecord(event.value, nullptr).ok());
    require(cuStreamSynchronize(nullptr).ok());
    require(cuEventDestroy(event.value).ok());
}

// The driver owns the descriptor on success.
void import_external(FuzzedDataProvider& bytes, int file) {
    CUDA_EXTERNAL_MEMORY_HANDLE_DESC description{};
    description.type = CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD;
    description.handle.fd = fcntl(file, F_DUPFD_CLOEXEC, 0);
    description.size = number(bytes);
    const auto memory = cuImportExternalMemory(&description);
    require((fcntl(description.handle.fd, F_GETFD) >= 0) && description.handle.fd != file);
    if (!memory.ok()) {
        close(description.handle.fd);
        return;
    }
    CUDA_EXTERNAL_MEMORY_BUFFER_DESC part{};
    part.offset = number(bytes);
    part.size = number(bytes);
    const auto buffer = cuExternalMemoryGetMappedBuffer(memory.value, &part);
    if (buffer.ok()) {
        use(buffer.value, part.size);
        require(cuMemFree(buffer.value).ok());
    }
    require(cuDestroyExternalMemory(memory.value).ok());
    require(fcntl(description.handle.fd, F_GETFD) < 0);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static auto& exporter = *new Exporter;
    FuzzedDataProvider bytes(data, size);
    const int file = damaged_file(bytes, exporter.originals[bytes.ConsumeIntegralInRange<std::size_t>(0, 2)]);
    if (file < 0) return 0;
    import_memory(file);
    import_pool(bytes, file, exporter.piece);
    open_event(file, exporter);
    import_external(bytes, file);
    close(file);
    return 0;
}
