// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// A program without the dynamic linker, into which no driver can load a library.
int main() {
    return 5;
}
