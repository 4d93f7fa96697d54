import { writeParts } from '../../bytes/parts.ts'
import { ByteReader } from '../../bytes/reader.ts'
import type { ByteSink } from '../../bytes/sink.ts'
import { MemorySource } from '../../bytes/source.ts'
import { Allowance } from '../../model/allowance.ts'
import { doubtsThat } from '../../model/doubt.ts'
import type { Monitor } from '../../model/monitor.ts'
import type { PictureReport } from '../../model/photo.ts'
import { plainAccount, type RasterAccount } from '../../photo/raster/raster.ts'
import type { PhotoOutcome, RepairJob } from '../format.ts'
import { type Assessment, assess } from './assess.ts'
import { TailAllowance } from './mend/find-tail.ts'
import { mendFrame } from './mend/mend-frame.ts'
import type { SettledChunk } from './mend/settle-chunk.ts'
import type { CheckedFrame } from './read/check-frame.ts'
import { type Chunk, u32 } from './read/chunk.ts'
import { CONTROL_LENGTH, type Segment } from './read/frames.ts'
import { type Header, headerBytes, layoutName, PALETTE } from './read/header.ts'
import { dataChunks, fileParts, type NewChunk } from './write/chunks.ts'
import type { NewStream } from './write/stream.ts'

const NO_HEADER =
  'The size of the picture is gone, and its data do not tell it: a picture of the same source as a sample may help.'
const NO_DATA = 'No part of the picture survives.'

/** A frame with what becomes of it. */
interface FrameFate {
  readonly checked: CheckedFrame
  /** Undefined where its data are right as they are. */
  readonly stream: NewStream | undefined
  readonly account: RasterAccount
  /** Nothing of it survives. */
  readonly gone: boolean
}

/** Repairs a file by its checksums, by what its image data show, and by a sample where both are silent. */
export async function repair(job: RepairJob, sink: ByteSink): Promise<PhotoOutcome> {
  const { damaged, limits, monitor } = job
  const sample = job.sample && (await assess(job.sample.reader, limits, monitor))
  const assessment = await assess(damaged.reader, limits, monitor, sample?.header?.header)
  const { findings, header, healthy, walk, bytes, textMode, moved } = assessment
  const base = { findings: findings.list, omittedFindings: findings.omitted, strategies: [], sampleUsed: [] }
  if (healthy && header) {
    const pictures = reports(header.header, assessment.frames.map(rightFrame), [])
    return { ...base, verdict: 'healthy', pictures }
  }
  if (!header) return { ...base, verdict: 'unrepairable', pictures: [], reason: NO_HEADER }
  const fates: FrameFate[] = []
  const mends = { frames: new Allowance(FRAMES + bytes.length / BYTES_A_FRAME), tails: new TailAllowance() }
  for (const [index, checked] of assessment.frames.entries()) {
    fates.push(await fateOf(checked, header.header, mends, monitor))
    monitor.progress('recover', (index + 1) / assessment.frames.length)
    await monitor.pause()
  }
  const [first] = fates
  if (!first || first.gone || first.checked.frame.kind !== 'IDAT')
    return { ...base, verdict: 'unrepairable', pictures: [], reason: NO_DATA }
  const palette = paletteOf(assessment, sample)
  const chunks = resultChunks(assessment, fates, palette)
  const parts = fileParts(bytes, chunks, walk.signature && !textMode, walk.ended ? walk.end : bytes.length)
  const reader = moved ? new ByteReader(new MemorySource(bytes)) : damaged.reader
  await writeParts(reader, parts, sink, monitor)
  // a header that was hit has its own doubt
  const beside = [...assessment.settled.values()].filter(({ chunk }) => chunk.type !== 'IHDR')
  const costs = beside.map(({ cost }) => cost)
  const doubts = doubtsThat({
    areasLost: fates.some(({ account }) => account.lost > 0),
    colour:
      palette?.guessed === true ||
      costs.includes('colour') ||
      fates.some(({ account }) => account.estimated > 0),
    size: !header.sure,
    metadata: costs.includes('metadata') || walk.junk.length > 0,
    frames: fates.some(({ gone }) => gone) || framesMissing(assessment),
  })
  const rebuilt = rebuiltParts(assessment, palette, sample)
  const used = rebuilt.filter(({ from }) => from === 'sample').map(({ part }) => part)
  return {
    ...base,
    verdict: doubts.length === 0 ? 'repaired' : 'partial',
    doubts,
    pictures: reports(header.header, fates, rebuilt),
    sampleUsed: used,
  }
}

function rightFrame(checked: CheckedFrame): FrameFate {
  return { checked, stream: undefined, account: plainAccount(rowsOf(checked), true), gone: false }
}

/** What mending may still take of a file. */
interface Mends {
  readonly frames: Allowance
  readonly tails: TailAllowance
}

/**
 * Damaged frames that are mended in any file, and bytes of the file for each further one: putting together even a tiny one takes
 * its time. A large one counts as one more for so many bytes of its pixels.
 */
const FRAMES = 512
const BYTES_A_FRAME = 8192
const PLAIN_A_FRAME = 1 << 20

async function fateOf(
  checked: CheckedFrame,
  header: Header,
  { frames, tails }: Mends,
  monitor: Monitor,
): Promise<FrameFate> {
  if (checked.whole) return rightFrame(checked)
  const mended = frames.take(1 + Math.floor(checked.wanted / PLAIN_A_FRAME))
    ? await mendFrame(checked, header, tails, monitor)
    : undefined
  if (!mended)
    return { checked, stream: undefined, account: plainAccount(rowsOf(checked), false), gone: true }
  return { checked, ...mended, gone: false }
}

/** Rows of a frame as a viewer has them. */
function rowsOf({ frame }: CheckedFrame): number {
  return frame.height
}

interface Palette {
  readonly data: Uint8Array
  readonly guessed: boolean
  readonly fromSample: boolean
}

/**
 * Colours for a picture that has lost them: a sample's, else shades of grey. Undefined where there are some, or none are needed.
 */
function paletteOf({ header, palette }: Assessment, sample: Assessment | undefined): Palette | undefined {
  if (header?.header.colour !== PALETTE || palette) return undefined
  const own = sample?.palette?.data
  if (own && own.length / 3 <= 1 << header.header.depth) return { data: own, guessed: true, fromSample: true }
  const count = 1 << header.header.depth
  const data = Uint8Array.from({ length: count * 3 }, (_, i) =>
    Math.round((Math.floor(i / 3) * 255) / (count - 1)),
  )
  return { data, guessed: true, fromSample: false }
}

/** The chunks of the result, in their order. */
function resultChunks(
  { walk, settled, header }: Assessment,
  fates: readonly FrameFate[],
  palette: Palette | undefined,
): NewChunk[] {
  const result: NewChunk[] = []
  const placed = new Map<Chunk, PlacedSegment>()
  for (const fate of fates) {
    const from = changesFrom(fate)
    for (const segment of fate.checked.frame.segments) placed.set(segment.chunk, { segment, fate, from })
  }
  const controls = new Map(
    fates.flatMap((fate) => (fate.checked.frame.control ? [[fate.checked.frame.control, fate]] : [])),
  )
  const animated = [...settled.keys()].some(({ type }) => type === 'fcTL')
  const shown = [...controls.values()].filter(({ gone }) => !gone).length
  if (header && header.told === false) result.push({ type: 'IHDR', data: headerBytes(header.header) })
  let ended = false
  let coloured = false
  let controlled = false
  for (const chunk of walk.chunks) {
    const data = placed.get(chunk)
    const { type } = chunk
    if (palette && !coloured && (type === 'tRNS' || type === 'bKGD' || type === 'hIST' || data)) {
      result.push({ type: 'PLTE', data: palette.data })
      coloured = true
    }
    if (animated && !controlled && (type === 'acTL' || type === 'fcTL' || data)) {
      controlled = true
      result.push(...animationControl(settled.get(chunk), shown))
      if (type === 'acTL') continue
    }
    if (data) {
      result.push(...segmentChunks(chunk, data))
      continue
    }
    const own = settled.get(chunk)
    if (!own || own.fate === 'drop' || (type === 'IHDR' && header?.told === false)) continue
    if (type === 'acTL' && animated) continue
    if (type === 'PLTE' && palette) continue
    if (type === 'fcTL' && controls.get(chunk)?.gone !== false) continue
    ended ||= type === 'IEND'
    result.push(own.fate === 'keep' ? { kept: chunk } : { type, data: own.data })
  }
  if (!ended) result.push({ type: 'IEND', data: new Uint8Array(0) })
  return result
}

/** The control of an animation with so many frames; the number of times it is played as it was. */
function animationControl(own: SettledChunk | undefined, frames: number): NewChunk[] {
  if (own?.chunk.type === 'acTL' && own.fate === 'keep' && u32(own.data, 0) === frames)
    return [{ kept: own.chunk }]
  const data = new Uint8Array(8)
  if (own?.chunk.type === 'acTL' && own.data.length === 8) data.set(own.data)
  new DataView(data.buffer).setUint32(0, frames)
  return frames > 0 ? [{ type: 'acTL', data }] : []
}

/** A piece of a frame's data, with what becomes of the frame. */
interface PlacedSegment {
  readonly segment: Segment
  readonly fate: FrameFate
  /** Where the stream's first piece begins that changes: it holds all that is new. */
  readonly from: number
}

/** Where the first piece of a frame's stream ends that changes, counted from the last one that does not. */
function changesFrom({ checked: { frame }, stream }: FrameFate): number {
  const kept = stream?.kept ?? frame.stream.length
  const before = frame.segments.findLast(({ at, length }) => at + length <= kept)
  return before ? before.at + before.length : 0
}

/** What becomes of one chunk of image data. */
function segmentChunks(chunk: Chunk, { segment, fate, from }: PlacedSegment): NewChunk[] {
  const { checked, stream, gone } = fate
  if (gone) return []
  const { kind, stream: old } = checked.frame
  const asItStands = chunk.crc === 'right' && !chunk.typeHit && !chunk.lengthHit
  const kept = stream?.kept ?? old.length
  if (segment.at + segment.length <= kept) {
    if (asItStands) return [{ kept: chunk }]
    return dataChunks(kind, old.subarray(segment.at, segment.at + segment.length))
  }
  if (!stream) return []
  return segment.at === from ? dataChunks(kind, stream.bytes.subarray(from)) : []
}

/** Whether an animation has, or had, pictures that are not there. */
function framesMissing({ settled, findings }: Assessment): boolean {
  const animated = [...settled.values()].filter(({ chunk }) => chunk.type === 'fcTL' || chunk.type === 'acTL')
  if (
    animated.some(
      ({ chunk, cost }) => cost !== 'none' || (chunk.type === 'fcTL' && chunk.length !== CONTROL_LENGTH),
    )
  )
    return true
  return animated.length > 0 && findings.has('png.animation-hit')
}

function rebuiltParts(
  { header, walk, settled }: Assessment,
  palette: Palette | undefined,
  sample: Assessment | undefined,
): PictureReport['rebuilt'] {
  const rebuilt: PictureReport['rebuilt'][number][] = []
  if (header && !header.told) {
    const from = header.from === 'fitted' && header.sure && !sample ? 'fitted' : header.from
    rebuilt.push({ part: 'header', from })
  }
  if (palette) rebuilt.push({ part: 'palette', from: palette.fromSample ? 'sample' : 'standard' })
  if (!walk.signature) rebuilt.push({ part: 'signature', from: 'standard' })
  if (
    walk.chunks.some((chunk) => chunk.crc !== 'right' || chunk.typeHit || chunk.lengthHit) ||
    settled.size === 0
  )
    rebuilt.push({ part: 'chunks', from: 'file' })
  return rebuilt
}

/** Pictures of an animation that a report tells of. */
const MOST_REPORTED = 100

function reports(
  header: Header,
  fates: readonly FrameFate[],
  rebuilt: PictureReport['rebuilt'],
): PictureReport[] {
  return fates.slice(0, MOST_REPORTED).map(({ checked, account }, index) => ({
    role: index === 0 ? ('main' as const) : ('further' as const),
    codec: 'PNG',
    width: checked.frame.width,
    height: checked.frame.height,
    orientation: 1,
    layout: layoutName(header),
    unit: 'row' as const,
    total: checked.frame.height,
    ...account,
    rebuilt: index === 0 ? rebuilt : [],
  }))
}
