import type { ChildProcess } from 'node:child_process'
import { type EngineCode, engineCode, lastEngineCode } from './engine-code.ts'

/**
 * Starts the engine's process with the code that was made last, while it is found out whether that is still of the same sources:
 * as long as it is told nothing it only starts. Where it is not, it is ended, and one with the right code started.
 */
export async function startEarly(
  start: (code: EngineCode) => ChildProcess,
  build?: string,
): Promise<ChildProcess> {
  const last = lastEngineCode(build)
  const early = last && start(last)
  try {
    const code = await engineCode(build)
    if (early && code.entry === last.entry) return early
    if (early) await ended(early)
    return start(code)
  } catch (error) {
    if (early) await ended(early)
    throw error
  }
}

/** Kills a process. Resolves when it is gone, so that nobody writes into a file that the caller is about to remove. */
export function ended(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return resolve()
    child.once('exit', () => resolve())
    child.kill('SIGKILL')
  })
}
