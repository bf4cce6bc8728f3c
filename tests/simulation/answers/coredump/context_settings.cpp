// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include "coredump/values.hpp"

namespace answers {

namespace {

void ignore(void*, int, CUdevice) {}

}  // namespace

void ask_about_settings_of_contexts() {
    ASK(cuInit(0));
    ASK(cuCtxCreate_v2(0, 0));
    report_all("context", false);
    ASK(set_global(CU_COREDUMP_ENABLE_ON_EXCEPTION, true));
    ASK(set_global(CU_COREDUMP_FILE, "global"));
    report_all("context that existed", false);
    ASK(cuCtxCreate_v2(0, 0));
    report_all("new context", false);
    ASK(set(CU_COREDUMP_ENABLE_ON_EXCEPTION, false));
    ASK(set(CU_COREDUMP_FILE, "own.%p"));
    ASK(set(CU_COREDUMP_LIGHTWEIGHT, true));
    report_all("changed context", false);
    report_all("unchanged global", true);
    ASK(set(CU_COREDUMP_TRIGGER_HOST, false));
    ASK(set_flags(CU_COREDUMP_SKIP_SHARED_MEMORY));
    report_all("context with flags", false);
    const CUcontext primary = ASK(cuDevicePrimaryCtxRetain(0)).value;
    ASK(cuCtxSetCurrent(primary));
    report_all("primary context", false);
    ASK(set(CU_COREDUMP_LIGHTWEIGHT, true));
    ASK(cuDevicePrimaryCtxRelease(0));
    ASK(cuDevicePrimaryCtxRetain(0));
    report_all("primary context again", false);
}

void ask_about_flags_of_contexts() {
    ASK(cuInit(0));
    ASK(cuCtxCreate_v2(CU_CTX_COREDUMP_ENABLE, 0));
    ASK(cuCtxGetFlags());
    report_all("core dumps", false);
    report_all("global", true);
    const std::string pipe = pipe_name();
    ASK(set_global(CU_COREDUMP_PIPE, pipe.c_str()));
    ASK(cuCtxCreate_v2(CU_CTX_USER_COREDUMP_ENABLE, 0));
    ASK(cuCtxGetFlags());
    report_all("trigger", false);
    report_all("global with trigger", true);
    ::unlink(pipe.c_str());
}

void ask_about_mistakes_in_contexts() {
    bool value = true;
    char text[4] = {};
    ASK(cuCoredumpGetAttribute(CU_COREDUMP_ENABLE_ON_EXCEPTION, &value, 1));
    ASK(cuCoredumpSetAttribute(CU_COREDUMP_ENABLE_ON_EXCEPTION, &value, 1));
    ASK(cuInit(0));
    ASK(cuCoredumpGetAttribute(CU_COREDUMP_ENABLE_ON_EXCEPTION, &value, 1));
    ASK(cuCoredumpSetAttribute(CU_COREDUMP_ENABLE_ON_EXCEPTION, &value, 1));
    ASK(cuCoredumpGetAttribute(CU_COREDUMP_ENABLE_ON_EXCEPTION, nullptr, 0));
    const CUcontext context = ASK(cuCtxCreate_v2(0, 0)).value;
    for (unsigned i = 0; i <= CU_COREDUMP_MAX; ++i) {
        const auto attribute = static_cast<CUcoredumpSettings>(i);
        ask(("cuCoredumpGetAttribute(null) " + std::to_string(i)).c_str(),
            [&] { return cuCoredumpGetAttribute(attribute, nullptr, 0); });
        ask(("cuCoredumpSetAttribute(null) " + std::to_string(i)).c_str(),
            [&] { return cuCoredumpSetAttribute(attribute, nullptr, 0); });
    }
    ASK(cuCoredumpGetAttribute(CU_COREDUMP_ENABLE_ON_EXCEPTION, &value, 0));
    ASK(cuCoredumpGetAttribute(CU_COREDUMP_FILE, text, 4));
    ASK(set(static_cast<CUcoredumpSettings>(0), true));
    ASK(set(CU_COREDUMP_MAX, true));
    ASK(set(CU_COREDUMP_ENABLE_USER_TRIGGER, true));
    ASK(set(CU_COREDUMP_PIPE, "cubind-answers-other-pipe"));
    ASK(cuCtxDestroy(context));
}

void ask_about_callbacks() {
    ASK(cuCoredumpRegisterStartCallback(ignore, nullptr));
    ASK(cuInit(0));
    const auto start = ASK(cuCoredumpRegisterStartCallback(ignore, nullptr)).value;
    const auto again = ASK(cuCoredumpRegisterStartCallback(ignore, nullptr)).value;
    const auto complete = ASK(cuCoredumpRegisterCompleteCallback(ignore, nullptr)).value;
    REPORT(start == again);
    ASK(cuCoredumpRegisterStartCallback(nullptr, nullptr));
    ASK(cuCoredumpRegisterCompleteCallback(nullptr, nullptr));
    ASK(cuCoredumpDeregisterStartCallback(complete));
    ASK(cuCoredumpDeregisterCompleteCallback(complete));
    ASK(cuCoredumpDeregisterStartCallback(start));
    ASK(cuCoredumpDeregisterStartCallback(start));
    ASK(cuCoredumpDeregisterStartCallback(again));
    ASK(cuCoredumpDeregisterStartCallback(nullptr));
    ASK(cuCoredumpDeregisterCompleteCallback(nullptr));
}

}  // namespace answers
