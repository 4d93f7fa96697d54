import { AV_LOG_QUIET } from 'node-av/constants'
import { FFmpegError, Log, PosixError } from 'node-av/lib'

const MACHINE_FAILURES: readonly number[] = [
  PosixError.EACCES,
  PosixError.EIO,
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

/** True for failures of the machine rather than of the file's content. */
export function isEnvironment(code: number): boolean {
  return MACHINE_FAILURES.includes(code)
}

/** True when what is written finds no room or a broken disk; muxers use the other codes for content they do not take. */
export function isMediumFailure(code: number): boolean {
  return code === FFmpegError.AVERROR(PosixError.ENOSPC) || code === FFmpegError.AVERROR(PosixError.EIO)
}

/** Lets the event loop run, so that memory of buffers handed to JavaScript is given back. */
export function breathe(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
