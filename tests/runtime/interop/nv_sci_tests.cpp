// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/interop/external_memory.hpp>
#include <cubind/interop/external_semaphore.hpp>
#include <cubind/layers/layer.hpp>

#include <string_view>

#include "interop_test.hpp"

namespace cubind::testing {
namespace {

/// Takes the place of the part of a driver that uses NvSci, which the simulated driver does not have.
class NvSciStandIn final : public layers::Layer {
public:
    NvSciStandIn() { layers::push(*this); }
    NvSciStandIn(const NvSciStandIn&) = delete;
    NvSciStandIn& operator=(const NvSciStandIn&) = delete;
    ~NvSciStandIn() { layers::remove(*this); }

    driver::CUDA_EXTERNAL_MEMORY_HANDLE_DESC memory{};        ///< of the latest import
    driver::CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC semaphore{};  ///< of the latest import
    void* list = nullptr;                                     ///< of the latest call for attributes
    driver::CUdevice device = -1;
    int flags = 0;
    void* fence = nullptr;  ///< of the latest wait
    int destroyed = 0;

    void handle(const Call& call, const layers::Next& next) noexcept override {
        const std::string_view symbol = call.function.symbol;
        if (symbol == "cuImportExternalMemory") {
            memory = **static_cast<const driver::CUDA_EXTERNAL_MEMORY_HANDLE_DESC* const*>(call.arguments[1]);
            **static_cast<driver::CUexternalMemory* const*>(call.arguments[0]) = reinterpret_cast<driver::CUexternalMemory>(this);
        } else if (symbol == "cuImportExternalSemaphore") {
            semaphore = **static_cast<const driver::CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC* const*>(call.arguments[1]);
            **static_cast<driver::CUexternalSemaphore* const*>(call.arguments[0]) =
                reinterpret_cast<driver::CUexternalSemaphore>(this);
        } else if (symbol == "cuDeviceGetNvSciSyncAttributes") {
            list = *static_cast<void* const*>(call.arguments[0]);
            device = *static_cast<const driver::CUdevice*>(call.arguments[1]);
            flags = *static_cast<const int*>(call.arguments[2]);
        } else if (symbol.starts_with("cuWaitExternalSemaphoresAsync")) {
            fence = (*static_cast<const driver::CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS* const*>(call.arguments[1]))
                        ->params.nvSciSync.fence;
        } else if (symbol == "cuDestroyExternalMemory" || symbol == "cuDestroyExternalSemaphore") {
            ++destroyed;
        } else {
            return next(call);
        }
        call.status() = driver::CUDA_SUCCESS;
    }
};

class NvSciTest : public InteropTest {
protected:
    int object = 0, list = 0, fence = 0;  // their addresses are objects of NvSci
};

TEST_F(NvSciTest, ImportsBuffers) {
    NvSciStandIn nv_sci;
    {
        const auto memory = ExternalMemory::import_nv_sci_buf(device.context(), &object, 4096, {.dedicated = true});
        EXPECT_EQ(nv_sci.memory.type, driver::CU_EXTERNAL_MEMORY_HANDLE_TYPE_NVSCIBUF);
        EXPECT_EQ(nv_sci.memory.handle.nvSciBufObject, &object);
        EXPECT_EQ(nv_sci.memory.size, 4096u);
        EXPECT_EQ(nv_sci.memory.flags, unsigned{driver::CUDA_EXTERNAL_MEMORY_DEDICATED});
        EXPECT_EQ(memory.size(), 4096u);
    }
    EXPECT_EQ(nv_sci.destroyed, 1);
    EXPECT_FALSE(ContextRef::current());
}

TEST_F(NvSciTest, ImportsSynchronizationObjects) {
    NvSciStandIn nv_sci;
    const auto semaphore = ExternalSemaphore::import_nv_sci_sync(device.context(), &object);
    EXPECT_EQ(nv_sci.semaphore.type, driver::CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_NVSCISYNC);
    EXPECT_EQ(nv_sci.semaphore.handle.nvSciSyncObj, &object);
    wait_semaphores(stream, {{semaphore, {}, &fence}});
    EXPECT_EQ(nv_sci.fence, &fence);
}

TEST_F(NvSciTest, FillsListsOfAttributes) {
    NvSciStandIn nv_sci;
    fill_nv_sci_sync_attributes(Device(1), &list, NvSciSyncAccess::signal_and_wait);
    EXPECT_EQ(nv_sci.list, &list);
    EXPECT_EQ(nv_sci.device, 1);
    EXPECT_EQ(nv_sci.flags, 3);
}

TEST_F(NvSciTest, RefusesMisuse) {
    expect_misuse([&] { (void)ExternalMemory::import_nv_sci_buf(device.context(), nullptr, 1); }, "nullptr");
    expect_misuse([&] { (void)ExternalMemory::import_nv_sci_buf(device.context(), &object, 0); }, "0 bytes");
    expect_misuse([&] { fill_nv_sci_sync_attributes(device, nullptr, NvSciSyncAccess::wait); }, "nullptr");
}

TEST_F(NvSciTest, ExplainsRefusals) {
    EXPECT_THAT(message_of<Error>([&] { (void)ExternalMemory::import_nv_sci_buf(device.context(), &object, 4096); }),
                AllOf(HasSubstr("cuImportExternalMemory"), HasSubstr("NvSciBufObj"), HasSubstr("4096 bytes")));
    EXPECT_THAT(message_of<Error>([&] { fill_nv_sci_sync_attributes(device, &list, NvSciSyncAccess::wait); }),
                AllOf(HasSubstr("cuDeviceGetNvSciSyncAttributes"), HasSubstr("device 0")));
}

TEST_F(NvSciTest, ReportsAFailureOfEachCall) {
    NvSciStandIn nv_sci;
    EXPECT_GE(sweep([&] {
                  fill_nv_sci_sync_attributes(device, &list, NvSciSyncAccess::wait);
                  ExternalMemory::import_nv_sci_buf(device.context(), &object, 4096).close();
              }),
              3u);
}

}  // namespace
}  // namespace cubind::testing
