// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/nvrtc/types.hpp>

#include "program/compile_job.hpp"

namespace cubind::detail {

/// A program that NVRTC is working on. All that fails throws CompileError with the log.
class NvrtcProgram {
public:
    explicit NvrtcProgram(const CompileJob& job);
    NvrtcProgram(const NvrtcProgram&) = delete;
    NvrtcProgram& operator=(const NvrtcProgram&) = delete;
    ~NvrtcProgram();

    void compile();

    /// What the job's target is.
    Bytes code() const;
    SymbolMapping symbol_mapping() const;
    std::string log() const;

    /// What NVRTC says of the precompiled header.
    nvrtc::nvrtcResult pch_result() const;
    /// What it needs to make one, if it had too little room for it.
    std::size_t pch_heap_size_required() const;

private:
    template <class Result>
    auto check_step(const Result& result) const;
    template <class Size, class Get>
    Bytes get(Size size_of, Get get) const;

    const CompileJob& job_;
    nvrtc::nvrtcProgram program_ = nullptr;
};

}  // namespace cubind::detail
