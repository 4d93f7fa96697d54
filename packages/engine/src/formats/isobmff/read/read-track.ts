import type { Limits } from '../../../bytes/limits.ts'
import type { ByteReader } from '../../../bytes/reader.ts'
import { codecNamed } from '../../../codecs/index.ts'
import type { Allowance } from '../../../model/allowance.ts'
import type { Findings } from '../../../model/finding.ts'
import type { TrackDescription } from '../../../model/track.ts'
import { codecOfUnits } from '../../../recording/sniff-units.ts'
import { type Box, bodyOf, boxBytes, flagsOf, isCut, readBox } from '../../../syntax/iso-boxes/box.ts'
import { parseCompositionOffsets } from '../boxes/ctts.ts'
import { parseEditList } from '../boxes/elst.ts'
import { kindOfHandler, parseHandlerType } from '../boxes/hdlr.ts'
import { type MediaHeader, parseMediaHeader, UNDETERMINED } from '../boxes/mdhd.ts'
import type { TrackExtends } from '../boxes/mvex.ts'
import { hasMatrix } from '../boxes/orientation.ts'
import { parseChunkOffsets } from '../boxes/stco.ts'
import { parseSampleToChunk } from '../boxes/stsc.ts'
import { parseSampleDescription, type SampleEntry } from '../boxes/stsd.ts'
import { parseSyncSamples } from '../boxes/stss.ts'
import { parseSampleSizes } from '../boxes/stsz.ts'
import { parseTimeToSample } from '../boxes/stts.ts'
import { parseTrackHeader, plainTrackTail, type TrackHeader, trackSize } from '../boxes/tkhd.ts'
import { verbatim } from '../boxes/verbatim.ts'
import { boxMissing, headerMended } from '../findings.ts'
import { mendEntryNumbers } from '../mend/entry-numbers.ts'
import { isHandler } from '../mend/registered.ts'
import { lostScale } from '../mend/times/lost-scale.ts'
import { describeTrack } from './describe-track.ts'
import { protectionOf, trackKeys, withClearNals } from './encryption.ts'
import { expandTables, rowLayout } from './expand-tables.ts'
import type { MovieTrack, RowLayout, TrackFact, TrackTables } from './movie.ts'
import type { TrackParts } from './track-parts.ts'

/** Largest `stsd` kept verbatim. */
const MAX_DESCRIPTION = 8 * 1024 * 1024
/** Written anew, for the samples that are left. */
const AUXILIARY: ReadonlySet<string> = new Set(['senc'])
/** The data reference is written anew: a repaired file holds its own media. */
const OWN_DATA: ReadonlySet<string> = new Set(['dinf'])
const EMPTY = new Uint8Array(0)
/** Codecs whose samples say nothing without the box of a sample entry that tells their configuration. */
const CONFIGURED: Readonly<Record<string, string>> = { h264: 'avcC', hevc: 'hvcC', aac: 'esds', alac: 'alac' }

/** A track's boxes, read, before its tables are expanded into samples. */
export interface TrackDraft extends Omit<MovieTrack, 'samples' | 'descriptions' | 'layout'> {
  readonly layout: RowLayout
}

/**
 * Reads one track from its boxes. Undefined when neither a sample description nor sizes nor both headers survive, which leaves
 * nothing to use. `compact` are the sizes that boxes of compact ones may have, see `parseSampleSizes`.
 */
export function readTrack(
  reader: ByteReader,
  parts: TrackParts,
  number: number,
  extendsList: readonly TrackExtends[],
  movieScale: number,
  compact: Allowance,
  findings: Findings,
): TrackDraft | undefined {
  const { leaves } = parts
  const leaf = (type: string): Box | undefined => leaves.get(type)
  const handlerBox = leaf('hdlr')
  const descriptionBox = leaf('stsd')
  const told = (handlerBox && parseHandlerType(reader, handlerBox)) ?? ''
  const besides = guessHandler(parts)
  const isHit = besides !== '' && !isHandler(told)
  const handlerType = isHit ? besides : told
  if (isHit && handlerBox) findings.add(headerMended(handlerBox.offset, told, besides))
  const isDescribed = descriptionBox !== undefined || leaf('stsz') !== undefined || leaf('stz2') !== undefined
  if (!isDescribed && !(leaf('tkhd') && handlerBox)) return undefined
  const missing = (type: string, clause: string): void =>
    findings.add(boxMissing(type, `track ${number}`, parts.offset, clause))
  const entries = descriptionBox ? parseSampleDescription(reader, descriptionBox, handlerType, findings) : []
  if (entries.length === 0) missing('stsd', '8.5.2')
  const headerBox = leaf('tkhd')
  const own = headerBox && parseTrackHeader(reader, headerBox)
  const header = own ?? plainHeader(number, entries)
  const mediaBox = leaf('mdhd')
  const parsed = mediaBox && parseMediaHeader(reader, mediaBox)
  if (!parsed) missing('mdhd', '8.4.2')
  const asRead = readTables(reader, parts, compact, findings)
  mendEntryNumbers(number, asRead, entries.length, findings)
  const editBox = leaf('elst')
  const edits = editBox ? parseEditList(reader, editBox, findings) : undefined
  const id = header.id === 0 ? number : header.id
  const kind = kindOfHandler(handlerType)
  const describedBy = (timescale: number): TrackDescription =>
    describeTrack(reader, id, kind, timescale, entries[0], trackSize(header))
  const { duration } = header
  const found = parsed
    ? undefined
    : lostScale({ description: describedBy(0), tables: asRead, edits, duration, movieScale })
  const tables = found?.guessed
    ? { ...asRead, durationsGuessed: true as const, scaleGuessed: true as const }
    : asRead
  const mediaHeader = parsed ?? plainMediaHeader(found?.timescale ?? 0)
  const described = describedBy(mediaHeader.timescale)
  const description = beginsWithStartCode(reader, described, tables)
    ? { ...described, framing: 'startcode' as const }
    : described
  const needed = CONFIGURED[description.codec]
  if (needed && description.framing !== 'startcode' && description.config.length === 0 && entries.length > 0)
    missing(needed, '8.5.2')
  for (const [type, table, clause] of [
    ['stts', tables.durations, '8.6.1.2'],
    ['stsz', tables.sizes, '8.7.3'],
    ['stsc', tables.sampleToChunk, '8.7.4'],
    ['stco', tables.chunkOffsets, '8.7.5'],
  ] as const) {
    if (table === undefined) missing(type, clause)
  }
  const handler =
    handlerBox && !isHit && isOwnSize(reader, handlerBox)
      ? boxBytes(reader, handlerBox, MAX_DESCRIPTION)
      : EMPTY
  // in a broken tree only what is known by name is taken for the track's own
  const information = verbatim(reader, parts.information, OWN_DATA).filter(
    (box) => parts.sound || MEDIA_HEADERS.has(typeOfBytes(box)),
  )
  const trackBoxes = verbatim(reader, parts.trackBoxes, AUXILIARY).filter(
    (box) => parts.sound || TRACK_BOXES.has(typeOfBytes(box)),
  )
  const lost = new Set<TrackFact>()
  if (!own || !hasMatrix(own.tail)) lost.add('tkhd')
  if (!parsed) lost.add('mdhd')
  if (handler.length === 0) lost.add('hdlr')
  if (!information.some((box) => MEDIA_HEADERS.has(typeOfBytes(box)))) lost.add('minf')
  if (!parts.sound && !editBox) lost.add('elst')
  if (!parts.sound && trackBoxes.length === 0) lost.add('boxes')
  const protection = protectionOf(reader, entries[0])
  const keys = protection && trackKeys(reader, [...parts.trackBoxes, ...parts.groups], protection, tables)
  const whole =
    parts.sound &&
    parsed !== undefined &&
    entries.length > 0 &&
    entries.every((entry) => entry.whole) &&
    isComplete(tables)
  return {
    description:
      protection && keys ? withClearNals(reader, description, entries[0], protection, keys) : description,
    handlerType,
    header: { ...header, id },
    mediaHeader,
    handler,
    sampleDescription:
      descriptionBox && entries.some((entry) => entry.whole)
        ? sized(boxBytes(reader, descriptionBox, MAX_DESCRIPTION))
        : EMPTY,
    entries,
    information,
    trackBoxes,
    groupBoxes: !parts.sound
      ? []
      : verbatim(reader, parts.groups, new Set(['free', 'skip', 'saiz', 'saio', 'senc', 'stsh'])),
    edits,
    tables,
    layout: rowLayout(description, tables),
    external: isExternal(reader, leaf('dref')),
    extends: extendsList.find((extend) => extend.track === id),
    whole,
    lost,
    protection,
    keys,
  }
}

/** Media header boxes, ISO/IEC 14496-12:2022 §8.4.5 and QuickTime's generic one. */
const MEDIA_HEADERS: ReadonlySet<string> = new Set(['vmhd', 'smhd', 'gmhd', 'nmhd', 'sthd', 'hmhd'])
/** Boxes of a track that tell facts of it. */
const TRACK_BOXES: ReadonlySet<string> = new Set(['tref', 'tapt', 'load', 'udta', 'meta', 'uuid'])

function typeOfBytes(box: Uint8Array): string {
  return String.fromCharCode(...box.subarray(4, 8))
}

/**
 * Expands the tables of a track into its samples. Pictures of an unknown code are named for what they are in `media`, if that is
 * there.
 */
export function finishTrack(
  media: ByteReader | undefined,
  draft: TrackDraft,
  limits: Limits,
  rows: Allowance,
  findings: Findings,
): MovieTrack {
  const { description, tables, mediaHeader } = draft
  const layout = rowLayout(description, tables)
  const { duration } = mediaHeader
  const expanded = expandTables(description, tables, layout, limits, rows, findings, duration, media?.size)
  const track = { ...draft, layout, ...expanded }
  const { kind, codec } = description
  if (!media || kind !== 'video' || draft.protection || draft.external || codecNamed(codec)) return track
  const own = codecOfUnits(media, description, track.samples)
  return own ? { ...track, description: { ...description, codec: own } } : track
}

function readTables(
  reader: ByteReader,
  parts: TrackParts,
  compact: Allowance,
  findings: Findings,
): TrackTables {
  const read = <T>(types: readonly string[], parse: (box: Box) => T): T | undefined => {
    for (const type of types) {
      const box = parts.leaves.get(type)
      if (box) return parse(box)
    }
    return undefined
  }
  const durations = read(['stts'], (box) => parseTimeToSample(reader, box, findings))
  const compositions = read(['ctts'], (box) => parseCompositionOffsets(reader, box, findings))
  const sync = read(['stss'], (box) => parseSyncSamples(reader, box, findings))
  const partialSync = read(['stps'], (box) => parseSyncSamples(reader, box, findings))
  const sizes = read(['stsz', 'stz2'], (box) => parseSampleSizes(reader, box, compact, findings))
  const sampleToChunk = read(['stsc'], (box) => parseSampleToChunk(reader, box, findings))
  const chunkOffsets = read(['stco', 'co64'], (box) => parseChunkOffsets(reader, box, findings))
  return {
    ...(durations ? { durations } : {}),
    ...(compositions ? { compositions } : {}),
    ...(sync ? { sync } : {}),
    ...(partialSync ? { partialSync } : {}),
    ...(sizes ? { sizes } : {}),
    ...(sampleToChunk ? { sampleToChunk } : {}),
    ...(chunkOffsets ? { chunkOffsets } : {}),
  }
}

function isComplete(tables: TrackTables): boolean {
  return (
    tables.durations !== undefined &&
    tables.sizes !== undefined &&
    tables.sampleToChunk !== undefined &&
    tables.chunkOffsets !== undefined
  )
}

/**
 * True for NAL units that come as in Annex B of ITU-T H.264, against ISO/IEC 14496-15: their sample entry has no record of how
 * they are framed.
 */
function beginsWithStartCode(
  reader: ByteReader,
  { framing, config }: TrackDescription,
  { chunkOffsets }: TrackTables,
): boolean {
  if (framing !== 'length' || config.length > 0 || !chunkOffsets?.length) return false
  const first = reader.u32(chunkOffsets[0])
  return first === 1 || first >>> 8 === 1
}

/** Where the handler box was lost or hit, the media header box beside it tells the kind, ISO/IEC 14496-12:2022 §8.4.5.1. */
function guessHandler(parts: TrackParts): string {
  if (parts.information.some((box) => box.type === 'vmhd')) return 'vide'
  if (parts.information.some((box) => box.type === 'smhd')) return 'soun'
  return ''
}

function plainHeader(id: number, entries: readonly SampleEntry[]): TrackHeader {
  const visual = entries[0]?.visual
  const tail = plainTrackTail(visual?.width ?? 0, visual?.height ?? 0)
  return { flags: 3, creation: 0, modification: 0, id, duration: 0, tail }
}

/** The header of media that has none of its own. */
function plainMediaHeader(timescale: number): MediaHeader {
  return { creation: 0, modification: 0, timescale, duration: 0, language: UNDETERMINED, quality: 0 }
}

/** True when the first data reference lacks the self-contained flag, ISO/IEC 14496-12:2022 §8.7.2. */
function isExternal(reader: ByteReader, dref: Box | undefined): boolean {
  if (!dref) return false
  const entry = readBox(reader, bodyOf(dref) + 8, dref.end)
  return entry !== undefined && entry.end - entry.offset > 12 && (flagsOf(reader, entry) & 1) === 0
}

/** False for a box whose extent had to be guessed, because its own size is impossible. */
function isOwnSize(reader: ByteReader, box: Box): boolean {
  return !isCut(box) && (box.form !== '32' || reader.u32(box.offset) === box.size)
}

/** A box's bytes with the size they really have. */
function sized(bytes: Uint8Array): Uint8Array {
  if (bytes.length >= 8) new DataView(bytes.buffer, bytes.byteOffset).setUint32(0, bytes.length)
  return bytes
}
