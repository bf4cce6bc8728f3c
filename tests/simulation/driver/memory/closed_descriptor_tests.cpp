// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Programs that close descriptors of the driver, as daemons do, and then open files of their own under the same numbers.

#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>
#include <sys/stat.h>

#include "external_test.hpp"

namespace cubind::testing {
namespace {

/// A file of the program. It takes the numbers of all descriptors of the driver.
class ProgramFile {
public:
    ProgramFile() : file_(create_file(content.size())) {
        if (::pwrite(file_, content.data(), content.size(), 0) != static_cast<ssize_t>(content.size())) std::_Exit(20);
        for (const auto& each : std::filesystem::directory_iterator("/proc/self/fd")) {
            std::error_code error;
            const std::string target = std::filesystem::read_symlink(each.path(), error).string();
            if (target.find("memfd:cubind-s") == std::string::npos && target.find("memfd:cubind-external") == std::string::npos)
                continue;
            const int number = std::stoi(each.path().filename().string());
            if (::dup2(file_, number) != number) std::_Exit(21);
            numbers_.push_back(number);
        }
    }
    std::size_t count() const { return numbers_.size(); }
    bool is_unchanged() const {
        std::string found(content.size() + 1, '\0');
        found.resize(static_cast<std::size_t>(::pread(file_, found.data(), found.size(), 0)));
        for (const int each : numbers_) {
            if (!is_open(each)) return false;
        }
        return found == content;
    }

private:
    const std::string content = std::string(std::size_t{3} << 20, 'f');
    const int file_;
    std::vector<int> numbers_;
};

class SimClosedDescriptorTest : public SimTest {
protected:
    static constexpr auto shareable = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
    static constexpr std::size_t unit = std::size_t{2} << 20;

    static auto create(CUmemAllocationHandleType handles) {
        CUmemAllocationProp properties{};
        properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
        properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
        properties.requestedHandleTypes = handles;
        return cuMemCreate(unit, &properties, 0);
    }
    static CUexternalMemory import_file() {
        const int named = ::memfd_create("cubind-external", MFD_ALLOW_SEALING);
        if (::ftruncate(named, 8192) != 0) std::_Exit(22);
        CUDA_EXTERNAL_MEMORY_HANDLE_DESC description{};
        description.type = CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD;
        description.handle.fd = named;
        description.size = 8192;
        return cuImportExternalMemory(&description).value;
    }
    /// Uses all objects that have descriptors. Returns 0, or the number of the first step that has a wrong result.
    static int use_without_descriptors() {
        const auto plain = create(CU_MEM_HANDLE_TYPE_NONE).value;
        const auto shared = create(shareable).value;
        CUmemPoolProps properties{};
        properties.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
        properties.handleTypes = shareable;
        properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
        const CUmemoryPool pool = cuMemPoolCreate(&properties).value;
        const CUdeviceptr piece = cuMemAllocFromPoolAsync(4096, pool, nullptr).value;
        const CUevent event = create_event(CU_EVENT_INTERPROCESS | CU_EVENT_DISABLE_TIMING);
        const CUexternalMemory external = import_file();
        const ProgramFile file;
        if (file.count() < 5) return 1;
        int descriptor = -1;
        if (create(CU_MEM_HANDLE_TYPE_NONE).status != CUDA_ERROR_OUT_OF_MEMORY) return 2;
        if (cuMemExportToShareableHandle(&descriptor, shared, shareable, 0).ok()) return 3;
        const CUdeviceptr range = cuMemAddressReserve(unit, 0, 0, 0).value;
        for (const auto each : {plain, shared}) {
            if (cuMemMap(range, unit, 0, each, 0).ok()) return 4;
        }
        if (cuMemAllocFromPoolAsync(4096, pool, nullptr).ok()) return 5;
        if (cuMemPoolExportToShareableHandle(&descriptor, pool, shareable, 0).ok()) return 6;
        const CUDA_EXTERNAL_MEMORY_BUFFER_DESC part{0, 4096, 0, {}};
        if (cuExternalMemoryGetMappedBuffer(external, &part).ok()) return 7;
        if (!cuMemsetD8(piece, 1, 4096).ok()) return 8;  // mapped before
        if (!cuMemRelease(plain).ok() || !cuMemRelease(shared).ok()) return 9;
        if (!cuMemFreeAsync(piece, nullptr).ok() || !cuStreamSynchronize(nullptr).ok()) return 10;
        if (!cuMemPoolDestroy(pool).ok() || !cuEventDestroy(event).ok()) return 11;
        if (!cuDestroyExternalMemory(external).ok()) return 12;
        return file.is_unchanged() ? 0 : 13;
    }
};

// In a child, because the memory of the process has no descriptor afterwards.
TEST_F(SimClosedDescriptorTest, ChangesAndClosesNoFileOfTheProgram) {
    start_for_children();
    EXPECT_EXIT(std::_Exit(use_without_descriptors()), ::testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace cubind::testing
