import { readFileSync } from 'node:fs'

/** What one process may use up; absent: as much as its parent. */
export interface Limits {
  /** Memory it may hold beyond what the runtime reserves. */
  readonly memoryBytes?: number
  /** Processor time, over all cores. */
  readonly cpuSeconds?: number
  /** Length of any file it writes. */
  readonly fileBytes?: number
  /** Processes and threads. Counted over everything of the same user unless in a room of its own. */
  readonly processes?: number
}

/** Address space that the runtime reserves without using it: each WebAssembly program in it takes 8 to 10 GiB. */
const RESERVED_BYTES = 24 * 2 ** 30
/** Data that the runtime and the stacks of its threads hold besides the work: 0.6 GB at the start. */
const RUNTIME_BYTES = 2 ** 30

/**
 * A command that runs another within limits that the system enforces, without a process in between; never wider than this
 * process's own, which it could not widen. `prlimit` is the path of that tool; where the system has none, the command itself.
 */
export function limited(prlimit: string | undefined, limits: Limits, command: readonly string[]): string[] {
  if (prlimit === undefined) return [...command]
  const { memoryBytes, cpuSeconds, fileBytes, processes } = limits
  const own = ownLimits()
  const flag = (name: keyof typeof LINES, value: number | undefined): string[] =>
    value === undefined ? [] : [`--${name}=${Math.ceil(Math.min(value, own.get(LINES[name]) ?? value))}`]
  return [
    prlimit,
    '--core=0',
    ...flag('data', memoryBytes === undefined ? undefined : memoryBytes + RUNTIME_BYTES),
    // Shared memory counts here only.
    ...flag('as', memoryBytes === undefined ? undefined : memoryBytes + RESERVED_BYTES),
    ...flag('cpu', cpuSeconds),
    ...flag('fsize', fileBytes),
    ...flag('nproc', processes),
    ...command,
  ]
}

/** Limits as `prlimit` calls them, and as /proc names them: proc_pid_limits(5). */
const LINES = {
  data: 'Max data size',
  as: 'Max address space',
  cpu: 'Max cpu time',
  fsize: 'Max file size',
  nproc: 'Max processes',
} as const

/** The hard limits of this process, those that are none left out. */
function ownLimits(): ReadonlyMap<string, number> {
  const found = new Map<string, number>()
  for (const line of readFileSync('/proc/self/limits', 'utf8').split('\n')) {
    const [, name = '', hard = ''] = /^(.+?)\s{2,}\S+\s+(\S+)/.exec(line) ?? []
    if (/^\d+$/.test(hard)) found.set(name, Number(hard))
  }
  return found
}
