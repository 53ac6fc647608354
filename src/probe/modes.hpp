#pragma once

// What `main` dispatches to. Each gets the arguments behind the mode's name and returns the exit status.

namespace swaprig::probe {

/// run JOB [--port=PATH|none] [--result=PATH] [--cgroup=PATH] [--log=PATH] [--lock=0]: runs and times a
/// workload (base/wire.hpp). All options but --port and --result are for tests on a host.
int run_mode(int argc, char** argv);

/// memory --size=BYTES --pattern=sweep|random --passes=N --write-share=F --compressible=F --seed=N --file-reads=BYTES
int memory_mode(int argc, char** argv);

/// settle --devices=vda,vdb --idle-ms=N --limit-ms=N: sync, drop caches, wait until the drives are idle.
int settle_mode(int argc, char** argv);

/// facts [--sysctl=NAME=VALUE]...: sets and reads back, then prints what the host wants to know of the guest.
int facts_mode(int argc, char** argv);

/// extents FILE: where a file lies on its block device.
int extents_mode(int argc, char** argv);

/// step COMMAND...: runs a command outside the agent's cgroup, timed; its stdout goes to stderr.
int step_mode(int argc, char** argv);

/// swapfiles --repeat=N --nocow=0|1 --cell=METHOD:SIZE:BLOCK:DURABLE... [--result=PATH] [--swaps=PATH] [--sync=0]: makes swap
/// files in the working directory, times the making, and proves each usable (base/wire.hpp). The last three options are
/// for tests on a host. Exit status wire::k_no_room_status when the file system is full.
int swapfiles_mode(int argc, char** argv);

}  // namespace swaprig::probe
