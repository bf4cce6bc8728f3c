// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Case: the header defines classes with private fields. A class that the API only points to is not defined in generated code. A
// class that it uses by value has the same fields, which vendor_layout.hpp cannot name.
#ifndef TOY_H
#define TOY_H

#include "toy_base.h"

struct alignas(4) toyHalf {
    toyHalf() = default;
    explicit toyHalf(int value) : bits(static_cast<unsigned short>(value)) {}

protected:
    unsigned short bits;
};
typedef toyHalf toyHalfType;

class toyQuarter {
    unsigned char bits;

public:
    operator int() const { return bits; }
};

typedef struct toyPair {
    toyQuarter first;
    toyQuarter second;
} toyPair;

extern "C" {

/**
 * \defgroup TOY_MAIN Main
 * @{
 */
toyStatus toyScale(const toyHalf *factor, toyHalfType *data, int count);
toyStatus toyJoin(toyPair *pair, toyQuarter quarter);
/** @} */
}

#endif
