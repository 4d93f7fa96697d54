import { randomUUID } from 'node:crypto'
import { rename, rm } from 'node:fs/promises'
import { basename, dirname, extname, join } from 'node:path'
import { asRecord, number, readVerification } from './answers.ts'
import { RendererError } from './errors.ts'
import type { Task } from './protocol.ts'
import type { PreviewResult, SegmentResult, StillResult } from './results.ts'
import { type RunOptions, runTask } from './run.ts'

export interface PartRequest extends RunOptions {
  readonly input: string
  /** Appears, complete, when the call succeeds. */
  readonly output: string
  /** Share of the recording's length, from its start; 0.1 by default, at least a second. */
  readonly fraction?: number
  /** Bound of the part in seconds; 300 by default. */
  readonly maxSeconds?: number
}

export interface PreviewRequest extends PartRequest {
  /** Longest side in pixels; 1280 by default. */
  readonly maxWidth?: number
}

export interface StillRequest extends RunOptions {
  readonly input: string
  readonly output: string
  /** Seconds after the start; 0 by default. The nearest picture that decodes is taken. */
  readonly atSeconds?: number
  /** Widest in pixels; 640 by default. */
  readonly width?: number
}

/** What became of a wish for the first part in the recording's own format. */
export interface OwnFormatResult {
  /** The file that was made. */
  readonly path: string
  /** True when it is a copy in the recording's own container and codecs. */
  readonly own: boolean
  /** Why it had to be encoded as MP4 instead. */
  readonly reason?: string
}

const FRACTION = 0.1
const MAX_SECONDS = 300
const MAX_WIDTH = 1_280
const STILL_WIDTH = 640

/** The library's muxer for a file extension in lower case. */
const MUXERS: Readonly<Record<string, string>> = {
  '3g2': '3g2',
  '3gp': '3gp',
  asf: 'asf',
  avi: 'avi',
  dat: 'vcd',
  divx: 'avi',
  f4v: 'f4v',
  flv: 'flv',
  m2ts: 'mpegts',
  m4v: 'mp4',
  mkv: 'matroska',
  mov: 'mov',
  mp4: 'mp4',
  mpeg: 'mpeg',
  mpg: 'mpeg',
  mts: 'mpegts',
  ts: 'mpegts',
  vob: 'vob',
  webm: 'webm',
  wmv: 'asf',
}

/**
 * Encodes the first part of any recording that decodes, damaged or not, as H.264 and AAC in an MP4 that browsers
 * play. Rotation and variable rates are kept.
 * @throws RendererError `input` when no picture and no sound of it decodes
 */
export async function preview(request: PreviewRequest): Promise<PreviewResult> {
  const { input, fraction = FRACTION, maxSeconds = MAX_SECONDS, maxWidth = MAX_WIDTH } = request
  return whole(request.output, async (output) => {
    const answer = asRecord(
      await runTask({ task: 'preview', input, output, fraction, maxSeconds, maxWidth }, request),
    )
    return {
      seconds: number(answer.seconds),
      pictures: number(answer.pictures),
      soundFrames: number(answer.soundFrames),
      width: number(answer.width),
      height: number(answer.height),
    }
  })
}

/** Writes one picture of a recording, upright, as JPEG. @throws RendererError `input` when none decodes */
export async function stillImage(request: StillRequest): Promise<StillResult> {
  const { input, atSeconds = 0, width = STILL_WIDTH } = request
  return whole(request.output, async (output) => {
    const answer = asRecord(await runTask({ task: 'still', input, output, atSeconds, width }, request))
    return { seconds: number(answer.seconds), width: number(answer.width), height: number(answer.height) }
  })
}

/**
 * Copies the first part of a recording in its own container and codecs; where the media library cannot write them, a
 * preview as MP4 is made beside it and the reason said.
 * @throws RendererError when that fails too
 */
export async function extractSegment(request: PartRequest): Promise<OwnFormatResult> {
  const extension = extname(request.output)
  const muxer = MUXERS[extension.slice(1).toLowerCase()]
  let reason = `nothing writes ${extension || 'a file without extension'}`
  if (muxer) {
    try {
      await copyPart(request, muxer)
      return { path: request.output, own: true }
    } catch (error) {
      if (!(error instanceof RendererError) || !FALLBACK_KINDS.includes(error.kind)) throw error
      reason = error.message
    }
  }
  const stem = extension ? request.output.slice(0, -extension.length) : request.output
  const path = `${stem}.mp4`
  await preview({ ...request, output: path })
  return { path, own: false, reason }
}

/** Failures of copying that encoding may get around. */
const FALLBACK_KINDS: readonly RendererError['kind'][] = ['input', 'crashed']

async function copyPart(request: PartRequest, muxer: string): Promise<SegmentResult> {
  const { input, fraction = FRACTION, maxSeconds = MAX_SECONDS } = request
  return whole(request.output, async (output) => {
    const task: Task = { task: 'segment', input, output, muxer, fraction, maxSeconds }
    const answer = asRecord(await runTask(task, request))
    const { onProgress: _, ...limits } = request
    const { decodable } = readVerification(await runTask({ task: 'verify', input: output }, limits))
    if (!decodable) throw new RendererError('input', 'the copied part does not decode by itself')
    return { seconds: number(answer.seconds), packets: number(answer.packets) }
  })
}

/** Lets something be written under a passing name in the same folder, which becomes `output` only when it is complete. */
export async function whole<T>(output: string, write: (path: string) => Promise<T>): Promise<T> {
  const passing = join(dirname(output), `.${basename(output)}.${randomUUID()}.part`)
  try {
    const result = await write(passing)
    await rename(passing, output)
    return result
  } finally {
    await rm(passing, { force: true })
  }
}
