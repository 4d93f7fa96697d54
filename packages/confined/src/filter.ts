/**
 * A filter of system calls as classic BPF (Linux, `seccomp(2)`): a decoder reads, writes, allocates and starts threads. It
 * needs no sockets, no processes, no other process's memory, and nothing that changes the machine.
 */

/** Numbers by architecture, from the kernel's tables. */
type Numbers = Readonly<Record<string, number>>

interface Architecture {
  /** `AUDIT_ARCH_…` */
  readonly audit: number
  readonly refused: Numbers
  readonly clone: number
  /** Numbers from here on belong to another way of calling. */
  readonly end?: number
}

/** The same on every architecture. */
const COMMON: Numbers = {
  open_tree: 428,
  move_mount: 429,
  fsopen: 430,
  fsconfig: 431,
  fsmount: 432,
  fspick: 433,
  pidfd_open: 434,
  pidfd_getfd: 438,
  process_madvise: 440,
  mount_setattr: 442,
  memfd_secret: 447,
}

/** Answered as if the kernel did not know them: their callers then do it another way. */
const UNKNOWN: Numbers = { io_uring_setup: 425, io_uring_enter: 426, io_uring_register: 427, clone3: 435 }

const ARCHITECTURES: Readonly<Record<string, Architecture>> = {
  x64: {
    audit: 0xc000003e,
    clone: 56,
    end: 0x40000000,
    refused: {
      ...COMMON,
      shmget: 29,
      shmat: 30,
      socket: 41,
      connect: 42,
      accept: 43,
      bind: 49,
      listen: 50,
      socketpair: 53,
      fork: 57,
      vfork: 58,
      semget: 64,
      msgget: 68,
      ptrace: 101,
      syslog: 103,
      mknod: 133,
      uselib: 134,
      personality: 135,
      vhangup: 153,
      modify_ldt: 154,
      pivot_root: 155,
      adjtimex: 159,
      chroot: 161,
      acct: 163,
      settimeofday: 164,
      mount: 165,
      umount2: 166,
      swapon: 167,
      swapoff: 168,
      reboot: 169,
      sethostname: 170,
      setdomainname: 171,
      iopl: 172,
      ioperm: 173,
      init_module: 175,
      delete_module: 176,
      quotactl: 179,
      lookup_dcookie: 212,
      clock_settime: 227,
      kexec_load: 246,
      add_key: 248,
      request_key: 249,
      keyctl: 250,
      mknodat: 259,
      unshare: 272,
      accept4: 288,
      perf_event_open: 298,
      fanotify_init: 300,
      name_to_handle_at: 303,
      open_by_handle_at: 304,
      clock_adjtime: 305,
      setns: 308,
      process_vm_readv: 310,
      process_vm_writev: 311,
      kcmp: 312,
      finit_module: 313,
      memfd_create: 319,
      kexec_file_load: 320,
      bpf: 321,
      execveat: 322,
      userfaultfd: 323,
    },
  },
  arm64: {
    audit: 0xc00000b7,
    clone: 220,
    refused: {
      ...COMMON,
      lookup_dcookie: 18,
      mknodat: 33,
      umount2: 39,
      mount: 40,
      pivot_root: 41,
      chroot: 51,
      vhangup: 58,
      quotactl: 60,
      acct: 89,
      personality: 92,
      unshare: 97,
      kexec_load: 104,
      init_module: 105,
      delete_module: 106,
      clock_settime: 112,
      syslog: 116,
      ptrace: 117,
      reboot: 142,
      sethostname: 161,
      setdomainname: 162,
      settimeofday: 170,
      adjtimex: 171,
      msgget: 186,
      semget: 190,
      shmget: 194,
      shmat: 196,
      socket: 198,
      socketpair: 199,
      bind: 200,
      listen: 201,
      accept: 202,
      connect: 203,
      add_key: 217,
      request_key: 218,
      keyctl: 219,
      swapon: 224,
      swapoff: 225,
      perf_event_open: 241,
      accept4: 242,
      fanotify_init: 262,
      name_to_handle_at: 264,
      open_by_handle_at: 265,
      clock_adjtime: 266,
      setns: 268,
      process_vm_readv: 270,
      process_vm_writev: 271,
      kcmp: 272,
      finit_module: 273,
      memfd_create: 279,
      bpf: 280,
      execveat: 281,
      userfaultfd: 282,
      kexec_file_load: 294,
    },
  },
}

/** Codes of instructions. */
const LOAD = 0x20
const JUMP_IF_EQUAL = 0x15
const JUMP_IF_AT_LEAST = 0x35
const JUMP_IF_ANY_BIT = 0x45
const RETURN = 0x06

/** Offsets in what the filter sees of a call. */
const NUMBER = 0
const ARCHITECTURE = 4
const FIRST_ARGUMENT = 16

const ALLOW = 0x7fff0000
const KILL = 0x80000000
const REFUSE = 0x00050000 | 1
const NOT_KNOWN = 0x00050000 | 38

/** A new thread, not a new process. */
const CLONE_THREAD = 0x10000

/** Whether there is a filter for this machine's kind of processor. */
export function canFilter(): boolean {
  return ARCHITECTURES[process.arch] !== undefined
}

/** The filter's program, eight bytes an instruction; `undefined` for other processors. */
export function filterProgram(architecture: string = process.arch): Buffer | undefined {
  const about = ARCHITECTURES[architecture]
  if (!about) return undefined
  const lines: [code: number, jumpIf: number, jumpElse: number, value: number][] = [
    [LOAD, 0, 0, ARCHITECTURE],
    [JUMP_IF_EQUAL, 1, 0, about.audit],
    [RETURN, 0, 0, KILL],
    [LOAD, 0, 0, NUMBER],
  ]
  if (about.end !== undefined) lines.push([JUMP_IF_AT_LEAST, 0, 1, about.end], [RETURN, 0, 0, REFUSE])
  for (const number of Object.values(UNKNOWN))
    lines.push([JUMP_IF_EQUAL, 0, 1, number], [RETURN, 0, 0, NOT_KNOWN])
  for (const number of Object.values(about.refused))
    lines.push([JUMP_IF_EQUAL, 0, 1, number], [RETURN, 0, 0, REFUSE])
  lines.push(
    [JUMP_IF_EQUAL, 0, 3, about.clone],
    [LOAD, 0, 0, FIRST_ARGUMENT],
    [JUMP_IF_ANY_BIT, 1, 0, CLONE_THREAD],
    [RETURN, 0, 0, REFUSE],
    [RETURN, 0, 0, ALLOW],
  )
  const program = Buffer.alloc(lines.length * 8)
  for (const [index, [code, jumpIf, jumpElse, value]] of lines.entries()) {
    const at = index * 8
    program.writeUInt16LE(code, at)
    program.writeUInt8(jumpIf, at + 2)
    program.writeUInt8(jumpElse, at + 3)
    program.writeUInt32LE(value, at + 4)
  }
  return program
}
