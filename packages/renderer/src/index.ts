import { number, readDescription, readVerification } from './answers.ts'
import type { MediaDescription } from './description.ts'
import { RendererError } from './errors.ts'
import { verifyPhoto } from './photo.ts'
import type { PhotoVerification } from './photo-results.ts'
import { type RunOptions, type RunTask, runTask } from './run.ts'
import type { Verification } from './verification.ts'

export type { MediaDescription, StreamDescription } from './description.ts'
export {
  type EnhanceOperations,
  type EnhanceRequest,
  type EnhanceResult,
  enhance,
} from './enhance.ts'
export type { EnhancedRange, Enhancement, LeftRange } from './enhance-result.ts'
export { RendererError, type RendererErrorKind } from './errors.ts'
export {
  decodeHashes,
  type FrameHash,
  type HashOptions,
  type PacketHash,
  type StreamHashes,
} from './hashes.ts'
export {
  extractSegment,
  type OwnFormatResult,
  type PartRequest,
  type PreviewRequest,
  preview,
  type StillRequest,
  stillImage,
} from './make.ts'
export { type RenderPhotoRequest, renderPhoto, verifyPhoto } from './photo.ts'
export type { PhotoVerification } from './photo-results.ts'
export type { ByteRange, SecondsRange } from './protocol.ts'
export type { PreviewResult, StillResult } from './results.ts'
export type { RunOptions, RunTask } from './run.ts'
export type { Fault, StreamKind, TrackVerification, Verification } from './verification.ts'

export interface VerifyOptions extends RunOptions {
  /** What the file holds; a recording by default. */
  readonly kind?: 'recording' | 'photo'
  /** What a photo of its kind is called, without a dot; that of its path by default. */
  readonly extension?: string
}

/**
 * Decodes a whole file in a child process and counts what comes out. A file that cannot be opened is answered with
 * `decodable: false`, one that a decoder breaks off at with `unchecked`; only faults of the machine, limits and stops are thrown.
 * @throws RendererError
 */
export async function verify(path: string, options: VerifyOptions = {}): Promise<Verification> {
  try {
    if (options.kind === 'photo') return ofPhoto(await verifyPhoto(path, options))
    return readVerification(await runTask({ task: 'verify', input: path }, options))
  } catch (error) {
    if (!(error instanceof RendererError) || error.kind !== 'crashed') throw error
    return { unchecked: `its decoder broke off: ${error.message}`, decodable: false, duration: 0, tracks: [] }
  }
}

/** A photo has no tracks: what a decoder says of it stands where a track's figures do. */
function ofPhoto({ checked, decodable, errors }: PhotoVerification): Verification {
  if (!checked)
    return {
      unchecked: 'nothing here decodes this kind of photo',
      decodable: false,
      duration: 0,
      tracks: [],
    }
  const picture = { kind: 'data' as const, codec: 'photo', packets: 1, frames: decodable ? 1 : 0, errors }
  return { decodable, duration: 0, tracks: [picture] }
}

/** Describes a media file's container and streams. @throws RendererError `input` when it is no media file the library opens. */
export async function probeMedia(path: string, options: RunOptions = {}): Promise<MediaDescription> {
  return readDescription(await runTask({ task: 'probe', input: path }, options))
}

/** Writes the packets of stream `stream`, end to end, to `output`; returns the bytes written. @throws RendererError */
export async function extractPayload(
  path: string,
  stream: number,
  output: string,
  { run = runTask, ...options }: RunOptions & { readonly run?: RunTask } = {},
): Promise<number> {
  return number(await run({ task: 'payload', input: path, output, stream }, options))
}
