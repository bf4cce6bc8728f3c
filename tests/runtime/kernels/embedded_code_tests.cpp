// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/kernels/embedded_code.hpp>

#include "embedded_ptx.hpp"

namespace cubind::testing {
namespace {

TEST_F(EmbeddedCodeTest, LoadsCompiledCodeUnchanged) {
    static constinit const EmbeddedCode code{{.name = "add.ptx", .code = embedded_ptx, .compiled = CodeType::ptx}};
    const EmbeddedCodeScope scope(code);
    const ObjectCode loaded = code.object_code(device);
    EXPECT_EQ(loaded.kind(), CodeType::ptx);
    EXPECT_EQ(loaded.text(), embedded_ptx);
    EXPECT_EQ(loaded.name(), "add.ptx");
    EXPECT_EQ(&code.object_code(Device(1)).shared_bytes().span()[0], &loaded.shared_bytes().span()[0]);
}

TEST_F(EmbeddedCodeTest, ReportsAFailureAgain) {
    static constinit const EmbeddedCode code{{.name = "empty.ptx", .code = "", .compiled = CodeType::ptx}};
    const EmbeddedCodeScope scope(code);
    for (int i = 0; i < 2; ++i) EXPECT_THROW((void)code.object_code(device), std::invalid_argument);
}

}  // namespace
}  // namespace cubind::testing
