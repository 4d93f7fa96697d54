import {
  ANIMATION_BYTES,
  CHUNK_HEADER,
  type ChunkType,
  FEATURES_BYTES,
  FRAME_HEADER,
  isKnown,
  isPrintable,
  nextChunk,
  paddedEnd,
  surelyAt,
  text,
  typeMeant,
  u32,
} from './chunk.ts'
import { checkImage, type Effort, type ImageCheck } from './image.ts'

/** A chunk as it lies in the file. */
export interface Chunk {
  readonly kind: 'chunk'
  /** As it is meant, where its characters were hit. */
  readonly type: string
  readonly offset: number
  readonly body: number
  /** Bytes of its body that are there. */
  readonly length: number
  /** Behind the byte that makes its size even. */
  readonly end: number
  /** What was hit of its header; `cut`: its end is missing. */
  readonly state: 'right' | 'type' | 'size' | 'cut'
}

export interface Junk {
  readonly kind: 'junk'
  readonly offset: number
  readonly end: number
}

export type Block = Chunk | Junk

/** Reads chunk after chunk of [from, to); where one does not lead to the next, the next one is searched for. */
export function walkChunks(bytes: Uint8Array, from: number, to: number, effort: Effort): Block[] {
  const blocks: Block[] = []
  for (let at = from; at < to; ) {
    const found = chunkAt(bytes, at, to, effort)
    const block = found ?? { kind: 'junk', offset: at, end: nextChunk(bytes, at + 1, to) }
    const before = blocks.at(-1)
    if (block.kind === 'junk' && before?.kind === 'junk')
      blocks[blocks.length - 1] = { ...before, end: block.end }
    else blocks.push(block)
    at = block.end
  }
  return blocks
}

/** The chunks that a frame of an animation holds. */
export function frameBlocks(bytes: Uint8Array, frame: Chunk, effort: Effort): Block[] {
  return walkChunks(bytes, frame.body + FRAME_HEADER, frame.body + frame.length, effort)
}

function chunkAt(bytes: Uint8Array, at: number, to: number, effort: Effort): Chunk | undefined {
  if (at + CHUNK_HEADER >= to) return undefined
  const own = text(bytes, at)
  const size = u32(bytes, at + 4)
  const body = at + CHUNK_HEADER
  const end = paddedEnd(body, size)
  const leads = body + size <= to && (end >= to || startsAt(bytes, end, to))
  const base = { kind: 'chunk', offset: at, body } as const
  if (leads && (isKnown(own) || (isPrintable(own) && !typeMeant(bytes, at))))
    return { ...base, type: own, length: size, end: Math.min(end, to), state: 'right' }
  const type = isKnown(own) ? own : typeMeant(bytes, at)
  if (!type) return undefined
  const hit = type !== own
  if (leads) return { ...base, type, length: size, end: Math.min(end, to), state: 'type' }
  if (body + size <= to && isWhole(bytes, type, body, size, effort))
    return { ...base, type, length: size, end, state: hit ? 'type' : 'right' }
  const fixed = type === 'VP8X' ? FEATURES_BYTES : type === 'ANIM' ? ANIMATION_BYTES : undefined
  if (fixed && body + fixed < to && startsAt(bytes, body + fixed, to))
    return { ...base, type, length: fixed, end: body + fixed, state: 'size' }
  const next = nextChunk(bytes, body, to, type === 'ANMF')
  const there = next - body
  if (next < to || body + size <= to) return { ...base, type, length: there, end: next, state: 'size' }
  const exact = lengthOf(bytes, type, body, to, effort)
  if (exact !== undefined)
    return { ...base, type, length: exact, end: Math.min(to, paddedEnd(body, exact)), state: 'size' }
  return { ...base, type, length: there, end: to, state: 'cut' }
}

/** Whether a chunk may begin here that another one leads to. */
function startsAt(bytes: Uint8Array, at: number, to: number): boolean {
  if (at + CHUNK_HEADER > to) return to - at <= 1
  if (surelyAt(bytes, at) || typeMeant(bytes, at)) return true
  const type = text(bytes, at)
  return isPrintable(type) && at + CHUNK_HEADER + u32(bytes, at + 4) <= to
}

/** Whether a picture's data are whole with just these bytes. */
function isWhole(bytes: Uint8Array, type: ChunkType, body: number, size: number, effort: Effort): boolean {
  if (type !== 'VP8 ' && type !== 'VP8L') return false
  return tried(type, bytes.subarray(body, body + size), effort)?.state === 'right'
}

/** Bytes that a picture takes whose size was hit and behind which no chunk follows; undefined where it is not whole. */
function lengthOf(
  bytes: Uint8Array,
  type: ChunkType,
  body: number,
  to: number,
  effort: Effort,
): number | undefined {
  if (type !== 'VP8 ' && type !== 'VP8L') return undefined
  const check = tried(type, bytes.subarray(body, to), effort)
  if (check?.state === 'right') return to - body
  return check?.whole && check.bytes !== undefined ? check.bytes : undefined
}

/** What a picture's data come to with just these bytes; undefined once too many did not come to their end. */
function tried(type: ChunkType, body: Uint8Array, { pixels, failures }: Effort): ImageCheck | undefined {
  if (failures.spent) return undefined
  const check = checkImage(type, body, [], pixels)
  if (check?.state !== 'right') failures.take()
  return check
}
