import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'

export interface RunResult {
  readonly status: number | undefined
  readonly seconds: number
  /** Highest resident memory of the hungriest single process among the command and its children, in bytes; 0 where unknown. */
  readonly peakBytes: number
  readonly stderr: string
}

const POLL_MS = 25
const STDERR_KEPT = 4_000

/** Runs a command to its end, or kills it after `timeoutSeconds`, watching its memory. */
export function measure(
  command: string,
  args: readonly string[],
  timeoutSeconds: number,
): Promise<RunResult> {
  return new Promise((resolve, reject) => {
    const started = performance.now()
    const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'pipe'] })
    let peakBytes = 0
    let stderr = ''
    child.stderr.on('data', (chunk: Buffer) => {
      stderr = (stderr + chunk.toString()).slice(-STDERR_KEPT)
    })
    const poll = setInterval(() => {
      if (child.pid === undefined) return
      void peakOfTree(child.pid).then((bytes) => {
        peakBytes = Math.max(peakBytes, bytes)
      })
    }, POLL_MS)
    const timer = setTimeout(() => child.kill('SIGKILL'), timeoutSeconds * 1000)
    const stop = (): void => {
      clearInterval(poll)
      clearTimeout(timer)
    }
    child.on('error', (error) => {
      stop()
      reject(error)
    })
    child.on('close', (code) => {
      stop()
      const seconds = (performance.now() - started) / 1000
      resolve({ status: code ?? undefined, seconds, peakBytes, stderr: stderr.trim() })
    })
  })
}

/**
 * High-water mark of resident memory over a process and its descendants, from the system's process files (Linux). Between its
 * start and its own program a process still is a copy of the one that starts it: that counts for nothing.
 */
async function peakOfTree(pid: number, parent = 'self'): Promise<number> {
  try {
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8')
    if (command === (await readFile(`/proc/${parent}/cmdline`, 'utf8'))) return 0
    const status = await readFile(`/proc/${pid}/status`, 'utf8')
    const own = Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024
    const children = (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).trim()
    const below = await Promise.all(
      children
        .split(' ')
        .filter(Boolean)
        .map((child) => peakOfTree(Number(child), String(pid))),
    )
    return Math.max(own, ...below)
  } catch {
    // The process has ended, or the system has no such files.
    return 0
  }
}
