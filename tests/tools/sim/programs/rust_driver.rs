// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Launches a kernel in PTX from Rust, which is linked to libcuda.
//
// Expected output:
// [0, 10, 20, 30]
// freed twice: 1
use std::ffi::{c_char, c_int, c_uint, c_void, CString};
use std::ptr::{addr_of_mut, null_mut};

const PTX: &str = "
.version 7.0
.target sm_70
.address_size 64
.visible .entry tens(.param .u64 out) {
    .reg .b64 %address, %offset;
    .reg .b32 %index, %value;
    ld.param.u64 %address, [out];
    mov.u32 %index, %tid.x;
    mul.wide.u32 %offset, %index, 4;
    add.s64 %address, %address, %offset;
    mul.lo.u32 %value, %index, 10;
    st.global.u32 [%address], %value;
    ret;
}";

#[link(name = "cuda")]
extern "C" {
    fn cuInit(flags: c_uint) -> c_int;
    fn cuCtxCreate_v2(context: *mut *mut c_void, flags: c_uint, device: c_int) -> c_int;
    fn cuModuleLoadData(module: *mut *mut c_void, image: *const c_char) -> c_int;
    fn cuModuleGetFunction(function: *mut *mut c_void, module: *mut c_void, name: *const c_char) -> c_int;
    fn cuMemAlloc_v2(memory: *mut u64, size: usize) -> c_int;
    fn cuMemFree_v2(memory: u64) -> c_int;
    fn cuLaunchKernel(function: *mut c_void, grid_x: c_uint, grid_y: c_uint, grid_z: c_uint, block_x: c_uint, block_y: c_uint,
        block_z: c_uint, shared: c_uint, stream: *mut c_void, parameters: *mut *mut c_void, extra: *mut *mut c_void) -> c_int;
    fn cuMemcpyDtoH_v2(to: *mut c_void, from: u64, size: usize) -> c_int;
}

fn check(status: c_int) {
    assert_eq!(status, 0);
}

fn main() {
    let (mut context, mut module, mut function) = (null_mut(), null_mut(), null_mut());
    let mut memory: u64 = 0;
    let mut out = [0u32; 4];
    let image = CString::new(PTX).unwrap();
    let name = CString::new("tens").unwrap();
    unsafe {
        check(cuInit(0));
        check(cuCtxCreate_v2(&mut context, 0, 0));
        check(cuModuleLoadData(&mut module, image.as_ptr()));
        check(cuModuleGetFunction(&mut function, module, name.as_ptr()));
        check(cuMemAlloc_v2(&mut memory, 16));
        let mut parameters = [addr_of_mut!(memory) as *mut c_void];
        check(cuLaunchKernel(function, 1, 1, 1, 4, 1, 1, 0, null_mut(), parameters.as_mut_ptr(), null_mut()));
        check(cuMemcpyDtoH_v2(out.as_mut_ptr() as *mut c_void, memory, 16));
        println!("{:?}", out);
        check(cuMemFree_v2(memory));
        println!("freed twice: {}", cuMemFree_v2(memory));
    }
}
