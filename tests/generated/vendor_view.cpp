// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// The test is that this file compiles. vendor_layout.hpp checks every layout and enumerator against the vendor's header in one of
// its views. CMake defines VENDOR_LAYOUT_HPP and the macros of the view.
#include VENDOR_LAYOUT_HPP
