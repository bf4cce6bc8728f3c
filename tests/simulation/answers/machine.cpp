// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "machine.hpp"

#include "question.hpp"

namespace answers {

void ask_about_machine() {
    ASK(cuInit(0));
    ASK(cuDriverGetVersion());
    for (const auto attribute : {CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR}) {
        ask(("cuDeviceGetAttribute " + std::to_string(attribute) + ' ' + to_string(attribute)).c_str(),
            [&] { return cuDeviceGetAttribute(attribute, 0); });
    }
}

}  // namespace answers
