import { closeSync, openSync, readSync } from 'node:fs'
import { AV_LOG_QUIET } from 'node-av/constants'
import { FFmpegError, Log, PosixError } from 'node-av/lib'

/** Without EIO: demuxers answer it of a file that ends within its head, too. */
const MACHINE_FAILURES: readonly number[] = [
  PosixError.EACCES,
  PosixError.EISDIR,
  PosixError.ENOENT,
  PosixError.ENOSPC,
  PosixError.EPERM,
].map((name) => FFmpegError.AVERROR(name))

/** Damaged media would print thousands of lines; what matters is counted instead. */
export function silenceLibrary(): void {
  Log.setLevel(AV_LOG_QUIET)
}

export function describe(code: number): string {
  return FFmpegError.strerror(code)
}

/** True for failures to open the file at a path that are the machine's rather than its content's. */
export function isEnvironment(code: number, path: string): boolean {
  return MACHINE_FAILURES.includes(code) || (code === FFmpegError.AVERROR(PosixError.EIO) && !isRead(path))
}

/** Bytes of a file in which demuxers look for its head. */
const HEAD_BYTES = 1 << 20

/** Whether the front of a file can be read. */
function isRead(path: string): boolean {
  try {
    const file = openSync(path, 'r')
    try {
      readSync(file, new Uint8Array(HEAD_BYTES))
      return true
    } finally {
      closeSync(file)
    }
  } catch {
    return false
  }
}

/** True when what is written finds no room or a broken disk; muxers use the other codes for content they do not take. */
export function isMediumFailure(code: number): boolean {
  return code === FFmpegError.AVERROR(PosixError.ENOSPC) || code === FFmpegError.AVERROR(PosixError.EIO)
}

/** Lets the event loop run, so that memory of buffers handed to JavaScript is given back. */
export function breathe(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
