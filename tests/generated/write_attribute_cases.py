# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""Writes tables of the accessors of DeviceAttributes, by the enumerators of api.json and by the names of cuda.core.

usage: write_attribute_cases.py REPOSITORY OUTPUT
"""
import sys

import bound

PREFIX = "CU_DEVICE_ATTRIBUTE_"

# The properties of a device in cuda.core 1.2: 88 numbers and 55 booleans.
NUMBERS = """
    max_threads_per_block max_block_dim_x max_block_dim_y max_block_dim_z max_grid_dim_x max_grid_dim_y max_grid_dim_z
    max_shared_memory_per_block total_constant_memory warp_size max_pitch maximum_texture1d_width
    maximum_texture1d_linear_width maximum_texture1d_mipmapped_width maximum_texture2d_width maximum_texture2d_height
    maximum_texture2d_linear_width maximum_texture2d_linear_height maximum_texture2d_linear_pitch
    maximum_texture2d_mipmapped_width maximum_texture2d_mipmapped_height maximum_texture2d_gather_width
    maximum_texture2d_gather_height maximum_texture3d_width maximum_texture3d_height maximum_texture3d_depth
    maximum_texture3d_width_alternate maximum_texture3d_height_alternate maximum_texture3d_depth_alternate
    maximum_texturecubemap_width maximum_texture1d_layered_width maximum_texture1d_layered_layers
    maximum_texture2d_layered_width maximum_texture2d_layered_height maximum_texture2d_layered_layers
    maximum_texturecubemap_layered_width maximum_texturecubemap_layered_layers maximum_surface1d_width maximum_surface2d_width
    maximum_surface2d_height maximum_surface3d_width maximum_surface3d_height maximum_surface3d_depth
    maximum_surface1d_layered_width maximum_surface1d_layered_layers maximum_surface2d_layered_width
    maximum_surface2d_layered_height maximum_surface2d_layered_layers maximum_surfacecubemap_width
    maximum_surfacecubemap_layered_width maximum_surfacecubemap_layered_layers max_registers_per_block clock_rate
    texture_alignment texture_pitch_alignment multiprocessor_count compute_mode pci_bus_id pci_device_id pci_domain_id
    memory_clock_rate global_memory_bus_width l2_cache_size max_threads_per_multiprocessor compute_capability_major
    compute_capability_minor max_shared_memory_per_multiprocessor max_registers_per_multiprocessor multi_gpu_board_group_id
    single_to_double_precision_perf_ratio max_shared_memory_per_block_optin max_blocks_per_multiprocessor
    max_persisting_l2_cache_size max_access_policy_window_size reserved_shared_memory_per_block
    gpu_direct_rdma_flush_writes_options gpu_direct_rdma_writes_ordering mempool_supported_handle_types numa_config numa_id
    surface_alignment async_engine_count mem_sync_domain_count host_numa_id mem_decompress_algorithm_mask
    mem_decompress_maximum_length gpu_pci_device_id gpu_pci_subsystem_id
""".split()
YES_OR_NO = """
    gpu_overlap kernel_exec_timeout integrated can_map_host_memory concurrent_kernels ecc_enabled tcc_driver
    unified_addressing global_l1_cache_supported local_l1_cache_supported managed_memory multi_gpu_board
    host_native_atomic_supported pageable_memory_access concurrent_managed_access compute_preemption_supported
    can_use_host_pointer_for_registered_mem cooperative_launch pageable_memory_access_uses_host_page_tables
    direct_managed_mem_access_from_host virtual_memory_management_supported handle_type_posix_file_descriptor_supported
    handle_type_win32_handle_supported handle_type_win32_kmt_handle_supported handle_type_fabric_supported
    generic_compression_supported gpu_direct_rdma_with_cuda_vmm_supported sparse_cuda_array_supported
    read_only_host_register_supported memory_pools_supported gpu_direct_rdma_supported deferred_mapping_cuda_array_supported
    multicast_supported can_tex2d_gather stream_priorities_supported can_flush_remote_writes host_register_supported
    timeline_semaphore_interop_supported cluster_launch can_use_64_bit_stream_mem_ops can_use_stream_wait_value_nor
    dma_buf_supported ipc_event_supported tensor_map_access_supported unified_function_pointers mps_enabled
    d3d12_cig_supported vulkan_cig_supported host_numa_virtual_memory_management_supported host_numa_memory_pools_supported
    host_numa_multinode_ipc_supported host_memory_pools_supported host_virtual_memory_management_supported
    host_alloc_dma_buf_supported only_partial_host_native_atomic_supported
""".split()


def probe(accessor):
    """Returns a lambda that calls the accessor. If there is no such accessor, the lambda compiles, but is not invocable."""
    return f"[](const auto& device) -> decltype(device.{accessor}()) {{ return device.{accessor}(); }}"


repository, output = sys.argv[1:]
enum = next(each for each in bound.facts(repository, "driver")["enums"] if each["name"] == "CUdevice_attribute_enum")
lines = ["// Written by write_attribute_cases.py.", '#include "attribute_cases.hpp"', "", "namespace cubind::testing {", "",
         "using namespace cubind::driver;", "", "const EnumeratorAccessor enumerator_accessors[] = {"]
for each in enum["enumerators"]:
    assert each["name"].startswith(PREFIX), each["name"]
    lines.append(f'    {{"{each["name"]}", {each["name"]}, accessor({probe(each["name"][len(PREFIX):].lower())})}},')
lines += ["};", "const std::size_t enumerator_accessor_count = sizeof enumerator_accessors / sizeof *enumerator_accessors;", "",
          "const CudaCoreAccessor cuda_core_accessors[] = {"]
for names, is_yes_or_no in ((NUMBERS, "false"), (YES_OR_NO, "true")):
    lines += [f'    {{"{name}", {is_yes_or_no}, accessor({probe(name)})}},' for name in names]
lines += ["};", "const std::size_t cuda_core_accessor_count = sizeof cuda_core_accessors / sizeof *cuda_core_accessors;", "",
          "}  // namespace cubind::testing", ""]
with open(output, "w", encoding="utf-8") as file:
    file.write("\n".join(lines))
