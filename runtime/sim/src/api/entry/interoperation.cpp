// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Symbols that the driver exports and cuda.h does not declare: the profiler, exchange of data with graphics libraries, and the
// mark of the simulation. Like the generated symbols, this file is compiled twice: for cubind::sim and for libcuda.so.1.
#include "machine/check.hpp"
#include "machine/symbols.hpp"

#ifdef CUBIND_SIM_EXPORTED
#define CUBIND_SIM_SYMBOL(symbol) symbol
#define CUBIND_SIM_VISIBILITY [[gnu::visibility("default")]]
#else
#define CUBIND_SIM_SYMBOL(symbol) sim_symbol_##symbol
#define CUBIND_SIM_VISIBILITY
#endif

// Each symbol that is not simulated, in the order of the names.
#define CUBIND_SIM_INTEROPERATION(each)                                                                                          \
    each(cuEGLStreamConsumerAcquireFrame) each(cuEGLStreamConsumerConnect) each(cuEGLStreamConsumerConnectWithFlags)             \
        each(cuEGLStreamConsumerDisconnect) each(cuEGLStreamConsumerReleaseFrame) each(cuEGLStreamProducerConnect)               \
            each(cuEGLStreamProducerDisconnect) each(cuEGLStreamProducerPresentFrame) each(cuEGLStreamProducerReturnFrame)       \
                each(cuGLCtxCreate) each(cuGLCtxCreate_v2) each(cuGLGetDevices) each(cuGLGetDevices_v2) each(cuGLInit)           \
                    each(cuGLMapBufferObject) each(cuGLMapBufferObjectAsync) each(cuGLMapBufferObjectAsync_v2)                   \
                        each(cuGLMapBufferObjectAsync_v2_ptsz) each(cuGLMapBufferObject_v2) each(cuGLMapBufferObject_v2_ptds)    \
                            each(cuGLRegisterBufferObject) each(cuGLSetBufferObjectMapFlags) each(cuGLUnmapBufferObject)         \
                                each(cuGLUnmapBufferObjectAsync) each(cuGLUnregisterBufferObject)                                \
                                    each(cuGraphicsEGLRegisterImage) each(cuGraphicsGLRegisterBuffer)                            \
                                        each(cuGraphicsGLRegisterImage) each(cuGraphicsResourceGetMappedEglFrame)                \
                                            each(cuGraphicsVDPAURegisterOutputSurface) each(cuGraphicsVDPAURegisterVideoSurface) \
                                                each(cuProfilerInitialize) each(cuVDPAUCtxCreate) each(cuVDPAUCtxCreate_v2)      \
                                                    each(cuVDPAUGetDevice)

namespace CUBIND_NAMESPACE::sim {

namespace {

namespace index_of {
enum : std::size_t {
#define CUBIND_SIM_INDEX(symbol) symbol,
    CUBIND_SIM_INTEROPERATION(CUBIND_SIM_INDEX)
#undef CUBIND_SIM_INDEX
};
}  // namespace index_of

std::size_t count_index(std::size_t index) noexcept {
    return static_cast<std::size_t>(all_symbols().end() - all_symbols().begin()) + index;
}

}  // namespace

extern "C" {

// The parameters, which differ from symbol to symbol, are ignored.
#define CUBIND_SIM_DEFINE(symbol)                                \
    CUBIND_SIM_VISIBILITY CUresult CUBIND_SIM_SYMBOL(symbol)() { \
        return refuse<CUresult>(count_index(index_of::symbol));  \
    }
CUBIND_SIM_INTEROPERATION(CUBIND_SIM_DEFINE)
#undef CUBIND_SIM_DEFINE

// A simulation has no counters that a profiler could start.
CUBIND_SIM_VISIBILITY CUresult CUBIND_SIM_SYMBOL(cuProfilerStart)() {
    return answer(+[] { return CurrentCheck().status; });
}

CUBIND_SIM_VISIBILITY CUresult CUBIND_SIM_SYMBOL(cuProfilerStop)() {
    return answer(+[] { return CurrentCheck().status; });
}

// The mark of the simulation: no other driver exports it. cubind::core looks it up and never calls it.
CUBIND_SIM_VISIBILITY int CUBIND_SIM_SYMBOL(cubindSimulation)() {
    return 1;
}

#ifdef CUBIND_SIM_EXPORTED

// The library exports the symbols of all releases. cubind's loader calls this function instead of dlsym, so that functions of
// later releases than the simulated one are missing, as in an older driver. Returns null for such symbols, and for unknown ones.
CUBIND_SIM_VISIBILITY void* cubindSimulatedSymbol(const char* name) noexcept {
    try {
        machine();  // selects the release
    } catch (...) {
        // If memory is exhausted, the symbols of all releases exist.
    }
    const Symbol* const found = find_symbol(name);
    return found != nullptr ? found->address : nullptr;
}

#endif

}  // extern "C"

Symbols interoperation_symbols() noexcept {
    constexpr int since = 2000;
    static const Symbol rows[] = {
#define CUBIND_SIM_ROW(symbol) {#symbol, reinterpret_cast<void*>(CUBIND_SIM_SYMBOL(symbol)), since, false},
        CUBIND_SIM_INTEROPERATION(CUBIND_SIM_ROW)
#undef CUBIND_SIM_ROW
            {"cuProfilerStart", reinterpret_cast<void*>(CUBIND_SIM_SYMBOL(cuProfilerStart)), since, true},
        {"cuProfilerStop", reinterpret_cast<void*>(CUBIND_SIM_SYMBOL(cuProfilerStop)), since, true},
        {"cubindSimulation", reinterpret_cast<void*>(CUBIND_SIM_SYMBOL(cubindSimulation)), since, true},
    };
    return {rows, rows + sizeof rows / sizeof *rows};
}

}  // namespace CUBIND_NAMESPACE::sim
