// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "groups.hpp"

namespace answers {

// The texts are facts that programs compare, so all of them are recorded.
void ask_about_errors() {
    for (int i = 0; i <= 1000; ++i) {
        const auto error = static_cast<CUresult>(i);
        ask(std::to_string(i).c_str(), [&]() -> cubind::Result<CUresult, const char*, const char*> {
            const auto [name_status, name] = cuGetErrorName(error);
            const auto [text_status, text] = cuGetErrorString(error);
            return {name_status == text_status ? name_status : CUDA_ERROR_UNKNOWN, name, text};
        });
    }
    ASK(cuGetErrorString(static_cast<CUresult>(1 << 20)));
    const char* untouched = "untouched";
    const auto into_null =
        reinterpret_cast<CUresult (*)(CUresult, const char**)>(cuGetProcAddress("cuGetErrorName", 12000, 0).value1);
    if (into_null != nullptr) {
        ask("cuGetErrorName(1, null)", [&] { return cubind::Result<CUresult>{into_null(CUDA_ERROR_INVALID_VALUE, nullptr)}; });
        ask("cuGetErrorName(5000, &text)",
            [&] { return cubind::Result<CUresult>{into_null(static_cast<CUresult>(5000), &untouched)}; });
        REPORT(untouched);
    }
}

}  // namespace answers
