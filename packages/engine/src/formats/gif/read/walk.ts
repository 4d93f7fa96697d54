import { type ReadLzw, readGifLzw } from '../../../codecs/lzw/gif-lzw.ts'
import { Allowance } from '../../../model/allowance.ts'
import type { Monitor } from '../../../model/monitor.ts'
import { mendChain, oddSegment } from '../mend/mend-chain.ts'
import { zeroRunIn } from '../mend/zero-run.ts'
import {
  APPLICATION,
  type Bounds,
  type Chain,
  CONTROL,
  type Descriptor,
  EXTENSION,
  extensionAt,
  introducerAt,
  nextBlock,
  PLAIN_TEXT,
  readChain,
  readDescriptor,
  type Segment,
  streamOf,
  TAKEN_SIZES,
  TRAILER,
} from './blocks.ts'

/** Zeros at the end that may belong to what stands in front of them. */
const FEW_ZEROS = 8
/** Steps of any file, and for each byte of this one: bytes of codes that are read, and sub-blocks that are followed. */
const EFFORT = 1 << 22
const EFFORT_A_BYTE = 12
/** Blocks of any file, and bytes for each further one: an hour of pictures, and more than any file has of a few pixels each. */
const MOST_BLOCKS = 65_536
const BYTES_A_BLOCK = 1024

export interface ImageBlock {
  readonly kind: 'image'
  readonly offset: number
  readonly end: number
  readonly descriptor: Descriptor
  readonly segments: readonly Segment[]
  /** As it stands, with a length put right, or broken. */
  readonly state: 'right' | 'chain' | 'broken'
  readonly read: ReadLzw
  /** Where it breaks off, rather than that something was hit in it. */
  readonly cut: boolean
}

export interface ExtensionBlock {
  readonly kind: 'extension'
  readonly offset: number
  readonly end: number
  readonly label: number
  readonly closed: boolean
}

export interface Junk {
  readonly kind: 'junk'
  readonly offset: number
  readonly end: number
}

export type Block = ImageBlock | ExtensionBlock | Junk

export interface Walk {
  readonly blocks: readonly Block[]
  /** Behind the trailer, or where the file was written up to. */
  readonly end: number
  readonly ended: boolean
}

export function isControl(block: Block): block is ExtensionBlock {
  return block.kind === 'extension' && block.label === CONTROL
}

/** The control of each picture that has one: extensions that show nothing may stand between, GIF89a §23. */
export function controlsOf(blocks: readonly Block[]): ReadonlyMap<Block, ExtensionBlock> {
  const controls = new Map<Block, ExtensionBlock>()
  let control: ExtensionBlock | undefined
  for (const block of blocks) {
    if (block.kind === 'extension' && block.label !== PLAIN_TEXT) {
      if (block.label === CONTROL) control = block
      continue
    }
    if (control && block.kind === 'image') controls.set(block, control)
    control = undefined
  }
  return controls
}

export function isLoop(block: Block): boolean {
  return block.kind === 'extension' && block.label === APPLICATION
}

/** Reads block after block, GIF89a Appendix B; where one does not lead to the next, the next one is searched for. */
export async function walk(
  whole: Uint8Array,
  from: number,
  monitor: Monitor,
  screen?: Bounds,
): Promise<Walk> {
  const blocks: Block[] = []
  const written = whole.findLastIndex((byte) => byte !== 0) + 1
  // a few of the zeros at the end, which may belong to what stands in front of them
  const bytes = whole.subarray(0, written + FEW_ZEROS)
  const allowance = new Allowance(EFFORT + bytes.length * EFFORT_A_BYTE)
  const most = MOST_BLOCKS + bytes.length / BYTES_A_BLOCK
  let at = from
  while (at < written) {
    await monitor.pause()
    if (bytes[at] === TRAILER) return { blocks, end: at + 1, ended: true }
    const goesOn = blocks.length < most && allowance.take()
    const block: Block = goesOn
      ? blockAt(bytes, at, written, allowance, screen)
      : { kind: 'junk', offset: at, end: bytes.length }
    if (block.kind !== 'junk' || bytes.subarray(at, block.end).some((byte) => byte !== 0)) blocks.push(block)
    at = block.end
  }
  return { blocks, end: bytes.length, ended: false }
}

function blockAt(
  bytes: Uint8Array,
  at: number,
  written: number,
  allowance: Allowance,
  screen: Bounds | undefined,
): Block {
  const descriptor = readDescriptor(bytes, at)
  if (descriptor) return imageBlock(bytes, at, descriptor, written, allowance, screen)
  // with a size of codes that the specification does not have only data that is right to its last pixel are believed
  const odd = readDescriptor(bytes, at, TAKEN_SIZES)
  const block = odd && imageBlock(bytes, at, odd, written, allowance, screen)
  if (block?.state === 'right') return block
  if (bytes[at] === EXTENSION) {
    const chain = readChain(bytes, at + 2)
    allowance.take(chain.segments.length)
    const leads = chain.closed && introducerAt(bytes, chain.end)
    if (leads || (extensionAt(bytes, at) && !chain.closed && nextBlock(bytes, at + 1) === bytes.length))
      return { kind: 'extension', offset: at, end: chain.end, label: bytes[at + 1], closed: chain.closed }
  }
  if (bytes[at] === 0) {
    const end = bytes.findIndex((byte, i) => i > at && byte !== 0)
    return { kind: 'junk', offset: at, end: end < 0 ? bytes.length : end }
  }
  return { kind: 'junk', offset: at, end: nextBlock(bytes.subarray(0, written), at + 1) }
}

function imageBlock(
  bytes: Uint8Array,
  offset: number,
  descriptor: Descriptor,
  written: number,
  allowance: Allowance,
  screen: Bounds | undefined,
): ImageBlock {
  const wanted = descriptor.width * descriptor.height
  const chain = readChain(bytes, descriptor.data)
  const stream = streamOf(bytes, chain.segments)
  allowance.take(stream.length)
  const read = readGifLzw(stream, descriptor.codeSize, wanted)
  const base = { kind: 'image', offset, descriptor, cut: false } as const
  const leads = chain.closed && introducerAt(bytes, chain.end)
  if (leads && read.pixels === wanted) return { ...base, ...chain, state: 'right', read }
  const mended = mendChain(bytes, descriptor, chain, allowance)
  if (mended) {
    const again = readGifLzw(streamOf(bytes, mended.segments), descriptor.codeSize, wanted)
    return { ...base, ...mended, state: 'chain', read: again }
  }
  const strong = leads && chain.end < written && nextBlock(bytes, chain.end) <= chain.end + 1
  const end = strong
    ? chain.end
    : keepsToItsEnd(chain)
      ? bytes.length
      : nextBlock(bytes.subarray(0, written), descriptor.data, boundsOf(descriptor, screen))
  const believed = believedPart(bytes, chain, strong, end, written)
  const part = readGifLzw(streamOf(bytes, believed.segments), descriptor.codeSize, wanted)
  return {
    ...base,
    end,
    state: 'broken',
    segments: believed.segments,
    read: part,
    cut: believed.cut && !part.fault,
  }
}

/** What pictures behind another lie within: the screen, or that one where it is larger. */
function boundsOf({ left, top, width, height }: Descriptor, screen: Bounds | undefined): Bounds | undefined {
  return (
    screen && {
      width: Math.max(screen.width, left + width),
      height: Math.max(screen.height, top + height),
    }
  )
}

/** Part of the sub-blocks that have the usual length where their encoder keeps to one. */
const ALIKE = 0.75

/**
 * Whether a chain runs to the file's end in sub-blocks of one length, as no chain does that was hit: what looks like a block
 * within is none.
 */
function keepsToItsEnd({ closed, segments }: Chain): boolean {
  return !closed && segments.length >= FEW_ALIKE && oddSegment(segments).index >= segments.length - 1
}

const FEW_ALIKE = 4

/** The data up to where the chain goes astray, to a stretch of zeros, or to the file's end. */
function believedPart(
  bytes: Uint8Array,
  chain: Chain,
  strong: boolean,
  end: number,
  written: number,
): { readonly segments: readonly Segment[]; readonly cut: boolean } {
  const zeros = zeroRunIn(bytes, chain.segments[0]?.offset ?? end, end)
  const toItsEnd = !chain.closed && end === bytes.length
  const { index, usual } = oddSegment(chain.segments)
  // some encoders give each sub-block another length: then none is odd
  const there = chain.segments.filter(({ offset }) => offset < Math.min(zeros, end))
  const alike = there.filter(({ length }) => length === usual).length >= ALIKE * there.length
  const segments: Segment[] = []
  for (const [i, { offset, length }] of chain.segments.entries()) {
    const room = Math.max(0, Math.min(zeros, end) - offset)
    if (room === 0) break
    segments.push({ offset, length: Math.min(length, room, strong || toItsEnd ? length : usual) })
    if (!strong && !toItsEnd && alike && i >= index) break
  }
  return { segments, cut: toItsEnd || zeros < end || (end >= written && written < bytes.length) }
}
