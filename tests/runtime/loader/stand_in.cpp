// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
// A vendor library with one function of each kind that the loader's tests call.
#include <stdlib.h>

struct Wide {
    long a, b, c;
};

// Records in the process that the library was opened, even if it is closed again.
[[gnu::constructor]] static void record_opening() {
    setenv(STAND_IN_MAJOR == 12 ? "CUBIND_STAND_IN_12_OPENED" : "CUBIND_STAND_IN_13_OPENED", "1", 1);
}

extern "C" {

extern const int stand_in_variable = STAND_IN_MAJOR;

int stand_in_version(int* version) {
    *version = STAND_IN_MAJOR * 1000 + 20;
    return 0;
}

int stand_in_major_and_minor(int* major, int* minor) {
    *major = STAND_IN_MAJOR;
    *minor = 2;
    return 0;
}

int stand_in_three_numbers(int* major, int* minor, int* patch) {
    *major = 2;
    *minor = 19;
    *patch = 3;
    return 0;
}

int stand_in_absurd_numbers(int* major, int* minor, int* patch) {
    *major = 0x7fffffff;
    *minor = 0x7fffffff;
    *patch = -1;
    return 0;
}

// Returns 2.19.3 in parts, which 7, 8 and 9 select.
int stand_in_property(int property, int* value) {
    constexpr int parts[] = {2, 19, 3};
    if (property < 7 || property > 9) return 1;
    *value = parts[property - 7];
    return 0;
}

unsigned long stand_in_returned_version() {
    return 21903;
}

int stand_in_weighted_version(int* version) {
    *version = 12514;
    return 0;
}

int stand_in_failing_version(int* version) {
    *version = 13020;
    return 34;
}

int stand_in_add(int left, int right, int* sum) {
    *sum = left + right;
    return 0;
}

int stand_in_return(int status) {
    return status;
}

// The name under which a library of an older release exports stand_in_newer.
int __stand_in_newer_12_0(int status) {
    return status;
}

const char* stand_in_text() {
    return "stand-in";
}

void stand_in_poke(int* target) {
    ++*target;
}

int stand_in_eleven(int a, int b, int c, int d, int e, int f, short g, long h, double i, Wide j, long* digits) {
    const long others[] = {b, c, d, e, f, g, h, static_cast<long>(i), j.a + j.b + j.c};
    *digits = a;
    for (const long digit : others) {
        *digits = *digits * 10 + digit;
    }
    return 0;
}

}  // extern "C"
