// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// What the programs in this folder share: the products of make_products.py, and their comparison with the host.

#include <filesystem>
#include <string>

#include "../../core/example.hpp"

namespace example {

/// Runs an example with the folder that its argument names, `products` by default. Skips it if the folder lacks the file.
template <class Body>
int run_with_products(int argc, char** argv, const char* file, Body body) {
    return run([&] {
        const std::filesystem::path folder = argc > 1 ? argv[1] : "products";
        if (!std::filesystem::exists(folder / file))
            return skip("There is no " + (folder / file).string() +
                        "; run examples/kernels/python/make_products.py FOLDER, and name the folder.");
        return body(folder);
    });
}

}  // namespace example
