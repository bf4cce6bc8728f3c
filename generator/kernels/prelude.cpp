// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/prelude.hpp"

#include <algorithm>
#include <cctype>
#include <system_error>

#include "spec/json.hpp"

namespace cubind::gen::kernels {
namespace {

// The macros of the first part let clang skip CUDA's headers of which NVRTC has the declarations built in: those of the vector
// types and of the runtime library.
constexpr const char* guards = R"(
#define __CUDACC__ 1
#define __CUDACC_RTC__ 1
#define __CUDACC_VER_BUILD__ 0
#ifndef __CUDA_ARCH__
#define __CUDA_ARCH__ 900
#endif
#define __NV_BUILTIN_INITIALIZER_LIST 1
#define __BUILTIN_TYPES_H__
#define __CUDA_RUNTIME_API_H__
#define __CUDA_RUNTIME_H__
#define __DEVICE_LAUNCH_PARAMETERS_H__
#define __DEVICE_TYPES_H__
#define __DRIVER_TYPES_H__
#define __HOST_DEFINES_H__
#define __SURFACE_TYPES_H__
#define __TEXTURE_TYPES_H__
#define __VECTOR_FUNCTIONS_H__
#define __VECTOR_TYPES_H__
#define _LIBCUDACXX_USE_IS_NOTHROW_DESTRUCTIBLE_FALLBACK
)";

// The arguments of attributes are expanded before they become text.
constexpr const char* attributes = R"(
#define CUBIND_TEXT(...) #__VA_ARGS__
#define __global__ __attribute__((annotate("cubind kernel")))
#define __tile_global__ __attribute__((annotate("cubind kernel"), annotate("cubind tile")))
#define __device__ __attribute__((annotate("cubind device")))
#define __constant__ __attribute__((annotate("cubind constant")))
#define __managed__ __attribute__((annotate("cubind managed")))
#define __launch_bounds__(...) __attribute__((annotate("cubind launch bounds " CUBIND_TEXT(__VA_ARGS__))))
#define __cluster_dims__(...) __attribute__((annotate("cubind cluster " CUBIND_TEXT(__VA_ARGS__))))
#define __block_size__(...) __attribute__((annotate("cubind block " CUBIND_TEXT(__VA_ARGS__))))
#define __align__(...) __attribute__((aligned(__VA_ARGS__)))
#define __builtin_align__(...) __attribute__((aligned(__VA_ARGS__)))
#define __noinline__ __attribute__((noinline))
#define __forceinline__ inline
#define __inline__ inline
#define __volatile__ volatile
#define __annotate__(...)
#define __cdecl
#define __cudart_builtin__
#define __device_builtin__
#define __device_builtin_surface_type__
#define __device_builtin_texture_type__
#define __export__
#define __grid_constant__
#define __host__
#define __import__
#define __inline_hint__
#define __local_maxnreg__(...)
#define __location__(...)
#define __maxnreg__(...)
#define __no_return__
#define __nv_pure__
#define __shared__
#define __specialization_static
#define __thread__
#define __tile__
#define __NV_SILENCE_DEPRECATION_BEGIN
#define __NV_SILENCE_DEPRECATION_END
#define CUDARTAPI
#define CUDARTAPI_CDECL
)";

constexpr const char* types = R"(
typedef decltype(sizeof(0)) size_t;
typedef decltype((char*)0 - (char*)0) ptrdiff_t;
typedef long clock_t;
namespace std {
typedef decltype(nullptr) nullptr_t;
template <class T> class initializer_list {
    const T* first_;
    size_t count_;
public:
    constexpr initializer_list() : first_(nullptr), count_(0) {}
    constexpr size_t size() const { return count_; }
    constexpr const T* begin() const { return first_; }
    constexpr const T* end() const { return first_ + count_; }
};
}
bool isnan(float); bool isnan(double);
bool isinf(float); bool isinf(double);
bool isfinite(float); bool isfinite(double);
bool signbit(float); bool signbit(double);

#define CUBIND_VECTORS(name, type, align2, align4) \
    struct name##1 { type x; }; \
    struct __align__(align2) name##2 { type x, y; }; \
    struct name##3 { type x, y, z; }; \
    struct __align__(align4) name##4 { type x, y, z, w; };
CUBIND_VECTORS(char, signed char, 2, 4)
CUBIND_VECTORS(uchar, unsigned char, 2, 4)
CUBIND_VECTORS(short, short, 4, 8)
CUBIND_VECTORS(ushort, unsigned short, 4, 8)
CUBIND_VECTORS(int, int, 8, 16)
CUBIND_VECTORS(uint, unsigned int, 8, 16)
CUBIND_VECTORS(long, long, 16, 16)
CUBIND_VECTORS(ulong, unsigned long, 16, 16)
CUBIND_VECTORS(longlong, long long, 16, 16)
CUBIND_VECTORS(ulonglong, unsigned long long, 16, 16)
CUBIND_VECTORS(float, float, 8, 16)
CUBIND_VECTORS(double, double, 16, 16)
#define CUBIND_WIDE_VECTORS(name, type) \
    struct __align__(16) name##4_16a { type x, y, z, w; }; \
    struct __align__(32) name##4_32a { type x, y, z, w; };
CUBIND_WIDE_VECTORS(long, long)
CUBIND_WIDE_VECTORS(ulong, unsigned long)
CUBIND_WIDE_VECTORS(longlong, long long)
CUBIND_WIDE_VECTORS(ulonglong, unsigned long long)
CUBIND_WIDE_VECTORS(double, double)
#undef CUBIND_VECTORS
#undef CUBIND_WIDE_VECTORS
struct dim3 {
    unsigned int x, y, z;
    constexpr dim3(unsigned int a = 1, unsigned int b = 1, unsigned int c = 1) : x(a), y(b), z(c) {}
    constexpr dim3(uint3 a) : x(a.x), y(a.y), z(a.z) {}
    constexpr operator uint3() const { return {x, y, z}; }
};
extern const uint3 threadIdx, blockIdx;
extern const dim3 blockDim, gridDim;
extern const int warpSize;

typedef unsigned long long cudaTextureObject_t;
typedef unsigned long long cudaSurfaceObject_t;
typedef struct CUstream_st* cudaStream_t;
typedef struct CUevent_st* cudaEvent_t;
typedef struct cudaArray* cudaArray_t;
enum cudaError { cudaSuccess };
typedef enum cudaError cudaError_t;
enum cudaDeviceAttr {};
enum cudaRoundMode { cudaRoundNearest, cudaRoundZero, cudaRoundPosInf, cudaRoundMinInf };
)";

/// Returns the release of the headers as cuda.h states it, such as 13050.
int release_of(const std::vector<std::filesystem::path>& folders) {
    const std::string macro = "#define CUDA_VERSION ";
    for (const auto& folder : folders) {
        std::error_code error;
        if (!std::filesystem::is_regular_file(folder / "cuda.h", error)) continue;
        const std::string text = spec::read_text(folder / "cuda.h");
        const std::size_t at = text.find(macro);
        if (at == std::string::npos) continue;
        const auto* first = text.c_str() + at + macro.size();
        if (const int release = std::atoi(first); release > 0) return release;
    }
    return 13000;
}

}  // namespace

const std::string& prelude() {
    static const std::string text = std::string(guards) + attributes + types;
    return text;
}

std::vector<std::string> compiler_arguments(const std::vector<std::filesystem::path>& toolkit_includes) {
    const int release = release_of(toolkit_includes);
    const std::string number = std::to_string(release);
    std::vector<std::string> arguments = {"-D__CUDACC_VER_MAJOR__=" + std::to_string(release / 1000),
                                          "-D__CUDACC_VER_MINOR__=" + std::to_string(release % 1000 / 10),
                                          "-DCUDART_VERSION=" + number};
    for (const char* macro : {"__GNUC__", "__GNUC_MINOR__", "__GNUC_PATCHLEVEL__", "__clang__", "__clang_major__",
                              "__clang_minor__", "__linux__", "__linux", "linux", "__gnu_linux__", "__unix__", "__unix", "unix",
                              "__x86_64__", "__x86_64", "__amd64__", "__amd64", "__aarch64__"}) {
        arguments.push_back(std::string("-U") + macro);
    }
    for (const auto& folder : toolkit_includes) {
        arguments.push_back("-isystem");
        arguments.push_back(folder.string());
    }
    return arguments;
}

}  // namespace cubind::gen::kernels
