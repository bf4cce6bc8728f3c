// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "strided/pinned_staging.hpp"

#include <cubind/driver/constants.hpp>
#include <cubind/driver/memory.hpp>

#include "calls/driver.hpp"
#include "device/context_object.hpp"
#include "lifetime/relaxed_capture_mode.hpp"

namespace CUBIND_NAMESPACE::detail {
namespace {

class StagingState final : public ContextObject {
public:
    explicit StagingState(ContextRef context) : ContextObject(context, free, "free pinned memory of a strided copy") {}

private:
    static Result<driver::CUresult> free(unsigned long long address) {
        return driver::cuMemFreeHost(reinterpret_cast<void*>(address));
    }
};

}  // namespace

PinnedStaging::PinnedStaging(ContextRef context, std::size_t size) : address_(0) {
    const auto state = std::make_shared<StagingState>(context);
    const ScopedContext scope(context);
    const RelaxedCaptureMode mode;
    void* const memory = check(driver::cuMemHostAlloc(size, driver::CU_MEMHOSTALLOC_PORTABLE));
    address_ = reinterpret_cast<driver::CUdeviceptr>(memory);
    StagingState* const owned = ContextObject::own(state, address_);
    memory_ = owned->share();
    owned->drop();  // copies of memory_ are the users from now on
}

}  // namespace CUBIND_NAMESPACE::detail
