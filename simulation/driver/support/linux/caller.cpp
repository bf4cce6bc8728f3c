// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "support/caller.hpp"

#include <dlfcn.h>
#include <unwind.h>

namespace CUBIND_NAMESPACE::sim {

namespace {

struct Search {
    const void* own_base = nullptr;
    const char* file = nullptr;
};

_Unwind_Reason_Code examine(_Unwind_Context* frame, void* argument) {
    auto& search = *static_cast<Search*>(argument);
    Dl_info info{};
    const auto address = _Unwind_GetIP(frame);
    if (address == 0 || dladdr(reinterpret_cast<void*>(address), &info) == 0) return _URC_NO_REASON;
    if (info.dli_fbase == search.own_base || info.dli_fname == nullptr) return _URC_NO_REASON;
    search.file = info.dli_fname;
    return _URC_END_OF_STACK;
}

}  // namespace

const char* file_of_caller() noexcept {
    Dl_info self{};
    if (dladdr(reinterpret_cast<void*>(&examine), &self) == 0) return nullptr;
    Search search{.own_base = self.dli_fbase};
    _Unwind_Backtrace(examine, &search);
    return search.file;
}

}  // namespace CUBIND_NAMESPACE::sim
