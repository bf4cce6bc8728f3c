// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "search/catalogue.hpp"

namespace CUBIND_NAMESPACE::detail {

namespace {

#if defined(__aarch64__)
#define CUBIND_TARGET "targets/sbsa-linux"
#else
#define CUBIND_TARGET "targets/x86_64-linux"
#endif

constexpr Names<4> library_folders = {"lib64", "lib", CUBIND_TARGET "/lib"};
constexpr Names<4> header_folders = {"include", CUBIND_TARGET "/include"};
constexpr const char* wheel_13 = "nvidia/cu13/lib";
constexpr const char* headers_13 = "nvidia/cu13/include";
constexpr const char* programs_13 = "nvidia/cu13/bin";
constexpr const char* npp = "nvidia/npp/lib";

// A library of the toolkit: its sonames, the folder of its wheel for CUDA 12 (null if there is none), and its dependencies.
constexpr CatalogueRow toolkit(const char* name, Names<3> files, const char* wheel_12, Names<8> needs = {}) {
    CatalogueRow row{.name = name, .files = files, .wheels = {wheel_13, wheel_12}, .folders = library_folders, .needs = needs};
    return row;
}

// The same for a library in `folder` of the toolkit, which precedes the usual folders.
constexpr CatalogueRow toolkit_in(const char* folder, CatalogueRow row) {
    row.folders = {folder, "lib64", "lib", CUBIND_TARGET "/lib"};
    return row;
}

constexpr CatalogueRow product(const char* name, Names<3> files, Names<3> wheels, Names<8> needs = {}) {
    CatalogueRow row{
        .name = name, .origin = Origin::product, .files = files, .wheels = wheels, .folders = library_folders, .needs = needs};
    return row;
}

constexpr CatalogueRow driver(const char* name, const char* file, const char* override_name = nullptr) {
    return {.name = name, .origin = Origin::driver, .files = {file}, .override_name = override_name};
}

constexpr CatalogueRow for_arm(CatalogueRow row) {
    row.processors = Processors::arm;
    return row;
}

constexpr CatalogueRow with_prefix_in(const char* variable, CatalogueRow row) {
    row.variable = variable;
    return row;
}

constexpr CatalogueRow headers(const char* name, const char* marker, const char* wheel_12) {
    return {.name = name,
            .kind = ArtifactKind::headers,
            .files = {marker},
            .wheels = {headers_13, wheel_12},
            .folders = header_folders};
}

constexpr CatalogueRow product_headers(const char* name, const char* marker, Names<3> wheels) {
    return {.name = name,
            .kind = ArtifactKind::headers,
            .origin = Origin::product,
            .files = {marker},
            .wheels = wheels,
            .folders = header_folders};
}

constexpr CatalogueRow in_system_folders(CatalogueRow row) {
    row.is_in_system_folders = true;
    return row;
}

constexpr CatalogueRow with(const char* override_name, CatalogueRow row) {
    row.override_name = override_name;
    return row;
}

constexpr CatalogueRow in(Names<4> folders, CatalogueRow row) {
    row.folders = folders;
    return row;
}

constexpr CatalogueRow deep_bound(CatalogueRow row) {
    row.binds_itself_first = true;
    return row;
}

constexpr CatalogueRow program(const char* name, Names<3> wheels, Names<4> folders = {"bin"}) {
    return {.name = name, .kind = ArtifactKind::program, .files = {name}, .wheels = wheels, .folders = folders};
}

constexpr CatalogueRow bitcode(const char* name, const char* file, Origin origin, Names<3> wheels, Names<4> folders) {
    return {.name = name,
            .kind = ArtifactKind::bitcode_library,
            .origin = origin,
            .files = {file},
            .wheels = wheels,
            .folders = folders};
}

// clang-format off
constexpr CatalogueRow rows[] = {
    // ---- libraries of the toolkit: sonames of CUDA 13 and 12, wheel of CUDA 12, dependencies
    with("RUNTIME", toolkit("cudart", {"libcudart.so.13", "libcudart.so.12"}, "nvidia/cuda_runtime/lib")),
    toolkit("nvfatbin", {"libnvfatbin.so.13", "libnvfatbin.so.12"}, "nvidia/nvfatbin/lib"),
    toolkit("nvJitLink", {"libnvJitLink.so.13", "libnvJitLink.so.12"}, "nvidia/nvjitlink/lib"),
    toolkit("nvrtc", {"libnvrtc.so.13", "libnvrtc.so.12"}, "nvidia/cuda_nvrtc/lib"),
    toolkit_in("nvvm/lib64", toolkit("nvvm", {"libnvvm.so.4", "libnvvm.so"}, "nvidia/cuda_nvcc/nvvm/lib64")),
    toolkit("cublas", {"libcublas.so.13", "libcublas.so.12"}, "nvidia/cublas/lib", {"cublasLt"}),
    toolkit("cublasLt", {"libcublasLt.so.13", "libcublasLt.so.12"}, "nvidia/cublas/lib"),
    toolkit("cufft", {"libcufft.so.12", "libcufft.so.11"}, "nvidia/cufft/lib"),
    toolkit("cufftw", {"libcufftw.so.12", "libcufftw.so.11"}, "nvidia/cufft/lib", {"cufft"}),
    toolkit("curand", {"libcurand.so.11", "libcurand.so.10"}, "nvidia/curand/lib"),
    toolkit("cusolver", {"libcusolver.so.12", "libcusolver.so.11"}, "nvidia/cusolver/lib",
            {"nvJitLink", "cusparse", "cublasLt", "cublas"}),
    toolkit("cusolverMg", {"libcusolverMg.so.12", "libcusolverMg.so.11"}, "nvidia/cusolver/lib",
            {"nvJitLink", "cublasLt", "cublas"}),
    toolkit("cusparse", {"libcusparse.so.12"}, "nvidia/cusparse/lib", {"nvJitLink"}),
    toolkit("nppc", {"libnppc.so.13", "libnppc.so.12"}, npp),
    toolkit("nppial", {"libnppial.so.13", "libnppial.so.12"}, npp, {"nppc"}),
    toolkit("nppicc", {"libnppicc.so.13", "libnppicc.so.12"}, npp, {"nppc"}),
    toolkit("nppidei", {"libnppidei.so.13", "libnppidei.so.12"}, npp, {"nppc"}),
    toolkit("nppif", {"libnppif.so.13", "libnppif.so.12"}, npp, {"nppc"}),
    toolkit("nppig", {"libnppig.so.13", "libnppig.so.12"}, npp, {"nppc"}),
    toolkit("nppim", {"libnppim.so.13", "libnppim.so.12"}, npp, {"nppc"}),
    toolkit("nppist", {"libnppist.so.13", "libnppist.so.12"}, npp, {"nppc"}),
    toolkit("nppisu", {"libnppisu.so.13", "libnppisu.so.12"}, npp, {"nppc"}),
    toolkit("nppitc", {"libnppitc.so.13", "libnppitc.so.12"}, npp, {"nppc"}),
    toolkit("npps", {"libnpps.so.13", "libnpps.so.12"}, npp, {"nppc"}),
    toolkit("nvblas", {"libnvblas.so.13", "libnvblas.so.12"}, "nvidia/cublas/lib", {"cublasLt", "cublas"}),
    toolkit("nvjpeg", {"libnvjpeg.so.13", "libnvjpeg.so.12"}, "nvidia/nvjpeg/lib"),
    toolkit("cufile", {"libcufile.so.0"}, "nvidia/cufile/lib"),
    toolkit_in("extras/CUPTI/lib64", toolkit("cupti", {"libcupti.so.13", "libcupti.so.12"}, "nvidia/cuda_cupti/lib")),
    for_arm(toolkit("cudla", {"libcudla.so.1"}, nullptr)),

    // ---- libraries of products: sonames, wheels, dependencies
    product("cublasmp", {"libcublasmp.so.0"}, {"nvidia/cublasmp/cu13/lib", "nvidia/cublasmp/cu12/lib"},
            {"cublasLt", "cublas", "nvshmem_host"}),
    deep_bound(product("cufftMp", {"libcufftMp.so.12", "libcufftMp.so.11"},
                       {"nvidia/cufftmp/cu13/lib", "nvidia/cufftmp/cu12/lib"}, {"nvshmem_host"})),
    with_prefix_in("CUDNN_PATH", product("cudnn", {"libcudnn.so.9"}, {"nvidia/cudnn/lib"}, {"nvrtc", "cublasLt"})),
    product("cusolverMp", {"libcusolverMp.so.0"}, {"nvidia/cu13/lib", "nvidia/cu12/lib"},
            {"cudart", "cublasLt", "cublas", "cusolver", "nccl"}),
    product("mathdx", {"libmathdx.so.0"}, {"nvidia/cu13/lib", "nvidia/cu12/lib"}, {"nvrtc"}),
    product("cudss", {"libcudss.so.1", "libcudss.so.0"}, {"nvidia/cu13/lib", "nvidia/cu12/lib"}, {"nvrtc", "cublasLt", "cublas"}),
    product("cusparseLt", {"libcusparseLt.so.0"}, {"nvidia/cu13/lib", "nvidia/cusparselt/lib"}),
    product("cutensor", {"libcutensor.so.2"}, {"cutensor/lib"}, {"cublasLt"}),
    product("cutensorMg", {"libcutensorMg.so.2"}, {"cutensor/lib"}, {"cublasLt", "cutensor"}),
    product("cutensorMp", {"libcutensorMp.so.2"}, {"cutensor/lib"}, {"cudart", "cublasLt", "cutensor", "nccl"}),
    product("cudensitymat", {"libcudensitymat.so.0"}, {"cuquantum/lib"},
            {"nvJitLink", "cublasLt", "cublas", "curand", "cusparse", "cusolver", "cutensor", "cutensornet"}),
    product("cupauliprop", {"libcupauliprop.so.0"}, {"cuquantum/lib"}),
    product("cutensornet", {"libcutensornet.so.2"}, {"cuquantum/lib"}, {"cublas", "cusolver", "cutensor"}),
    product("custabilizer", {"libcustabilizer.so.0"}, {"cuquantum/lib"}),
    product("custatevec", {"libcustatevec.so.1"}, {"cuquantum/lib"}, {"cublasLt", "cublas"}),
    with_prefix_in("NCCL_HOME", in({"lib64", "lib", "build/lib"}, product("nccl", {"libnccl.so.2"}, {"nvidia/nccl/lib"}))),
    for_arm(product("nvpl_fftw", {"libnvpl_fftw.so.0"}, {"nvpl/lib"})),
    product("nvshmem_host", {"libnvshmem_host.so.3"}, {"nvidia/nvshmem/lib"}),

    // ---- libraries of the driver
    driver("cuda", "libcuda.so.1", "DRIVER"),
    driver("nvml", "libnvidia-ml.so.1"),
    for_arm(driver("nvcudla", "libnvcudla.so")),

    // ---- headers of the toolkit: a file that marks the folder, wheel of CUDA 12
    {.name = "cccl", .kind = ArtifactKind::headers, .files = {"cuda/std/version"},
     .wheels = {"nvidia/cu13/include/cccl", "nvidia/cuda_cccl/include"},
     .folders = {"include/cccl", "include", CUBIND_TARGET "/include/cccl", CUBIND_TARGET "/include"}},
    headers("cublas", "cublas.h", "nvidia/cublas/include"),
    headers("cudart", "cuda_runtime.h", "nvidia/cuda_runtime/include"),
    headers("cufft", "cufft.h", "nvidia/cufft/include"),
    headers("cufile", "cufile.h", "nvidia/cufile/include"),
    headers("curand", "curand.h", "nvidia/curand/include"),
    headers("cusolver", "cusolverDn.h", "nvidia/cusolver/include"),
    headers("cusparse", "cusparse.h", "nvidia/cusparse/include"),
    headers("npp", "npp.h", "nvidia/npp/include"),
    headers("profiler", "cuda_profiler_api.h", "nvidia/cuda_profiler_api/include"),
    headers("nvcc", "fatbinary_section.h", "nvidia/cuda_nvcc/include"),
    headers("nvfatbin", "nvFatbin.h", "nvidia/nvfatbin/include"),
    headers("nvjitlink", "nvJitLink.h", "nvidia/nvjitlink/include"),
    headers("nvjpeg", "nvjpeg.h", "nvidia/nvjpeg/include"),
    headers("nvrtc", "nvrtc.h", "nvidia/cuda_nvrtc/include"),
    headers("nvtx", "nvtx3/nvToolsExt.h", "nvidia/nvtx/include"),
    in({"nvvm/include", "include"}, headers("nvvm", "nvvm.h", "nvidia/cuda_nvcc/nvvm/include")),
    for_arm(headers("cudla", "cudla.h", nullptr)),

    // ---- headers of products
    with_prefix_in("CUDNN_PATH", in_system_folders(product_headers("cudnn", "cudnn.h", {"nvidia/cudnn/include"}))),
    product_headers("cudss", "cudss.h", {"nvidia/cu13/include", "nvidia/cu12/include"}),
    product_headers("cusolverMp", "cusolverMp.h", {"nvidia/cu13/include", "nvidia/cu12/include"}),
    product_headers("cusparseLt", "cusparseLt.h", {"nvidia/cu13/include", "nvidia/cusparselt/include"}),
    product_headers("cute", "cute/tensor.hpp", {"cutlass_library/source/include"}),
    product_headers("cutensor", "cutensor.h", {"cutensor/include"}),
    product_headers("cudensitymat", "cudensitymat.h", {"cuquantum/include"}),
    product_headers("cupauliprop", "cupauliprop.h", {"cuquantum/include"}),
    product_headers("cutensornet", "cutensornet.h", {"cuquantum/include"}),
    product_headers("custabilizer", "custabilizer.h", {"cuquantum/include"}),
    product_headers("custatevec", "custatevec.h", {"cuquantum/include"}),
    product_headers("cutlass", "cutlass/cutlass.h", {"cutlass_library/source/include"}),
    product_headers("mathdx", "libmathdx.h", {"nvidia/cu13/include", "nvidia/cu12/include"}),
    with_prefix_in("NCCL_HOME", in({"include", "build/include"},
                                   in_system_folders(product_headers("nccl", "nccl.h", {"nvidia/nccl/include"})))),
    in_system_folders(product_headers("nvshmem", "nvshmem.h", {"nvidia/nvshmem/include"})),

    // ---- static and bitcode libraries
    {.name = "cudadevrt", .kind = ArtifactKind::static_library, .files = {"libcudadevrt.a"},
     .wheels = {wheel_13, "nvidia/cuda_runtime/lib"}, .folders = library_folders},
    {.name = "nvshmem_device", .kind = ArtifactKind::static_library, .origin = Origin::product, .files = {"libnvshmem_device.a"},
     .wheels = {"nvidia/nvshmem/lib"}, .folders = library_folders},
    bitcode("device", "libdevice.10.bc", Origin::toolkit, {"nvidia/cu13/nvvm/libdevice", "nvidia/cuda_nvcc/nvvm/libdevice"},
            {"nvvm/libdevice"}),
    with_prefix_in("NCCL_HOME", bitcode("nccl_device", "libnccl_device.bc", Origin::product, {"nvidia/nccl/lib"},
                                        {"lib64", "lib", "build/lib"})),
    bitcode("nvshmem_device", "libnvshmem_device.bc", Origin::product, {"nvidia/nvshmem/lib"}, library_folders),

    // ---- programs
    program("nvcc", {programs_13, "nvidia/cuda_nvcc/bin"}),
    program("ptxas", {programs_13, "nvidia/cuda_nvcc/bin"}),
    program("tileiras", {programs_13}),
    program("nvdisasm", {programs_13, "nvidia/cuda_nvcc/bin"}),
    program("cuobjdump", {programs_13, "nvidia/cuda_nvcc/bin"}),
    program("nvprune", {programs_13, "nvidia/cuda_nvcc/bin"}),
    program("fatbinary", {programs_13, "nvidia/cuda_nvcc/bin"}),
    program("bin2c", {programs_13, "nvidia/cuda_nvcc/bin"}),
    program("nvlink", {programs_13, "nvidia/cuda_nvcc/bin"}),
    program("cuda-gdb", {programs_13, "nvidia/cuda_nvcc/bin"}),
    program("cuda-gdbserver", {programs_13, "nvidia/cuda_nvcc/bin"}),
    program("compute-sanitizer", {programs_13, "nvidia/cuda_nvcc/bin"}, {"bin", "compute-sanitizer"}),
    program("nvprof", {"nvidia/cuda_nvcc/bin"}),
    program("nsys", {"nvidia/nsight_systems/bin"}),
    program("nsight-sys", {"nvidia/nsight_systems/bin"}),
    program("ncu", {"nvidia/nsight_compute/bin"}),
    program("nsight-compute", {"nvidia/nsight_compute/bin"}),
};
// clang-format on

#undef CUBIND_TARGET

}  // namespace

std::span<const CatalogueRow> catalogue() noexcept {
    return rows;
}

const CatalogueRow* find_row(ArtifactKind kind, std::string_view name) noexcept {
    for (const CatalogueRow& row : rows) {
        if (row.kind == kind && row.name == name) return &row;
    }
    return nullptr;
}

const CatalogueRow* find_row_of_file(std::string_view soname) noexcept {
    for (const CatalogueRow& row : rows) {
        if (row.kind != ArtifactKind::library) continue;
        for (const char* const* file = row.files.data(); *file != nullptr; ++file) {
            if (*file == soname) return &row;
        }
    }
    return nullptr;
}

bool is_on_this_platform(const CatalogueRow& row) noexcept {
#if defined(__aarch64__)
    constexpr bool is_arm = true;
#else
    constexpr bool is_arm = false;
#endif
    return row.processors == Processors::all || is_arm;
}

}  // namespace CUBIND_NAMESPACE::detail
