// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// The test is that this file compiles. vendor_layout.hpp checks every layout and enumerator against the vendor's header in one of
// its views. CMake defines VENDOR_HEADERS, a file that includes all headers of the library, VENDOR_LAYOUT_HPP, and the macros of
// the view.
#include VENDOR_HEADERS
#include VENDOR_LAYOUT_HPP
