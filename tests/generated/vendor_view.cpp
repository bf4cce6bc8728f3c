// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Compiling this file is the test: the header asserts every layout and enumerator against the vendor's header, here in one of its
// views. CMake defines VENDOR_LAYOUT_HPP and the macros of the view.
#include VENDOR_LAYOUT_HPP
