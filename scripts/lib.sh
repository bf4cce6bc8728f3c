# shellcheck shell=bash
# Functions that the scripts in this folder share. Source this file, do not run it.
# shellcheck disable=SC2034  # the scripts that source this file read the variables

repo_root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
scripts=$repo_root/scripts
# folder of the fetched CUDA headers and libraries, with one subfolder for each release
cuda_cache=$(realpath -m "${CUBIND_CACHE:-$repo_root/build/cuda}")
logs=$repo_root/build/logs

heading() { printf '\n== %s\n' "$*"; }
note() { printf '   %s\n' "$*"; }

# die MESSAGE [MORE LINES...]: prints the message on standard error and ends the script with status 1.
die() {
    printf '%s: %s\n' "${0##*/}" "$1" >&2
    shift
    if (($# > 0)); then printf '  %s\n' "$@" >&2; fi
    exit 1
}

# usage: prints the help text of the running script, which is the comment at its top.
usage() { sed -n '2,/^$/ s/^# \{0,1\}//p' "$0"; }

# indent: copies standard input and indents each line, to distinguish it from the script's own output.
indent() { sed 's/^/   | /'; }

# run_logged LOG COMMAND...: runs COMMAND and writes its output to LOG. On failure, prints the relevant lines of LOG. Returns the
# status of COMMAND.
run_logged() {
    local log=$1 status=0 free
    shift
    mkdir -p "${log%/*}"
    "$@" >"$log" 2>&1 </dev/null || status=$?
    if ((status != 0)); then
        note "failed ($status): $*"
        free=$(df --output=avail --block-size=M "${log%/*}" | tail -n 1 | tr -dc '0-9')
        if ((free < 200)); then note "only $free MB of disk space are free for $repo_root/build"; fi
        note "the first errors and the end of $log:"
        head -n -30 "$log" | grep -m 5 -E 'error:|Error' | indent || true
        tail -n 30 "$log" | indent
    fi
    return "$status"
}

# own_environment ARGUMENT...: starts the running script with these arguments again, in an environment that has only what programs need
# to run and to reach the network, and what the script documents. Variables such as CPATH, LIBRARY_PATH, LD_LIBRARY_PATH, CUDA_HOME and
# PYTHONPATH would let builds and tests find files that another machine lacks.
own_environment() {
    local name kept=()
    if [[ ${CUBIND_ENVIRONMENT:-} == own ]]; then
        unset CUBIND_ENVIRONMENT
        return
    fi
    for name in $(compgen -e); do
        case $name in
            HOME | USER | LOGNAME | PATH | SHELL | TERM | LANG | TMPDIR | CI | DEBIAN_FRONTEND) ;;
            *_proxy | *_PROXY | SSL_CERT_* | *_CA_BUNDLE | PIP_* | CCACHE_* | CUDA_VISIBLE_DEVICES) ;;
            CUBIND_CACHE | CUBIND_CUDA_INCLUDE | CUBIND_CUDA_LIB) ;;
            *) continue ;;
        esac
        kept+=("$name=${!name}")
    done
    exec env -i "${kept[@]}" CUBIND_ENVIRONMENT=own bash "$0" "$@"
}

# known_releases: prints the releases that can be fetched, oldest first.
known_releases() { basename -s .txt "$scripts"/releases/*.txt | sort -V; }

# prepare_cuda RELEASE [NAME,...]: exports CUBIND_CUDA_INCLUDE and CUBIND_CUDA_LIB. Fetches the release, with all libraries or those of
# these names, unless both are already set.
prepare_cuda() {
    if [[ -n ${CUBIND_CUDA_INCLUDE:-} && -n ${CUBIND_CUDA_LIB:-} ]]; then
        note "using CUBIND_CUDA_INCLUDE=$CUBIND_CUDA_INCLUDE and CUBIND_CUDA_LIB=$CUBIND_CUDA_LIB"
        return
    fi
    if (($# > 1)); then
        "$scripts/fetch-headers" "$1" --libraries "$2" || return
    else
        "$scripts/fetch-headers" "$1" --with-libraries || return
    fi
    export CUBIND_CUDA_INCLUDE=$cuda_cache/$1/include CUBIND_CUDA_LIB=$cuda_cache/$1/lib
}

# run_for_preset PRESET COMMAND...: runs COMMAND. For a sanitizer preset, disables address space layout randomization if possible,
# because the sanitizers of older compilers fail if the kernel randomizes too many address bits (vm.mmap_rnd_bits above 28). At
# exit, the thread sanitizer waits 100 ms for other threads instead of the default of 1 s, which would add minutes.
run_for_preset() {
    local fixed=()
    if [[ $1 =~ ^(address|thread)$ ]] && setarch -R true 2>/dev/null; then fixed=(setarch -R); fi
    TSAN_OPTIONS="atexit_sleep_ms=100 ${TSAN_OPTIONS:-}" "${fixed[@]}" "${@:2}"
}

# show_progress LOG: prints every 15 seconds how many steps of the build that writes LOG are done. Runs until it is killed.
show_progress() {
    local steps last=
    while sleep 15 >/dev/null; do
        steps=$(grep -o '^\[[0-9]*/[0-9]*\]' "$1" 2>/dev/null | tail -n 1 | tr -d '[]')
        if [[ -n $steps && $steps != "$last" ]]; then note "${steps%/*} of ${steps#*/} steps, after $((SECONDS / 60)) min $((SECONDS % 60)) s"; fi
        last=$steps
    done
}

# cmake_build PRESET [OPTION...]: configures a preset with the OPTIONs and builds it in build/PRESET. build_targets limits the
# targets of a preset; by default all are built.
declare -A build_targets=([address]="all fuzzers" [thread]="simulated")
cmake_build() {
    local preset=$1 log=$logs/build-$1.log options=("${@:2}") targets progress status=0
    read -ra targets <<<"${build_targets[$1]:-all}"
    if command -v ccache >/dev/null; then options+=("-DCMAKE_CXX_COMPILER_LAUNCHER=$scripts/ccache-launcher"); fi
    export CCACHE_SLOPPINESS=pch_defines,time_macros  # required to cache files that use precompiled headers
    export CCACHE_PCH_EXTSUM=1  # reads the checksum that ccache-launcher stores, instead of the precompiled header
    export CCACHE_DEPEND=1  # reads the compiler's list of headers, instead of preprocessing each file
    export CCACHE_BASEDIR=$repo_root/build  # tests that build a project below this folder reuse the objects of the main build
    if [[ -n ${CUBIND_CUDA_INCLUDE:-} ]]; then options+=("-DCUBIND_CUDA_INCLUDE_DIR=$CUBIND_CUDA_INCLUDE"); fi
    if [[ -n ${CUBIND_CUDA_LIB:-} ]]; then options+=("-DCUBIND_CUDA_LIBRARY_DIR=$CUBIND_CUDA_LIB"); fi
    note "building preset $preset in build/$preset (log: $log)"
    run_logged "$logs/configure-$preset.log" cmake --preset "$preset" -S "$repo_root" "${options[@]}" || return
    rm -f "$log"
    show_progress "$log" &
    progress=$!
    run_logged "$log" run_for_preset "$preset" \
        cmake --build "$repo_root/build/$preset" --parallel "$(nproc)" --target "${targets[@]}" || status=$?
    kill "$progress"
    wait "$progress" 2>/dev/null || true
    return "$status"
}

# gpu_problem: prints why no GPU can be used; prints nothing if one can be used.
gpu_problem() {
    if [[ ! -e /dev/nvidia0 ]] && ! nvidia-smi -L 2>/dev/null | grep -q '^GPU '; then
        echo "no NVIDIA GPU on this machine"
    elif ! command -v python3 >/dev/null; then
        echo "this machine has a GPU, but python3, which queries its driver, is missing"
    else
        python3 - <<'PYTHON'
import ctypes
try:
    driver = ctypes.CDLL("libcuda.so.1")
    status = driver.cuInit(0)
    if status:
        print(f"this machine has a GPU, but cuInit returns {status}")
except OSError as error:
    print(f"this machine has a GPU, but its driver cannot be loaded: {error}")
PYTHON
    fi
}

# platform_options MACHINE: prints the options that make pip select wheels for Linux on MACHINE, preferred tags first.
platform_options() {
    local minor
    for minor in 28 27 26 25 18 17; do printf -- '--platform manylinux_2_%s_%s ' "$minor" "$1"; done
    printf -- '--platform manylinux2014_%s ' "$1"
    for minor in 31 34 35; do printf -- '--platform manylinux_2_%s_%s ' "$minor" "$1"; done
}
