import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { ClipSpec } from './spec.ts'

const STDERR_KEPT = 2_000

/**
 * Makes a recording at `path`. The encoders are native and some of them crash now and then, so each clip is made in a child
 * process of its own; the caller's process never loads them.
 * @throws Error with the encoder's complaint
 */
export function makeClip(clip: ClipSpec, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const entry = fileURLToPath(new URL('./encode-child.ts', import.meta.url))
    const child = spawn(process.execPath, ['--no-warnings', entry, path], {
      stdio: ['pipe', 'ignore', 'pipe'],
    })
    let stderr = ''
    child.stderr.on('data', (chunk: Buffer) => {
      stderr = (stderr + chunk.toString()).slice(-STDERR_KEPT)
    })
    // A child that dies early is told by its exit.
    child.stdin.on('error', () => {})
    child.stdin.end(JSON.stringify(clip))
    child.on('error', reject)
    child.on('close', (code, signal) => {
      if (code === 0) resolve()
      else
        reject(new Error(`${clip.container} clip not made (${signal ?? `status ${code}`}): ${stderr.trim()}`))
    })
  })
}
