import { type Part, writeParts } from '../../bytes/parts.ts'
import type { ByteSink } from '../../bytes/sink.ts'
import { Allowance } from '../../model/allowance.ts'
import { doubtsThat } from '../../model/doubt.ts'
import { mostOf } from '../../model/extremes.ts'
import type { PictureReport } from '../../model/photo.ts'
import { plainAccount, type RasterAccount } from '../../photo/raster/raster.ts'
import type { PhotoOutcome, RepairJob } from '../format.ts'
import { type Assessment, assess } from './assess.ts'
import { mendFrame } from './mend/mend-frame.ts'
import { PLAIN_TEXT, TRAILER } from './read/blocks.ts'
import { HEAD, headBytes, SCREEN } from './read/header.ts'
import { type Block, type ImageBlock, isControl, isLoop } from './read/walk.ts'

/** Pixels of all frames that are put together anew. */
const MOST_PIXELS = 1 << 25
/** Pictures of an animation that a report tells of. */
const MOST_REPORTED = 100
/** Where an image descriptor says how high it is, GIF89a §20. */
const HEIGHT = 7
const VERSION_OLD = 0x37
const VERSION = 0x39

interface Fate {
  readonly image: ImageBlock
  readonly parts: readonly Part[]
  readonly account: RasterAccount
  readonly gone: boolean
}

interface NewHead {
  readonly parts: readonly Part[]
  readonly rebuilt: PictureReport['rebuilt']
  readonly sizeGuessed: boolean
  readonly coloursGuessed: boolean
  readonly sampleUsed: readonly string[]
}

/** Keeps what is whole bit for bit, goes on where a frame breaks off, and puts a head in front that was lost. */
export async function repair(job: RepairJob, sink: ByteSink): Promise<PhotoOutcome> {
  const { damaged, limits, monitor } = job
  const sample = job.sample && (await assess(job.sample.reader, limits, monitor))
  const assessment = await assess(damaged.reader, limits, monitor)
  const { findings, bytes, walk, images } = assessment
  const base = { findings: findings.list, omittedFindings: findings.omitted, strategies: [], sampleUsed: [] }
  if (findings.healthy) {
    const right = images.map((image) => rightFate(image))
    return { ...base, verdict: 'healthy', pictures: reports(right, []) }
  }
  const allowance = new Allowance(MOST_PIXELS)
  const fates = new Map<Block, Fate>()
  for (const image of images) {
    fates.set(image, fateOf(assessment, image, allowance))
    monitor.progress('recover', fates.size / images.length)
    await monitor.pause()
  }
  const shown = [...fates.values()].filter(({ gone }) => !gone)
  if (shown.length === 0)
    return { ...base, verdict: 'unrepairable', pictures: [], reason: 'No part of the picture survives.' }
  const head = newHead(
    assessment,
    shown.map(({ image }) => image),
    sample,
  )
  const parts = [...head.parts, ...blockParts(walk.blocks, fates)]
  parts.push(Uint8Array.of(TRAILER))
  if (walk.ended && walk.end < bytes.length) parts.push({ offset: walk.end, length: bytes.length - walk.end })
  await writeParts(damaged.reader, parts, sink, monitor)
  const animated = images.length > 1 || walk.blocks.some(isLoop)
  const foreign = walk.blocks.some((block) => block.kind === 'junk')
  // where the data of a frame were hit, others may have stood behind it
  const broken = images.some(({ state }) => state === 'broken')
  const frames = shown.length < images.length || (animated && (!walk.ended || broken)) || foreign
  const doubts = doubtsThat({
    areasLost: shown.some(({ account }) => account.lost > 0),
    colour: head.coloursGuessed || shown.some(({ account }) => account.estimated > 0),
    size: head.sizeGuessed || (!frames && !reachesScreen(assessment)),
    frames,
    metadata: foreign || walk.blocks.some((block) => block.kind === 'extension' && !block.closed),
  })
  return {
    ...base,
    verdict: doubts.length === 0 ? 'repaired' : 'partial',
    doubts,
    pictures: reports([...fates.values()], head.rebuilt),
    sampleUsed: head.sampleUsed,
  }
}

function rightFate(image: ImageBlock): Fate {
  const { offset, end, descriptor } = image
  return {
    image,
    parts: [{ offset, length: end - offset }],
    account: plainAccount(descriptor.height, true),
    gone: false,
  }
}

function fateOf({ bytes, images, controls }: Assessment, image: ImageBlock, allowance: Allowance): Fate {
  if (image.state === 'right') return rightFate(image)
  const { offset, descriptor, segments, state } = image
  const front = { offset, length: descriptor.data - offset }
  if (state === 'chain') {
    const data = segments.flatMap((segment): Part[] => [Uint8Array.of(segment.length), segment])
    const account = plainAccount(descriptor.height, true)
    return { image, parts: [front, ...data, Uint8Array.of(0)], account, gone: false }
  }
  const control = controls.get(image)
  const transparent = control && (bytes[control.offset + 3] & 1) === 1
  const blank = transparent ? bytes[control.offset + 6] : undefined
  // where a frame breaks off that covers what is shown already, that stays to be seen
  const covers = !transparent && !descriptor.interlaced && images[0] !== image
  const mended = mendFrame(bytes, image, { blank, rows: covers ? 'read' : 'all' }, allowance)
  if (!mended) return { image, parts: [], account: plainAccount(descriptor.height, false), gone: true }
  const { data, rows, account } = mended
  const height = Uint8Array.of(rows & 0xff, rows >> 8)
  const behind = { offset: offset + HEIGHT + 2, length: descriptor.data - offset - HEIGHT - 2 }
  const parts = [{ offset, length: HEIGHT }, height, behind, data]
  return { image, parts, account, gone: false }
}

/**
 * Whether the frames together are as large as the screen: a damaged file's size that no frame bears out may have been hit, too.
 */
function reachesScreen({ head: { screen }, images }: Assessment): boolean {
  const { right, bottom } = extentOf(images)
  return screen?.width === right && screen.height === bottom
}

/** The pixels that frames reach to, from the left and from the top. */
function extentOf(images: readonly ImageBlock[]): { readonly right: number; readonly bottom: number } {
  return {
    right: mostOf(images, ({ descriptor: { left, width } }) => left + width),
    bottom: mostOf(images, ({ descriptor: { top, height } }) => top + height),
  }
}

/** All blocks that stay; a control without its frame goes with it. */
function blockParts(blocks: readonly Block[], fates: ReadonlyMap<Block, Fate>): Part[] {
  const isGone = (block: Block | undefined): boolean =>
    block === undefined || block.kind === 'junk' || fates.get(block)?.gone === true
  /** What a control would be of. */
  let next: Block | undefined
  const kept: (readonly Part[])[] = []
  for (const block of blocks.toReversed()) {
    if (block.kind === 'image') kept.push(fates.get(block)?.parts ?? [])
    else if (block.kind === 'extension' && block.closed && !(isControl(block) && isGone(next)))
      kept.push([{ offset: block.offset, length: block.end - block.offset }])
    if (block.kind !== 'extension' || block.label === PLAIN_TEXT) next = block
  }
  return kept.reverse().flat()
}

/** The head as it stands, or one of what is left of it, of a sample, or of what the frames tell. */
function newHead(
  { bytes, head, findings }: Assessment,
  images: readonly ImageBlock[],
  sample: Assessment | undefined,
): NewHead {
  const { screen, signature, table, flags, blocks } = head
  const coloursGone = findings.has('gif.colours-lost')
  if (signature && screen && flags && !coloursGone) {
    const parts = [{ offset: 0, length: blocks }]
    return { parts, rebuilt: [], sizeGuessed: false, coloursGuessed: false, sampleUsed: [] }
  }
  const { right, bottom } = extentOf(images)
  const wanted = 3 << mostOf(images, ({ descriptor }) => descriptor.codeSize)
  const own = sample?.head.screen
  const fits = own !== undefined && own.width >= right && own.height >= bottom
  const size =
    screen ??
    (fits ? own : { width: Math.min(right, 0xffff), height: Math.min(bottom, 0xffff), background: 0 })
  const lent = sample?.head.table
  const borrowed = coloursGone && fits && lent && lent.length >= wanted ? lent : undefined
  const colours = coloursGone
    ? borrowed && sample
      ? sample.bytes.slice(borrowed.offset, borrowed.offset + borrowed.length)
      : greys(wanted)
    : bytes.slice(table?.offset ?? 0, (table?.offset ?? 0) + (table?.length ?? 0))
  const version = bytes[4] === VERSION_OLD && bytes[0] !== 0 ? VERSION_OLD : VERSION
  const fresh = headBytes(size.width, size.height, size.background, colours.length, version)
  // what of the screen is right stays: the flags tell more than the number of colours
  const behind = table && table.length > 0 ? table.offset : HEAD
  if (screen && flags) fresh.set(bytes.subarray(behind - SCREEN, behind), HEAD - SCREEN)
  if (coloursGone) fresh[10] = (fresh[10] & 0x70) | 0x80 | (Math.log2(colours.length / 3) - 1)
  const rebuilt: PictureReport['rebuilt'][number][] = []
  if (!signature) rebuilt.push({ part: 'signature', from: 'standard' })
  if (!screen) rebuilt.push({ part: 'header', from: fits ? 'sample' : 'fitted' })
  if (coloursGone) rebuilt.push({ part: 'palette', from: borrowed ? 'sample' : 'standard' })
  const sampleUsed = rebuilt.filter(({ from }) => from === 'sample').map(({ part }) => part)
  return {
    parts: [fresh, colours],
    rebuilt,
    sizeGuessed: !screen || !flags,
    coloursGuessed: coloursGone,
    sampleUsed,
  }
}

function greys(length: number): Uint8Array {
  const last = length / 3 - 1
  return Uint8Array.from({ length }, (_, i) => Math.round((Math.floor(i / 3) * 255) / last))
}

function reports(fates: readonly Fate[], rebuilt: PictureReport['rebuilt']): PictureReport[] {
  return fates.slice(0, MOST_REPORTED).map(({ image: { descriptor }, account }, index) => ({
    role: index === 0 ? ('main' as const) : ('further' as const),
    codec: 'GIF',
    width: descriptor.width,
    height: descriptor.height,
    orientation: 1,
    layout: 'palette',
    unit: 'row' as const,
    total: descriptor.height,
    ...account,
    rebuilt: index === 0 ? rebuilt : [],
  }))
}
