// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// search_test.js SITE: the search of the site without a browser. Prints each failure, and fails if there is one.
"use strict";

const fs = require("fs"), path = require("path"), zlib = require("zlib");

const site = path.resolve(process.argv[2]), limitOfIndex = 180000;
global.window = {};
require(path.join(site, "search_index.js"));
const search = require(path.join(site, "search.js"));
search.load(window.cubindNames);

const failures = [];
const check = (condition, message) => { if (!condition) failures.push(message); };
const firstOf = query => search.find(query, 5).found[0] ?? {name: "nothing", kind: "", url: ""};

const files = [["cuMemAlloc", "cuMemAlloc", "p"], ["cumemalloc", "cuMemAlloc", "p"], ["driver::cuMemAlloc", "cuMemAlloc", "p"],
    ["cuMemAlloc()", "cuMemAlloc", "p"], ["cuMemAlloc_v2", "cuMemAlloc_v2", "f"], ["CUMEMALLOC_V2", "cuMemAlloc_v2", "f"],
    ["cudaMalloc", "cudaMalloc", "f"], ["Stream", "Stream", "c"], ["cubind::Stream::synchronize", "synchronize", "m"],
    ["copy", "copy", "m"], ["CU_STREAM_NON_BLOCKING", "CU_STREAM_NON_BLOCKING", "e"], ["CUDA_VERSION", "CUDA_VERSION", "v"],
    ["CUdeviceptr", "CUdeviceptr", "t"], ["CUresult", "CUresult", "n"], ["driver/memory.hpp", "driver/memory.hpp", "g"]];
for (const [query, name, kind] of files) {
    const first = firstOf(query);
    check(first.name === name && first.kind === kind, `"${query}" finds ${first.kind} ${first.name} first, not ${kind} ${name}`);
}
for (const query of ["", "   ", "::", "xyzzy", "cuMemAlloc_v99", "(.*", "<script>"]) {
    check(search.find(query, 5).count === 0, `"${query}" finds ${firstOf(query).name}`);
}
check(search.find("cu", 40).found.length === 40, '"cu" does not fill the list');
check(search.find("cu", 40).count > 10000, `"cu" finds ${search.find("cu", 40).count} names, not most of them`);

// Every name finds itself, and every result has a page.
const entries = search.all(), pages = new Set();
check(entries.length > 20000, `the index has ${entries.length} entries`);
for (const entry of entries) {
    pages.add(entry.url.split("#")[0]);
    if (entry.kind !== "f" && entry.kind !== "p") continue;
    const first = firstOf(entry.name);
    check(first.name === entry.name, `"${entry.name}" finds ${first.name} first`);
}
for (const page of pages) check(fs.existsSync(path.join(site, page)), `the index leads to ${page}, which does not exist`);

const size = zlib.gzipSync(fs.readFileSync(path.join(site, "search_index.js")), {level: 9}).length;
check(size <= limitOfIndex, `search_index.js has ${size} bytes after gzip, more than ${limitOfIndex}`);
console.log(`${entries.length} entries, ${size} bytes after gzip, ${failures.length} failures`);
for (const failure of failures.slice(0, 50)) console.log(failure);
process.exit(failures.length > 0 ? 1 : 0);
