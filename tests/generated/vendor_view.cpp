// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Compiling this is the test: vendor.hpp proves every layout and enumerator against the vendor's header, here in one of its
// views. CMake defines VENDOR_HPP and the macros of the view.
#include VENDOR_HPP
