import type { ByteSink } from '../../bytes/sink.ts'
import { doubtsThat } from '../../model/doubt.ts'
import type { PictureReport } from '../../model/photo.ts'
import type { PhotoOutcome, RepairJob } from '../format.ts'
import { type Assessment, assess } from './assess.ts'
import { closedPictures } from './mend/close-pictures.ts'
import { withDisplaced } from './mend/displaced.ts'
import type { FromSample } from './mend/found-photo.ts'
import { fromOwnRecords } from './mend/from-own-records.ts'
import { fromSample } from './mend/from-sample.ts'
import { fromTrack } from './mend/from-track.ts'
import { fromOwnPictures } from './mend/own-pictures.ts'
import { type WholeProperties, wholeProperties } from './mend/whole-properties.ts'
import { isCoded } from './read/item-states.ts'
import { lackingProperties } from './read/lacking-properties.ts'
import type { HeifMeta, Item } from './read/meta.ts'
import type { ItemState } from './read/nal-items.ts'
import { hasRecord, isToldWhole, type Picture } from './read/picture.ts'
import { claimsSequence } from './read/sequence-brands.ts'
import { pictureReport } from './report.ts'
import { withClosedBox } from './write/close-box.ts'
import { fileTypeBytes } from './write/file-type.ts'
import { type PlacedItem, writeHeif } from './write/write-heif.ts'

const NO_META =
  'What says how the photo is coded is gone, and nothing else in the file tells it: a photo of the same camera and size as a sample brings it back.'

const BRIEF_FORM =
  'The photo is kept in the brief form of its format, which cannot be read here; nothing says that it is damaged.'

/** Repairs a file by its own structures, or by a sample's where they are gone. */
export async function repair(job: RepairJob, sink: ByteSink): Promise<PhotoOutcome> {
  const own = await assess(job.damaged.reader, job.limits, job.monitor)
  const assessment = own.healthy ? own : ((await withDisplaced(job, own)) ?? own)
  const { findings, picture, states } = assessment
  const base = { findings: findings.list, omittedFindings: findings.omitted, sampleUsed: [], strategies: [] }
  if (own.brief) return { ...base, verdict: 'unrepairable', pictures: [], reason: BRIEF_FORM }
  if (picture && assessment.healthy)
    return { ...base, verdict: 'healthy', pictures: [pictureReport(picture, states, [])] }
  if (picture && assessment.cut) {
    await withClosedBox(job.damaged.reader, assessment.cut).write(job.damaged.reader, sink, job.monitor)
    const doubts = doubtsThat({ metadata: true })
    return { ...base, verdict: 'partial', doubts, pictures: [pictureReport(picture, states, [])] }
  }
  // AV1 brings along how it is coded wherever it lies; places in boxes that were found loose are believed where something lies
  // there
  const loose = assessment.meta?.box === undefined
  const elsewhere = loose
    ? !picture?.tiles.some(({ item }) => assessment.meta && isProven(assessment.meta, item, states))
    : picture?.codec === 'av01' && picture.tiles.every(({ item }) => states.get(item.id) === 'broken')
  const reachable = assessment.meta !== undefined && picture !== undefined && !elsewhere
  const whole = reachable ? await withSample(job, assessment.meta, picture) : undefined
  const told = reachable && isToldWhole(job.damaged.reader, assessment.meta, picture, whole)
  if (told) return repairItems(job, assessment, whole, sink)
  const found = await repairBySample(job, base, sink)
  const { meta } = assessment
  const shown = reachable && meta && picture.tiles.some(({ item }) => isDescribed(meta, item, whole))
  return shown && found.verdict === 'unrepairable' ? repairItems(job, assessment, whole, sink) : found
}

/** Whether something tells how a picture is coded, or it is of a coding that needs nothing told. */
function isDescribed(meta: HeifMeta, item: Item, whole: WholeProperties | undefined): boolean {
  return !isCoded(item.type) || hasRecord(meta, item) || whole?.recorded.has(item.id) === true
}

/** What takes the place of properties that tell nothing any more, or are not there, by the file itself and a sample. */
async function withSample(
  job: RepairJob,
  meta: HeifMeta,
  picture: Picture,
): Promise<WholeProperties | undefined> {
  if (meta.broken.size + lackingProperties(meta, picture).length === 0) return undefined
  const own = { reader: job.damaged.reader, meta }
  const sample = job.sample && (await assess(job.sample.reader, job.limits, job.monitor)).meta
  return wholeProperties(own, sample && job.sample && { reader: job.sample.reader, meta: sample })
}

/** Whether the bytes of an item, or of one that it is put together from, show that they are one. */
function isProven(
  { items, references }: HeifMeta,
  item: Item,
  states: ReadonlyMap<number, ItemState>,
): boolean {
  const parts = references.find(({ type, from }) => type === 'dimg' && from === item.id)?.to ?? []
  return [item.id, ...parts].some((id) => states.get(id) === 'whole' && isCoded(items.get(id)?.type ?? ''))
}

type Base = Pick<PhotoOutcome, 'findings' | 'omittedFindings' | 'sampleUsed' | 'strategies'>

/** Bytes for a pixel that a picture takes at most: beyond, its length is not to be believed. */
const MOST_PIXEL_BYTES = 4

/**
 * Of a photo that is one HEVC picture and breaks off within it, that picture counts as hit: decoders show it up to there, and
 * zeros stand for the rest.
 */
function withBegun(
  states: ReadonlyMap<number, ItemState>,
  { tiles, width, height }: Picture,
  size: number,
): ReadonlyMap<number, ItemState> {
  const [{ item }] = tiles
  const begun = item.extents.some(({ offset, length }) => length > 0 && offset + LEAST_BEGUN < size)
  const fits = bytesOf(item) <= width * height * MOST_PIXEL_BYTES
  if (tiles.length > 1 || item.type !== 'hvc1' || states.get(item.id) !== 'cut' || !begun || !fits)
    return states
  return new Map(states).set(item.id, 'broken')
}

/** Pictures that were closed count as hit: decoders show them up to there. */
function withClosed(
  states: ReadonlyMap<number, ItemState>,
  closed: ReadonlyMap<number, Uint8Array>,
): ReadonlyMap<number, ItemState> {
  return new Map([...states, ...[...closed.keys()].map((id) => [id, 'hollow'] as const)])
}

/**
 * Tiles that are not told to be coded as the others are, ISO/IEC 23008-12:2022 §6.6.2.3.1, and so cannot be shown: with the
 * others' properties.
 */
function withRecords(meta: HeifMeta, { tiles }: Picture): ReadonlyMap<number, Item> {
  const items = tiles.map(({ item }) => item)
  const other = items.find((item) => hasRecord(meta, item))
  const without = other ? items.filter((item) => !hasRecord(meta, item)) : []
  return new Map(without.map((item) => [item.id, { ...item, properties: other?.properties ?? [] }]))
}

/** Properties that say how a picture is turned. */
const TURNING: ReadonlySet<string> = new Set(['irot', 'imir'])
/** Bytes of a picture below which nothing of it is seen. */
const LEAST_BEGUN = 64

/** The file's own structures, with what is left of its items. */
async function repairItems(
  job: RepairJob,
  assessment: Assessment,
  properties: WholeProperties | undefined,
  sink: ByteSink,
): Promise<PhotoOutcome> {
  const { findings, meta, picture, fileType } = assessment
  const base: Base = {
    findings: findings.list,
    omittedFindings: findings.omitted,
    sampleUsed: [],
    strategies: [{ name: 'items', outcome: 'the file’s own structures with what is left of its items' }],
  }
  if (!meta || !picture) return { ...base, verdict: 'unrepairable', pictures: [], reason: NO_META }
  const tiles = new Set(picture.tiles.map(({ item }) => item.id))
  const placed = [...meta.items.values()].map((item): PlacedItem => ({ item, places: item.extents }))
  const closed = closedPictures(job.damaged.reader, placed, assessment.states)
  const states = withBegun(withClosed(assessment.states, closed), picture, job.damaged.reader.size)
  const whole = picture.tiles.filter(({ item }) => states.get(item.id) === 'whole')
  if (whole.length === 0 && picture.tiles.every(({ item }) => states.get(item.id) === 'cut'))
    return { ...base, verdict: 'unrepairable', pictures: [], reason: 'No part of the picture survives.' }
  const plainest = [...whole].sort((a, b) => bytesOf(a.item) - bytesOf(b.item))[0]?.item
  const items: PlacedItem[] = []
  let metadataLost = false
  const described = new Map([...withRecords(meta, picture), ...(properties?.items ?? [])])
  for (const told of meta.items.values()) {
    const item = described.get(told.id) ?? told
    const cut = states.get(item.id) === 'cut'
    const bytes = closed.get(item.id)
    if (!cut) items.push({ item, places: item.extents, ...(bytes ? { bytes } : {}) })
    else if (tiles.has(item.id) && plainest) items.push({ item, places: plainest.extents })
    else metadataLost = true
  }
  const rebuilt: PictureReport['rebuilt'] = fileType ? [] : [{ part: 'file type', from: 'standard' }]
  const turned = { ...picture, orientation: properties?.orientation ?? picture.orientation }
  const report = pictureReport(turned, states, rebuilt)
  const written = await writeHeif(
    {
      reader: job.damaged.reader,
      meta,
      fileType: fileTypeBytes(job.damaged.reader, fileType, picture.codec),
      ...(properties ? { ipco: properties.ipco } : {}),
    },
    items,
    job.damaged.reader,
    sink,
    job.monitor,
  )
  const doubts = doubtsThat({
    areasLost: report.lost > 0,
    // a sequence of pictures beside the items is not written again
    frames: claimsSequence(job.damaged.reader, fileType),
    colour: properties?.lost.has('colr') === true,
    quantisation: properties?.lentCoding === true,
    // Exif data may tell of another turn than the pictures do
    orientation:
      properties !== undefined &&
      (properties.sized.size > 0 || [...meta.broken].some(({ type }) => TURNING.has(type))),
    metadata:
      (properties !== undefined && properties.lost.size + properties.recorded.size > 0) ||
      meta.box === undefined ||
      !assessment.toldWhole ||
      assessment.displaced ||
      metadataLost ||
      written.besideCut ||
      [...states].some(([id, state]) => state !== 'whole' && !tiles.has(id)),
  })
  return { ...base, verdict: doubts.length === 0 ? 'repaired' : 'partial', doubts, pictures: [report] }
}

async function repairBySample(job: RepairJob, base: Base, sink: ByteSink): Promise<PhotoOutcome> {
  const sampled = await fromSample(job)
  // what its own tracks say of a picture is surer than a guess, unless theirs are smaller ones
  const tracked = sampled && !sampled.guessed ? undefined : await fromTrack(job)
  const own = tracked && areaOf(tracked) >= areaOf(sampled) ? tracked : undefined
  const recorded = own ? undefined : await fromOwnRecords(job)
  // a sample that says otherwise than what is left of the photo's own structures is of another kind
  const fitting = own || (recorded?.ownSize && !isAlike(sampled, recorded)) ? undefined : sampled
  const found = own ?? fitting ?? recorded ?? (await fromOwnPictures(job))
  const picture = found?.sample.picture
  if (!found || !picture) return { ...base, verdict: 'unrepairable', pictures: [], reason: NO_META }
  const report = pictureReport(picture, found.states, [
    { part: 'file type and items', from: fitting ? 'sample' : 'file' },
  ])
  if (picture.tiles.every(({ item }) => found.states.get(item.id) === 'cut'))
    return { ...base, verdict: 'unrepairable', pictures: [], reason: 'No part of the picture survives.' }
  const closed = closedPictures(job.damaged.reader, found.items, found.states)
  const items = found.items.map((placed) => {
    const bytes = closed.get(placed.item.id)
    return bytes ? { ...placed, bytes } : placed
  })
  await writeHeif(found.structures, items, job.damaged.reader, sink, job.monitor)
  return {
    ...base,
    strategies: [
      {
        name: fitting ? 'sample-items' : own ? 'first-of-sequence' : 'own-pictures',
        outcome: `${report.recovered} of ${report.total} tiles found by their bytes`,
      },
    ],
    verdict: 'partial',
    doubts: doubtsThat({
      areasLost: report.lost > 0,
      placement: found.guessed,
      quantisation: found.lentCoding === true,
      frames: found.sequence === true,
      orientation: true,
      metadata: true,
    }),
    pictures: [report],
    sampleUsed: fitting ? ['codec configuration', 'tile layout'] : [],
  }
}

/** Whether photos have one size and as many tiles. */
function isAlike(one: FromSample | undefined, other: FromSample): boolean {
  const [a, b] = [one?.sample.picture, other.sample.picture]
  return a?.width === b?.width && a?.height === b?.height && a?.tiles.length === b?.tiles.length
}

function areaOf(found: FromSample | undefined): number {
  const picture = found?.sample.picture
  return picture ? picture.width * picture.height : 0
}

function bytesOf({ extents }: Item): number {
  return extents.reduce((sum, { length }) => sum + length, 0)
}
