// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/kernels/triton_json.hpp>

#include <filesystem>
#include <fstream>
#include <stdlib.h>

#include "embedded_ptx.hpp"

namespace cubind::testing {
namespace {

std::string refusal_of(std::string_view json) {
    return message_of<std::invalid_argument>([&] { (void)parse_triton_metadata(json); });
}

constexpr const char* complete = R"({"name": "softmax", "num_warps": 8, "warp_size": 32, "num_ctas": 2, "shared": 48,
    "launch_pdl": true, "launch_cooperative_grid": false, "global_scratch_size": 256, "global_scratch_align": 128,
    "profile_scratch_size": 0, "profile_scratch_align": 1, "target": {"backend": "cuda", "arch": 90, "warp_size": 32}})";

TEST(TritonJsonTest, ReadsTheMembers) {
    const TritonMetadata metadata = parse_triton_metadata(complete);
    EXPECT_EQ(metadata.name, "softmax");
    EXPECT_EQ(metadata.num_warps, 8);
    EXPECT_EQ(metadata.num_ctas, 2);
    EXPECT_EQ(metadata.shared, 48u);
    EXPECT_TRUE(metadata.launch_pdl);
    EXPECT_FALSE(metadata.launch_cooperative_grid);
    ASSERT_TRUE(metadata.global_scratch && metadata.profile_scratch);
    EXPECT_EQ(metadata.global_scratch->size, 256u);
    EXPECT_EQ(metadata.global_scratch->alignment, 128u);
    EXPECT_EQ(metadata.profile_scratch->size, 0u);
}

TEST(TritonJsonTest, AcceptsOlderReleases) {
    const TritonMetadata metadata = parse_triton_metadata(R"({"name": "add", "num_warps": 4, "shared": 0})");
    EXPECT_EQ(metadata.warp_size, 32);
    EXPECT_EQ(metadata.num_ctas, 1);
    EXPECT_FALSE(metadata.global_scratch || metadata.profile_scratch);
}

TEST(TritonJsonTest, RejectsOtherTexts) {
    for (const char* const text : {"", "[]", "no JSON", "{\"name\": ", "\xff\xfe"})
        EXPECT_THAT(refusal_of(text), HasSubstr("no JSON object"));
    EXPECT_THAT(refusal_of("{}"), HasSubstr("\"name\""));
    EXPECT_THAT(refusal_of(R"({"name": ""})"), HasSubstr("\"name\""));
    EXPECT_THAT(refusal_of(R"({"name": 3, "num_warps": 1})"), HasSubstr("\"name\""));
    EXPECT_THAT(refusal_of(R"({"name": "add"})"), HasSubstr("\"num_warps\""));
    for (const char* const number : {"-1", "0", "1.5", "\"4\"", "null", "4294967296", "1e99"})
        EXPECT_THAT(refusal_of(std::string(R"({"name": "add", "num_warps": )") + number + "}"), HasSubstr("\"num_warps\""))
            << number;
    EXPECT_THAT(refusal_of(R"({"name": "add", "num_warps": 4, "shared": -4})"), HasSubstr("\"shared\""));
    EXPECT_THAT(refusal_of(R"({"name": "add", "num_warps": 4, "launch_pdl": 1})"), HasSubstr("\"launch_pdl\""));
    EXPECT_THAT(refusal_of(R"({"name": "add", "num_warps": 4, "global_scratch_size": 1, "global_scratch_align": 0})"),
                HasSubstr("\"global_scratch_align\""));
}

TEST(TritonJsonTest, ReadsAFile) {
    std::string folder = (std::filesystem::temp_directory_path() / "cubind-triton-XXXXXX").string();
    ASSERT_NE(mkdtemp(folder.data()), nullptr);
    const std::string path = folder + "/softmax.json";
    EXPECT_THAT(message_of<std::invalid_argument>([&] { (void)read_triton_metadata(path); }),
                AllOf(HasSubstr(path), HasSubstr("cannot be read")));
    std::ofstream(path) << complete;
    EXPECT_EQ(read_triton_metadata(path).name, "softmax");
    EXPECT_THAT(message_of<std::invalid_argument>([&] { (void)read_triton_metadata(folder); }), HasSubstr("cannot be read"));
    std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace cubind::testing
