# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""A program that uses the driver: gpu.py ACTION... Each action is work, or a way to end."""
import ctypes
import os
import signal
import sys
import time

PTX = b""".version 8.0
.target sm_90
.address_size 64
.visible .entry _Z5scalePfi(.param .u64 values, .param .u32 count)
{
    .reg .u64 %address;
    .reg .f32 %value;
    ld.param.u64 %address, [values];
    ld.global.f32 %value, [%address];
    add.f32 %value, %value, 0f3F800000;
    st.global.f32 [%address], %value;
    ret;
}
"""


class Gpu:
    """A context with the kernel, and a kilobyte of memory."""

    def __init__(self):
        self.driver = ctypes.CDLL("libcuda.so.1")
        context, device, module = ctypes.c_void_p(), ctypes.c_int(), ctypes.c_void_p()
        self.kernel, self.memory, self.host = ctypes.c_void_p(), ctypes.c_uint64(), ctypes.create_string_buffer(1024)
        self.call("cuInit", 0)
        self.call("cuDeviceGet", ctypes.byref(device), 0)
        self.call("cuDevicePrimaryCtxRetain", ctypes.byref(context), device)
        self.call("cuCtxSetCurrent", context)
        self.call("cuModuleLoadData", ctypes.byref(module), PTX)
        self.call("cuModuleGetFunction", ctypes.byref(self.kernel), module, b"_Z5scalePfi")
        self.call("cuMemAlloc_v2", ctypes.byref(self.memory), ctypes.c_size_t(1024))
        self.call("cuMemsetD8_v2", self.memory, 0, ctypes.c_size_t(1024))

    def call(self, function, *arguments):
        status = getattr(self.driver, function)(*arguments)
        assert status == 0, f"{function}: {status}"

    def launch(self, count):
        number = ctypes.c_int(1)
        arguments = (ctypes.c_void_p * 2)(ctypes.addressof(self.memory), ctypes.addressof(number))
        for _ in range(count):
            self.call("cuLaunchKernel", self.kernel, 2, 1, 1, 32, 1, 1, 0, None, arguments, None)
        self.call("cuCtxSynchronize")

    def read(self):
        self.call("cuMemcpyDtoH_v2", self.host, self.memory, ctypes.c_size_t(1024))


def fork(action):
    """Performs the action in a child process. Returns the process."""
    child = os.fork()
    if child == 0:
        action()
        sys.exit(0)
    return child


def fork_two():
    children = [fork(lambda: Gpu().launch(count)) for count in (3, 4)]
    assert [os.waitpid(child, 0)[1] for child in children] == [0, 0]


def execute():
    Gpu().launch(2)
    time.sleep(0.3)
    os.execv(sys.executable, [sys.executable, "-B", __file__, "work"])


def daemonize():
    """Leaves a process behind, without a terminal, descriptors and its folder."""
    def daemon():
        os.setsid()
        fork(lambda: (os.chdir("/"), os.closerange(0, 256), time.sleep(0.5), Gpu().launch(6)))
        os._exit(0)
    os.waitpid(fork(daemon), 0)


def subscribe():
    """Uses CUPTI's callbacks, as another profiler does."""
    Gpu()
    cupti, subscriber = ctypes.CDLL(os.environ["CUBIND_CUPTI_LIBRARY"]), ctypes.c_void_p()
    assert cupti.cuptiSubscribe(ctypes.byref(subscriber), None, None) == 0


def work(count=10):
    gpu = Gpu()
    gpu.launch(count)
    gpu.read()


def wait_for_end():
    gpu = Gpu()
    gpu.launch(5)
    print("ready", flush=True)
    time.sleep(60)


ACTIONS = {
    "work": work,
    "much": lambda: work(2000),
    "fork": fork_two,
    "exec": execute,
    "daemon": daemonize,
    "subscribe": subscribe,
    "wait": wait_for_end,
    "sleep": lambda: time.sleep(0.3),
    "close": lambda: os.closerange(3, 256),
    "open": lambda: [os.open(__file__, os.O_RDONLY) for _ in range(8)],
    "folder": lambda: os.chdir("/"),
    "exit7": lambda: sys.exit(7),
    "_exit": lambda: os._exit(8),
    "kill": lambda: os.kill(os.getpid(), signal.SIGKILL),
    "term": lambda: os.kill(os.getpid(), signal.SIGTERM),
    "crash": lambda: ctypes.string_at(1),
    "abort": os.abort,
    "fork_and_term": lambda: (Gpu().launch(1), os.waitpid(fork(ACTIONS["term"]), 0)),
    "nothing": lambda: None,
}

if __name__ == "__main__":
    for each in sys.argv[1:]:
        ACTIONS[each]()
