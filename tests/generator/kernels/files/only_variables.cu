// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

__constant__ int table[256];
