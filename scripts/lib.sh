# shellcheck shell=bash
# Helpers that the scripts beside this file share. Source it, do not run it.
# shellcheck disable=SC2034  # read by the scripts that source this file

repo_root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
scripts=$repo_root/scripts
# where fetched CUDA headers and libraries are kept, one folder a release
cuda_cache=$(realpath -m "${CUBIND_CACHE:-$repo_root/build/cuda}")
logs=$repo_root/build/logs

heading() { printf '\n== %s\n' "$*"; }
note() { printf '   %s\n' "$*"; }

# die MESSAGE [MORE LINES...]: says what failed on standard error, and ends the script.
die() {
    printf '%s: %s\n' "${0##*/}" "$1" >&2
    shift
    if (($# > 0)); then printf '  %s\n' "$@" >&2; fi
    exit 1
}

# usage: prints the comment at the head of the script that runs, which is its help text.
usage() { sed -n '2,/^$/ s/^# \{0,1\}//p' "$0"; }

# indented: every line of standard input, set off from the script's own lines.
indented() { sed 's/^/   | /'; }

# logged LOG COMMAND...: runs COMMAND with its output in LOG only; on failure shows what matters of LOG and returns the status.
logged() {
    local log=$1 status=0
    shift
    mkdir -p "${log%/*}"
    "$@" >"$log" 2>&1 </dev/null || status=$?
    if ((status != 0)); then
        note "failed ($status): $*"
        note "its first errors, and the end of $log:"
        head -n -30 "$log" | grep -m 5 -E 'error:|Error' | indented || true
        tail -n 30 "$log" | indented
    fi
    return "$status"
}

# known_releases: the releases that can be fetched, oldest first.
known_releases() { basename -s .txt "$scripts"/releases/*.txt | sort -V; }

# prepare_cuda RELEASE: sets and exports CUBIND_CUDA_INCLUDE and CUBIND_CUDA_LIB, fetching the release unless both are set.
prepare_cuda() {
    if [[ -n ${CUBIND_CUDA_INCLUDE:-} && -n ${CUBIND_CUDA_LIB:-} ]]; then
        note "using CUBIND_CUDA_INCLUDE=$CUBIND_CUDA_INCLUDE and CUBIND_CUDA_LIB=$CUBIND_CUDA_LIB"
        return
    fi
    "$scripts/fetch-headers" "$1" --with-libraries || return
    export CUBIND_CUDA_INCLUDE=$cuda_cache/$1/include CUBIND_CUDA_LIB=$cuda_cache/$1/lib
}

# under PRESET COMMAND...: runs COMMAND. Where it has to do with sanitizers, its addresses are not random if that can be had: those of
# older compilers find no room where the kernel spreads addresses widely (vm.mmap_rnd_bits above 28). A program that ends while it has
# other threads gives them a tenth of a second for a last race, not a whole one, which would add minutes.
under() {
    local fixed=()
    if [[ $1 =~ ^(address|thread)$ ]] && setarch -R true 2>/dev/null; then fixed=(setarch -R); fi
    TSAN_OPTIONS="atexit_sleep_ms=100 ${TSAN_OPTIONS:-}" "${fixed[@]}" "${@:2}"
}

# cmake_build PRESET [OPTION...]: configures and builds a preset in build/PRESET; OPTIONs go to the configuration. Of a preset whose
# targets are set in build_targets, only those are built.
declare -A build_targets=([address]="simulated fuzzers" [thread]="simulated")
cmake_build() {
    local preset=$1 log=$logs/build-$1.log options=("${@:2}") targets
    read -ra targets <<<"${build_targets[$1]:-all}"
    if command -v ccache >/dev/null; then options+=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache); fi
    export CCACHE_SLOPPINESS=pch_defines,time_macros  # or it would not keep what precompiled headers went into
    export CCACHE_BASEDIR=$repo_root/build  # what tests build below it, the build has compiled already
    if [[ -n ${CUBIND_CUDA_INCLUDE:-} ]]; then options+=("-DCUBIND_CUDA_INCLUDE_DIR=$CUBIND_CUDA_INCLUDE"); fi
    if [[ -n ${CUBIND_CUDA_LIB:-} ]]; then options+=("-DCUBIND_CUDA_LIBRARY_DIR=$CUBIND_CUDA_LIB"); fi
    note "building preset $preset in build/$preset (log: $log)"
    logged "$logs/configure-$preset.log" cmake --preset "$preset" -S "$repo_root" "${options[@]}" &&
        logged "$log" under "$preset" cmake --build "$repo_root/build/$preset" --parallel "$(nproc)" --target "${targets[@]}"
}

# gpu_problem: prints why no GPU can be used here; prints nothing when one can.
gpu_problem() {
    if [[ ! -e /dev/nvidia0 ]] && ! nvidia-smi -L 2>/dev/null | grep -q '^GPU '; then
        echo "no NVIDIA GPU on this machine"
    elif ! command -v python3 >/dev/null; then
        echo "a GPU is there, but python3, which asks its driver, is not"
    else
        python3 - <<'PYTHON'
import ctypes
try:
    driver = ctypes.CDLL("libcuda.so.1")
    status = driver.cuInit(0)
    if status:
        print(f"a GPU is there, but cuInit answers {status}")
except OSError as error:
    print(f"a GPU is there, but its driver does not load: {error}")
PYTHON
    fi
}

# platform_options MACHINE: the options that make pip choose wheels for Linux on MACHINE, whatever it runs on.
platform_options() {
    local tag
    for tag in manylinux_2_28 manylinux_2_27 manylinux_2_17 manylinux2014; do
        printf -- '--platform %s_%s ' "$tag" "$1"
    done
}
