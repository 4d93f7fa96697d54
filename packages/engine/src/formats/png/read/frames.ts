import { type Chunk, chunkCrc, u32 } from './chunk.ts'
import type { Header } from './header.ts'

/** A piece of a frame's data: a chunk's, without the number that fdAT begins with. */
export interface Segment {
  readonly chunk: Chunk
  /** Where its data begin and how many there are. */
  readonly offset: number
  readonly length: number
  /** Where they lie in the frame's stream. */
  readonly at: number
  /** Their checksum agrees, or the file ends before it. */
  readonly right: boolean
}

/** One picture of a file: the image itself (IDAT), or a frame of its animation (fdAT), PNG (Third Edition) §4.9. */
export interface Frame {
  readonly kind: 'IDAT' | 'fdAT'
  /** The fcTL that describes it. */
  readonly control: Chunk | undefined
  readonly width: number
  readonly height: number
  readonly segments: readonly Segment[]
  /** All its data. */
  readonly stream: Uint8Array
}

export const CONTROL_LENGTH = 26
/** Bytes of the number in front of a frame's data. */
export const SEQUENCE = 4

/**
 * The frames of a file in their order. Without a header the image's size is 0 by 0. `controlOf` gives the data of an fcTL: as
 * they stand unless told otherwise.
 */
export function framesOf(
  bytes: Uint8Array,
  chunks: readonly Chunk[],
  header: Header | undefined,
  controlOf = ({ body, length }: Chunk): Uint8Array => bytes.subarray(body, body + length),
): Frame[] {
  const frames: Frame[] = []
  let control: Chunk | undefined
  let kind: Frame['kind'] | undefined
  let segments: Segment[] = []
  let length = 0
  const finish = (): void => {
    if (kind && segments.length > 0) {
      const own = kind === 'fdAT' && control ? controlOf(control) : undefined
      const stream = new Uint8Array(length)
      for (const { offset, at, length: part } of segments)
        stream.set(bytes.subarray(offset, offset + part), at)
      const width = own ? u32(own, 4) : (header?.width ?? 0)
      const height = own ? u32(own, 8) : (header?.height ?? 0)
      frames.push({ kind, control, width, height, segments, stream })
      control = undefined
    }
    kind = undefined
    segments = []
    length = 0
  }
  for (const chunk of chunks) {
    if (chunk.type === 'fcTL') {
      finish()
      if (chunk.length === CONTROL_LENGTH) control = chunk
    } else if (chunk.type === 'IDAT' || chunk.type === 'fdAT') {
      if (kind !== chunk.type) finish()
      kind = chunk.type
      const skip = kind === 'fdAT' ? SEQUENCE : 0
      const part = Math.max(0, chunk.length - skip)
      segments.push({
        chunk,
        offset: chunk.body + skip,
        length: part,
        at: length,
        right: isRight(bytes, chunk),
      })
      length += part
    }
  }
  finish()
  return frames
}

/** Where a byte of a frame's stream stands in the file. */
export function fileOffset({ segments }: Frame, at: number): number {
  const segment = segments.findLast((each) => each.at <= at) ?? segments[0]
  return segment.offset + Math.min(segment.length, at - segment.at)
}

/** Whether a chunk is right now, a byte put right perhaps. */
function isRight(bytes: Uint8Array, { type, body, length, crc }: Chunk): boolean {
  if (crc !== 'wrong') return true
  return chunkCrc(type, bytes.subarray(body, body + length)) === u32(bytes, body + length)
}
