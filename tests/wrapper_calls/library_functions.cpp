// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Registers a part of the functions of LIBRARY. The generated file FUNCTIONS lists them, and the generated file LAYOUTS describes
// their records.
#include HEADER

#include <stdint.h>

#include "lists.hpp"
#include "row.hpp"

namespace cubind::testing {
namespace {

namespace library = cubind::LIBRARY;

// The types of api.json are written without a namespace.
using namespace cubind;
using namespace cubind::LIBRARY;

}  // namespace

#include LAYOUTS

namespace {

#ifdef CUDA_API_PER_THREAD_DEFAULT_STREAM
constexpr const char* mode = "per-thread default stream";
#else
constexpr const char* mode = "legacy default stream";
#endif

std::vector<Function> functions() {
    const Function part[] = {
#include FUNCTIONS
    };
    return {part, part + sizeof part / sizeof *part};
}

#define TEXT_OF(token) TEXT(token)
#define TEXT(text) #text
[[maybe_unused]] const bool is_added =
    add({TEXT_OF(LIBRARY), mode, library::all_entry_points(), &library::entry_point_of, functions()});

}  // namespace
}  // namespace cubind::testing
