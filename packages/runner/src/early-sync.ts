import { fdatasync } from 'node:fs'
import { environmentError } from './errors.ts'

/** Milliseconds between two starts: long enough for a good part of a disk's second, short enough to leave little for the end. */
const INTERVAL = 300

/**
 * Has a file's bytes go to the disk while they are still being written, so that little is left to wait for at the end.
 * Returns what ends it. @throws EnvironmentError from there when the disk failed meanwhile: it says so only once.
 */
export function syncEarly(descriptor: number, label: string): () => Promise<void> {
  let running: Promise<void> | undefined
  let failed: unknown
  const timer = setInterval(() => {
    running ??= new Promise<void>((resolve) => {
      fdatasync(descriptor, (error) => {
        failed ??= error ?? undefined
        running = undefined
        resolve()
      })
    })
  }, INTERVAL)
  timer.unref()
  return async () => {
    clearInterval(timer)
    await running
    if (failed !== undefined) throw environmentError(`cannot write ${label}`, failed)
  }
}
