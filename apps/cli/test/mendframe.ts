import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
export const COMMAND = join(ROOT, 'bin', 'mendframe')

/** A PATH with the system's tools and no Node of ours. */
const PLAIN_PATH = '/usr/local/bin:/usr/bin:/bin'

export interface Outcome {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface Run {
  readonly process: ChildProcess
  readonly outcome: Promise<Outcome>
}

/** Starts the command as a shell would. */
export function start(
  args: readonly string[],
  options: { readonly command?: string; readonly cwd?: string; readonly env?: Record<string, string> } = {},
): Run {
  const child = spawn(options.command ?? COMMAND, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: PLAIN_PATH, LANG: 'C.UTF-8', ...options.env },
    ...(options.cwd ? { cwd: options.cwd } : {}),
  })
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  const outcome = Promise.all([ended, text(child.stdout), text(child.stderr)]).then(
    ([code, stdout, stderr]) => ({
      code,
      stdout,
      stderr,
    }),
  )
  return { process: child, outcome }
}

export function mendframe(...args: string[]): Promise<Outcome> {
  return start(args).outcome
}

/** Waits for the engine process that a run of the command starts. Returns its process id. */
export async function engineOf(run: Run): Promise<number> {
  for (;;) {
    for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
      if (isEngineOf(name, run.process.pid)) return Number(name)
    }
    await setTimeout(1)
  }
}

function isEngineOf(pid: string, parent: number | undefined): boolean {
  try {
    const [, found] = /\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'latin1')) ?? []
    return (
      Number(found) === parent &&
      readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('/runner/build/engine-')
    )
  } catch {
    // The process ended while we looked.
    return false
  }
}

/** A fresh folder that goes away with the test. */
export class Folder {
  readonly path = mkdtempSync(join(tmpdir(), 'mendframe-cli-'))

  file(name: string): string {
    return join(this.path, name)
  }

  names(): string[] {
    return readdirSync(this.path).sort()
  }

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true, force: true })
  }
}
