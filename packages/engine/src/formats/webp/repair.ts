import { type Part, writeParts } from '../../bytes/parts.ts'
import { ByteReader } from '../../bytes/reader.ts'
import type { ByteSink } from '../../bytes/sink.ts'
import { MemorySource } from '../../bytes/source.ts'
import { doubtsThat } from '../../model/doubt.ts'
import { mostOf } from '../../model/extremes.ts'
import type { PictureReport } from '../../model/photo.ts'
import type { PhotoOutcome, RepairJob } from '../format.ts'
import { type Assessment, assess, fits } from './assess.ts'
import { mendPicture, type PictureFate } from './mend/mend-picture.ts'
import { bitsOf, FILE_HEADER, paddedEnd, TRANSPARENT, u32 } from './read/chunk.ts'
import type { Size } from './read/image.ts'
import { frameFields } from './read/picture.ts'
import type { Chunk } from './read/walk.ts'
import { chunkParts, featuresBytes, fileHeader, keptParts, lengthOf } from './write/file.ts'
import { frameParts, imageParts } from './write/frame.ts'

/** Pictures of an animation that a report tells of. */
const MOST_REPORTED = 100
/** Flags of the features chunk, RFC 9649 §2.7. */
const ANIMATED = 0x02
const OPTIONAL = { ICCP: 0x20, EXIF: 0x08, 'XMP ': 0x04 } as const
/** White, and shown for ever: what a player takes that is told nothing. */
const ANIMATION = Uint8Array.of(255, 255, 255, 255, 0, 0)

/**
 * Keeps what is whole byte for byte, ends a picture that breaks off so that decoders open it, and puts heads in front that were
 * lost.
 */
export async function repair(job: RepairJob, sink: ByteSink): Promise<PhotoOutcome> {
  const { damaged, limits, monitor } = job
  const sample = job.sample && canvasOf(await assess(job.sample.reader, limits, monitor))
  const assessment = await assess(damaged.reader, limits, monitor, sample)
  const { findings, bytes, pictures, fitted } = assessment
  const base = { findings: findings.list, omittedFindings: findings.omitted, strategies: [], sampleUsed: [] }
  const fates: PictureFate[] = []
  for (const picture of pictures) {
    fates.push(mendPicture(bytes, picture))
    monitor.progress('recover', fates.length / pictures.length)
    await monitor.pause()
  }
  if (findings.healthy) return { ...base, verdict: 'healthy', pictures: reports(fates, []) }
  const shown = fates.filter(({ gone }) => !gone)
  if (shown.length === 0)
    return { ...base, verdict: 'unrepairable', pictures: [], reason: 'No part of the picture survives.' }
  const { parts, lost, canvas } = newFile(assessment, shown, sample)
  const reader = fitted ? new ByteReader(new MemorySource(bytes)) : damaged.reader
  await writeParts(reader, parts, sink, monitor)
  const animated = pictures.some(({ frame }) => frame)
  const torn = shown.some((fate) => fate.torn || lengthChanged(assessment, fate))
  const doubts = doubtsThat({
    areasLost: shown.some(({ account }) => account.lost > 0),
    tornPictures: torn,
    colour: shown.some(({ alpha, alphaGone }) => alpha !== undefined || alphaGone),
    size: canvas.guessed || fitted?.sure === false,
    frames: lost.frames || (animated && (lost.controls || endMissing(assessment))),
    placement: lost.places,
    metadata: lost.beside || (!animated && endMissing(assessment)) || beginningMissing(assessment),
  })
  const rebuilt = rebuiltParts(assessment, canvas)
  return {
    ...base,
    verdict: doubts.length === 0 ? 'repaired' : 'partial',
    doubts,
    pictures: reports(fates, rebuilt),
    sampleUsed: rebuilt.filter(({ from }) => from === 'sample').map(({ part }) => part),
  }
}

interface Canvas extends Size {
  readonly from: 'file' | 'fitted' | 'sample'
  readonly guessed: boolean
}

interface NewFile {
  readonly parts: readonly Part[]
  readonly canvas: Canvas
  readonly lost: {
    readonly beside: boolean
    readonly controls: boolean
    readonly places: boolean
    readonly frames: boolean
  }
}

/** The file put together of what stays of it. */
function newFile(assessment: Assessment, fates: readonly PictureFate[], sample: Size | undefined): NewFile {
  const { bytes, blocks, features, end } = assessment
  const canvas = settledCanvas(assessment, fates, sample)
  const byFrame = new Map(fates.map((fate) => [fate.picture.frame, fate]))
  const still = byFrame.get(undefined)
  const chunks = blocks.filter((block) => block.kind === 'chunk')
  const kept: { readonly type: string; readonly parts: readonly Part[] }[] = []
  let beside = blocks.some(({ kind }) => kind === 'junk')
  let places = false
  let frames = beside && chunks.some(({ type }) => type === 'ANMF')
  for (const chunk of chunks) {
    const { type } = chunk
    if (type === 'VP8X') continue
    const own = still && imageParts(chunk, still)
    if (own) {
      if (own.length > 0) kept.push({ type, parts: own })
    } else if (type === 'ANMF') {
      const fate = byFrame.get(chunk)
      if (fate) kept.push({ type, parts: frameParts(bytes, chunk, fate, canvas) })
      frames ||= !fate || hidesOthers(chunk, fate)
      places ||= fate !== undefined && chunk.state === 'right' && !frameAgrees(bytes, chunk, fate, canvas)
    } else if (chunk.state === 'cut' || type === 'VP8 ' || type === 'VP8L') beside = true
    else {
      kept.push({ type, parts: keptParts(chunk) })
      beside ||= chunk.state === 'size'
    }
  }
  const types = new Set(kept.map(({ type }) => type))
  const controls = types.has('ANMF') && !types.has('ANIM')
  if (controls) kept.unshift({ type: 'ANIM', parts: chunkParts('ANIM', [ANIMATION]) })
  const layered = ['ALPH', 'ANMF', ...Object.keys(OPTIONAL)].some((type) => types.has(type))
  let flags = features?.flags ?? 0
  for (const [type, flag] of Object.entries(OPTIONAL)) {
    if (types.has(type)) flags |= flag
    else if (flags & flag) {
      flags &= ~flag
      beside = true
    }
  }
  flags = types.has('ANMF') ? flags | ANIMATED : flags & ~ANIMATED
  if (!features && fates.some(({ picture: { image, alpha } }) => alpha ?? image.type === 'VP8L'))
    flags |= TRANSPARENT
  if (features || layered) kept.unshift({ type: 'VP8X', parts: featureParts(assessment, flags, canvas) })
  const body = kept.flatMap(({ parts }) => parts)
  const trailing = end < bytes.length ? [{ offset: end, length: bytes.length - end }] : []
  return {
    parts: [fileHeader(lengthOf(body)), ...body, ...trailing],
    canvas,
    lost: { beside, controls, places, frames },
  }
}

/** The features chunk as it stands where it is right. */
function featureParts({ blocks, features }: Assessment, flags: number, canvas: Canvas): Part[] {
  const own = blocks.find((block): block is Chunk => block.kind === 'chunk' && block.type === 'VP8X')
  if (own && features && features.flags === flags && fits(features, canvas)) return keptParts(own)
  return chunkParts('VP8X', [featuresBytes(flags, canvas.width, canvas.height)])
}

/** Whether a frame may have taken in others whose headers were hit. */
function hidesOthers(frame: Chunk, { picture: { blocks } }: PictureFate): boolean {
  return (
    frame.state !== 'cut' &&
    blocks.some((block) => block.kind === 'junk' || (block.state !== 'right' && block.state !== 'type'))
  )
}

function frameAgrees(bytes: Uint8Array, frame: Chunk, { picture }: PictureFate, canvas: Canvas): boolean {
  const { x, y } = frameFields(bytes, frame)
  const { width, height } = picture.check ?? canvas
  return x + width <= canvas.width && y + height <= canvas.height
}

/** The canvas: of a still the size of its picture; of an animation what the file or a sample says, else what its frames cover. */
function settledCanvas(
  { bytes, features }: Assessment,
  fates: readonly PictureFate[],
  sample: Size | undefined,
): Canvas {
  const still = fates.find(({ picture }) => !picture.frame)?.picture.check
  if (still) {
    const same = features && fits(features, still)
    return { width: still.width, height: still.height, from: same ? 'file' : 'fitted', guessed: false }
  }
  if (features) return { width: features.width, height: features.height, from: 'file', guessed: false }
  const covered = fates.map(({ picture: { frame, check } }) => {
    const { x, y } = frame ? frameFields(bytes, frame) : { x: 0, y: 0 }
    return { right: x + (check?.width ?? 0), below: y + (check?.height ?? 0) }
  })
  const width = mostOf(covered, ({ right }) => right)
  const height = mostOf(covered, ({ below }) => below)
  const lent = sample && sample.width >= width && sample.height >= height ? sample : undefined
  return { width, height, ...lent, from: lent ? 'sample' : 'fitted', guessed: true }
}

function canvasOf({ features, pictures, findings }: Assessment): Size | undefined {
  if (!findings.healthy) return undefined
  const size = features ?? pictures[0]?.check
  return size && { width: size.width, height: size.height }
}

/** Whether more stood behind the last chunk, as the file's head says; a head with one bit hit says nothing. */
function endMissing({ bytes, blocks, signature, end }: Assessment): boolean {
  const last = blocks.at(-1)
  if (last?.kind === 'chunk' && last.state === 'cut' && last.type !== 'VP8 ' && last.type !== 'VP8L')
    return true
  if (!signature) return false
  const told = u32(bytes, 4) + 8
  const bits = bitsOf((told - 8) ^ (end - 8))
  const cut = blocks.some((block) => block.kind === 'chunk' && block.state === 'cut')
  return told > end + 1 && bits > 1 && !cut
}

/**
 * Whether both sizes in front of a lossless picture agree, though it has another one: then bytes of it are missing or foreign,
 * wherever it ends.
 */
function lengthChanged(
  { bytes, signature, fitted }: Assessment,
  { picture: { image } }: PictureFate,
): boolean {
  const told = paddedEnd(image.body, u32(bytes, image.offset + 4))
  return image.type === 'VP8L' && image.state === 'size' && signature && !fitted && told === u32(bytes, 4) + 8
}

/** Whether chunks may have stood in front of the first one: a picture without a signature whose place does not tell. */
function beginningMissing({ signature, blocks, features, fitted }: Assessment): boolean {
  const [first] = blocks
  if (fitted?.shifted) return true
  return !signature && !features && first !== undefined && first.offset !== FILE_HEADER
}

function rebuiltParts({ signature, fitted, blocks }: Assessment, canvas: Canvas): PictureReport['rebuilt'] {
  const rebuilt: PictureReport['rebuilt'][number][] = []
  if (!signature) rebuilt.push({ part: 'signature', from: 'standard' })
  if (fitted) rebuilt.push({ part: 'header', from: fitted.from })
  if (
    canvas.from !== 'file' &&
    blocks.some((block) => block.kind === 'chunk' && block.type !== 'VP8 ' && block.type !== 'VP8L')
  )
    rebuilt.push({ part: 'canvas', from: canvas.from })
  if (blocks.some((block) => block.kind === 'chunk' && block.state !== 'right'))
    rebuilt.push({ part: 'chunks', from: 'file' })
  return rebuilt
}

function reports(fates: readonly PictureFate[], rebuilt: PictureReport['rebuilt']): PictureReport[] {
  return fates
    .filter(({ picture }) => picture.check)
    .slice(0, MOST_REPORTED)
    .map(({ picture: { check, alpha }, account }, index) => ({
      role: index === 0 ? ('main' as const) : ('further' as const),
      codec: 'WebP',
      width: check?.width ?? 0,
      height: check?.height ?? 0,
      orientation: 1,
      layout: check?.type === 'VP8L' ? 'lossless' : alpha ? 'lossy, transparent' : 'lossy',
      unit: 'row' as const,
      total: check?.height ?? 0,
      ...account,
      rebuilt: index === 0 ? rebuilt : [],
    }))
}
