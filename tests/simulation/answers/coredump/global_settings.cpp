// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include "coredump/values.hpp"

namespace answers {

void ask_about_global_settings() {
    report_all("before cuInit", true);
    ASK(set_global(CU_COREDUMP_ENABLE_ON_EXCEPTION, true));
    ASK(set_global(CU_COREDUMP_FILE, "dump.%h.%p"));
    ASK(cuInit(0));
    report_all("after cuInit", true);
    for (unsigned i = 0; i <= CU_COREDUMP_MAX; ++i) {
        const auto attribute = static_cast<CUcoredumpSettings>(i);
        ask(("cuCoredumpGetAttributeGlobal(null) " + std::to_string(i)).c_str(),
            [&] { return cuCoredumpGetAttributeGlobal(attribute, nullptr, 0); });
        ask(("cuCoredumpSetAttributeGlobal(null) " + std::to_string(i)).c_str(),
            [&] { return cuCoredumpSetAttributeGlobal(attribute, nullptr, 0); });
    }
    ASK(set_global(CU_COREDUMP_TRIGGER_HOST, false));
    report_all("without abort", true);
    ASK(set_global(CU_COREDUMP_LIGHTWEIGHT, true));
    report_all("lightweight", true);
    ASK(set_global(CU_COREDUMP_LIGHTWEIGHT, false));
    report_all("not lightweight", true);
    ASK(set_global_flags(CU_COREDUMP_LIGHTWEIGHT_FLAGS));
    report_all("with flags", true);
    ASK(set_global_flags(CU_COREDUMP_SKIP_ABORT | CU_COREDUMP_GZIP_COMPRESS));
    report_all("compressed", true);
    ASK(set_global_flags(0));
    report_all("without flags", true);
    ASK(set_global_flags(CU_COREDUMP_LOG_ONLY));
    ASK(set_global_flags(1 << 20));
    report_all("unknown flag", true);
}

void ask_about_global_mistakes() {
    char text[1025] = {};
    int number = 0;
    bool value = true;
    ASK(cuCoredumpGetAttributeGlobal(CU_COREDUMP_ENABLE_ON_EXCEPTION, &value, 0));
    ASK(cuCoredumpGetAttributeGlobal(CU_COREDUMP_ENABLE_ON_EXCEPTION, &number, sizeof number));
    ASK(cuCoredumpGetAttributeGlobal(CU_COREDUMP_GENERATION_FLAGS, &number, 1));
    ASK(cuCoredumpGetAttributeGlobal(CU_COREDUMP_FILE, text, 4));
    ASK(cuCoredumpGetAttributeGlobal(CU_COREDUMP_FILE, text, 1023));
    ASK(cuCoredumpGetAttributeGlobal(CU_COREDUMP_FILE, text, 1024));
    ASK(cuCoredumpGetAttributeGlobal(CU_COREDUMP_FILE, text, 1025));
    ASK(cuCoredumpGetAttributeGlobal(static_cast<CUcoredumpSettings>(0), &value, 1));
    ASK(cuCoredumpGetAttributeGlobal(CU_COREDUMP_MAX, &value, 1));
    ASK(cuCoredumpSetAttributeGlobal(CU_COREDUMP_ENABLE_ON_EXCEPTION, &value, 0));
    ASK(cuCoredumpSetAttributeGlobal(CU_COREDUMP_ENABLE_ON_EXCEPTION, &value, 4));
    ASK(cuCoredumpSetAttributeGlobal(CU_COREDUMP_GENERATION_FLAGS, &number, 1));
    ASK(cuCoredumpSetAttributeGlobal(CU_COREDUMP_GENERATION_FLAGS, &number, 8));
    ASK(cuCoredumpSetAttributeGlobal(static_cast<CUcoredumpSettings>(0), &value, 1));
    ASK(cuCoredumpSetAttributeGlobal(CU_COREDUMP_MAX, &value, 1));
    ASK(set_global(CU_COREDUMP_FILE, ""));
    report_all("empty name", true);
    const std::string longest(1023, 'f'), too_long(1024, 'f');
    ASK(set_global(CU_COREDUMP_FILE, longest.c_str()));
    ASK(set_global(CU_COREDUMP_FILE, too_long.c_str()));
    char part[] = "abcdef";
    ASK(cuCoredumpSetAttributeGlobal(CU_COREDUMP_FILE, part, 3));
    report_all("part of a name", true);
    ASK(cuCoredumpSetAttributeGlobal(CU_COREDUMP_FILE, part, 0));
    report_all("nothing", true);
}

void ask_about_triggers() {
    const std::string pipe = pipe_name();
    ASK(set_global(CU_COREDUMP_PIPE, pipe.c_str()));
    ASK(set_global(CU_COREDUMP_ENABLE_USER_TRIGGER, true));
    report_all("enabled", true);
    ASK(set_global(CU_COREDUMP_PIPE, "cubind-answers-other-pipe"));
    report_all("another pipe", true);
    ASK(cuInit(0));
    const CUcontext context = ASK(cuCtxCreate_v2(0, 0)).value;
    report_all("context", false);
    ASK(set(CU_COREDUMP_ENABLE_USER_TRIGGER, false));
    ASK(set(CU_COREDUMP_PIPE, "cubind-answers-other-pipe"));
    ASK(set_global(CU_COREDUMP_PIPE, "cubind-answers-other-pipe"));
    ASK(set_global(CU_COREDUMP_ENABLE_USER_TRIGGER, false));
    report_all("disabled", true);
    ASK(cuCtxDestroy(context));
    ::unlink(pipe.c_str());
}

}  // namespace answers
