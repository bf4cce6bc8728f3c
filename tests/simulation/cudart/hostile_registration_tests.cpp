// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Wrong arguments of the functions that code compiled by nvcc calls.
#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>

#include "cudart_test.hpp"
#include "fat_binary.hpp"

namespace cubind::testing {
namespace {

struct Structure {
    std::int32_t magic = 0x466243b1;
    std::int32_t version = 1;
    const void* code = nullptr;
    const void* linked = nullptr;
};

void** register_binary(void* structure) {
    return runtime_symbol<void**(void*)>("__cudaRegisterFatBinary")(structure);
}
void unregister_binary(void** handle) {
    runtime_symbol<void(void**)>("__cudaUnregisterFatBinary")(handle);
}
void register_function(void** handle, const void* host_function, const char* name) {
    using Register = void(void**, const void*, char*, const char*, int, void*, void*, void*, void*, int*);
    runtime_symbol<Register>("__cudaRegisterFunction")(handle, host_function, nullptr, name, -1, nullptr, nullptr, nullptr,
                                                       nullptr, nullptr);
}
void register_variable(void** handle, const void* host_variable, const char* name) {
    using Register = void(void**, const void*, char*, const char*, int, std::size_t, int, int);
    runtime_symbol<Register>("__cudaRegisterVar")(handle, host_variable, nullptr, name, 0, 4, 0, 0);
}
bool initialize(void** handle) {
    return runtime_symbol<char(void**)>("__cudaInitModule")(handle) != 0;
}
cudaError_t launch(const void* host_function) {
    return cudaLaunchKernel(host_function, {1, 1, 1}, {1, 1, 1}, nullptr, 0, nullptr).status;
}
cudaError_t last_error() {
    return cudaGetLastError().status;
}

class CudartHostileRegistrationTest : public ::testing::Test {
protected:
    cudaError_t launch_from(void* structure) const {
        void** const handle = register_binary(structure);
        register_function(handle, &function, "kernel");
        const cudaError_t status = launch(&function);
        unregister_binary(handle);
        return status;
    }

    char function = 0;
    char variable = 0;
};

TEST_F(CudartHostileRegistrationTest, RejectsHandlesThatWereNotReturned) {
    Structure structure;
    void** const unregistered = register_binary(&structure);
    unregister_binary(unregistered);
    unregister_binary(unregistered);
    for (void** const handle : {static_cast<void**>(nullptr), reinterpret_cast<void**>(0x1234), unregistered}) {
        register_function(handle, &function, "kernel");
        EXPECT_EQ(last_error(), cudaErrorInvalidResourceHandle);
        register_variable(handle, &variable, "variable");
        EXPECT_EQ(last_error(), cudaErrorInvalidResourceHandle);
        EXPECT_FALSE(initialize(handle));
        EXPECT_EQ(last_error(), cudaErrorInvalidResourceHandle);
        unregister_binary(handle);
    }
    EXPECT_EQ(launch(&function), cudaErrorInvalidResourceHandle);
    EXPECT_EQ(cudaGetSymbolAddress(&variable).status, cudaErrorInvalidSymbol);
}

TEST_F(CudartHostileRegistrationTest, RejectsNullNames) {
    Structure structure;
    void** const handle = register_binary(&structure);
    register_function(handle, &function, nullptr);
    EXPECT_EQ(last_error(), cudaErrorInvalidValue);
    register_variable(handle, &variable, nullptr);
    EXPECT_EQ(last_error(), cudaErrorInvalidValue);
    unregister_binary(handle);
}

TEST_F(CudartHostileRegistrationTest, RejectsStructuresWithoutAFatBinary) {
    EXPECT_EQ(launch_from(nullptr), cudaErrorInvalidKernelImage);
    Structure empty;
    EXPECT_EQ(launch_from(&empty), cudaErrorInvalidKernelImage);
    Structure other;
    other.magic = 7;
    EXPECT_EQ(launch_from(&other), cudaErrorInvalidKernelImage);
    std::array<char, 64> text{"not a fat binary"};
    const std::array<const void*, 2> list{text.data(), nullptr};
    Structure linked{.version = 2, .linked = list.data()};
    EXPECT_EQ(launch_from(&linked), cudaErrorInvalidKernelImage);
}

// nvcc -rdc=true writes binaries to link, and machine code if it has linked them.
TEST_F(CudartHostileRegistrationTest, TellsWhyCodeToLinkDoesNotRun) {
    const std::string to_link = FatBinaryWriter().add(FatBinaryWriter::ptx, 121, "").finish();
    const std::string none = FatBinaryWriter().finish();
    const std::string linked_code = FatBinaryWriter().add(FatBinaryWriter::cubin, 80, "").finish();
    const std::array<const void*, 2> list{to_link.data(), nullptr};
    for (const auto& [code, text] : {std::pair{&none, "PTX for sm_121"}, std::pair{&linked_code, "machine code for sm_80"}}) {
        Structure structure{.version = 2, .code = code->data(), .linked = list.data()};
        ::testing::internal::CaptureStderr();
        EXPECT_EQ(launch_from(&structure), cudaErrorNoKernelImageForDevice);
        const std::string reported = ::testing::internal::GetCapturedStderr();
        EXPECT_NE(reported.find(text), std::string::npos) << reported;
        EXPECT_NE(reported.find("cubind-sim --arch"), std::string::npos) << reported;
    }
}

// The memory ends behind the first header. Nothing but the stated size ends the fat binary.
TEST_F(CudartHostileRegistrationTest, RejectsAFatBinaryThatIsLargerThanTheMemory) {
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    void* const pages = mmap(nullptr, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ASSERT_NE(pages, MAP_FAILED);
    auto* const end = static_cast<char*>(pages) + page;
    ASSERT_EQ(mprotect(end, page, PROT_NONE), 0);
    const auto write = [&](std::size_t place, auto value) { std::memcpy(end - 80 + place, &value, sizeof value); };
    constexpr std::uint16_t ptx = 1;
    for (const std::uint64_t size_of_entry : {std::uint64_t{0}, std::uint64_t{1} << 30, ~std::uint64_t{0}}) {
        std::memset(end - 80, 0, 80);
        write(0, std::uint32_t{0xba55ed50});
        write(4, std::uint16_t{1});
        write(6, std::uint16_t{16});
        write(8, std::uint64_t{1} << 32);
        write(16, ptx);
        write(20, std::uint32_t{64});
        write(24, size_of_entry);
        write(44, std::uint32_t{70});
        Structure structure{.code = end - 80};
        EXPECT_EQ(launch_from(&structure), cudaErrorInvalidKernelImage) << size_of_entry;
    }
    munmap(pages, 2 * page);
}

TEST_F(CudartHostileRegistrationTest, RejectsNullPointersForResults) {
    const auto push = runtime_symbol<unsigned(dim3, dim3, std::size_t, cudaStream_t)>("__cudaPushCallConfiguration");
    const auto pop = runtime_symbol<cudaError_t(dim3*, dim3*, std::size_t*, void*)>("__cudaPopCallConfiguration");
    EXPECT_EQ(push({1, 1, 1}, {1, 1, 1}, 0, nullptr), 0u);
    EXPECT_EQ(pop(nullptr, nullptr, nullptr, nullptr), cudaErrorInvalidValue);
    dim3 grid;
    dim3 block;
    std::size_t shared = 0;
    cudaStream_t stream = nullptr;
    EXPECT_EQ(pop(&grid, &block, &shared, &stream), cudaSuccess);
    EXPECT_EQ(runtime_symbol<cudaError_t(cudaKernel_t*, const void*)>("__cudaGetKernel")(nullptr, &function),
              cudaErrorInvalidValue);
}

// Returns the grid of the launch that was begun for it.
unsigned grid_of_begun_launch(unsigned width) {
    const auto push = runtime_symbol<unsigned(dim3, dim3, std::size_t, cudaStream_t)>("__cudaPushCallConfiguration");
    const auto pop = runtime_symbol<cudaError_t(dim3*, dim3*, std::size_t*, void*)>("__cudaPopCallConfiguration");
    dim3 grid{}, block{};
    std::size_t shared = 0;
    cudaStream_t stream = nullptr;
    const bool succeeds = push({width, 1, 1}, {1, 1, 1}, 0, nullptr) == 0 && pop(&grid, &block, &shared, &stream) == cudaSuccess;
    return succeeds ? grid.x : 0;
}

// Static objects are destroyed after the thread-local objects of the main thread.
TEST_F(CudartHostileRegistrationTest, BeginsLaunchesInDestructorsOfStaticObjects) {
    const auto launch_at_exit = [] {
        if (grid_of_begun_launch(5) != 5) std::exit(3);
        (void)std::atexit([] { std::_Exit(grid_of_begun_launch(7) == 7 ? 0 : 4); });
        std::exit(5);
    };
    EXPECT_EXIT(launch_at_exit(), ::testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace cubind::testing
