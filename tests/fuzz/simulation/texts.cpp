// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "texts.hpp"

namespace cubind::fuzz {

namespace {

constexpr const char* names[] = {
    "",       "first", "second",       "table", "text",         "cuInit",       "cuMemAlloc",  "cuStreamSynchronize",
    "_Z1kPi", "cu",    "no such name", "%s%n",  "0000:01:00.0", "0000:02:00.0", "ffff:ff:1f.7"};
// Not even root can create a file at any of these paths.
constexpr const char* paths[] = {"", ".", "/dev/null", "/dev/null/below", "no such folder/file"};

constexpr const char* images[] = {
    R"(.version 8.0
.target sm_90
.address_size 64
.global .align 4 .u32 table[16];
.const .f32 text = 0f3F800000;
.visible .entry first(.param .u64 out, .param .u32 count)
{
    .reg .u32 %r<4>;
    ld.param.u32 %r1, [count];
    ret;
}
.visible .entry second(.param .align 8 .b8 block[24], .param .f64 factor)
.maxntid 128, 1, 1
{
    .shared .align 16 .b8 tile[1024];
    ret;
}
)",
    R"(.version 7.0 .target sm_50 .address_size 64 .visible .entry _Z1kPi ( ) { ret; } // end)",
    ".version 8.0\n.target sm_80\n.address_size 64\n.extern .func (.param .b32 r) f (.param .b64 p);\n",
    ".version 8.0\n.target sm_90\n.entry first(.param .u64 out {",
    "",
    "no module",
    "\177ELF\2\1\1",
};

template <std::size_t Count>
std::string one_of(const char* const (&texts)[Count], Choices& choices) {
    return texts[choices.below(Count)];
}

}  // namespace

std::string random_text(Choices& choices) {
    if (!choices.one_in(8)) return one_of(names, choices);
    const char fill_character = static_cast<char>(choices.below(255) + 1);
    return std::string(choices.one_in(4) ? 5000 : choices.below(16), fill_character);
}

std::string random_path(Choices& choices) {
    return one_of(paths, choices);
}

std::string random_image(Choices& choices) {
    std::string image = one_of(images, choices);
    if (!image.empty() && choices.one_in(4)) image[choices.below(image.size())] = static_cast<char>(choices.below(255) + 1);
    return image;
}

}  // namespace cubind::fuzz
