import { readFileSync } from 'node:fs'

/** Bytes of memory a process holds now and held at most; undefined where the system has no `/proc`. */
export function processMemory(pid: number): { readonly current: number; readonly peak: number } | undefined {
  let status: string
  try {
    status = readFileSync(`/proc/${pid}/status`, 'latin1')
  } catch {
    // No /proc on this system, or the process is gone: the caller has the process's own figures.
    return undefined
  }
  const current = kilobytes(status, 'VmRSS')
  const peak = kilobytes(status, 'VmHWM')
  return current === undefined || peak === undefined ? undefined : { current, peak }
}

function kilobytes(status: string, field: string): number | undefined {
  const match = new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(status)
  return match ? Number(match[1]) * 1024 : undefined
}
