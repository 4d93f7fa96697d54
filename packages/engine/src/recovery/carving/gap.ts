import type { ByteReader } from '../../bytes/reader.ts'
import type { GapPattern, Interleave, Piece } from '../learning/learn.ts'
import { BEHIND_GAP } from './evidence.ts'
import { isSoundBefore, soundInGap } from './gap-sound.ts'
import { soundsInGap } from './gap-sounds.ts'
import type { Lane } from './lane.ts'
import type { PlacedPiece } from './placed-piece.ts'

/** Tells whether a unit with at least `need` bits of evidence starts at `at`. */
export type Anchored = (at: number, end: number, need: number) => boolean

/**
 * The gap that starts at `at`, when it is one of the sample's patterns: exactly behind it a unit stands, or the
 * region ends. Undefined when no pattern fits.
 */
export function knownGap(
  reader: ByteReader,
  lanes: readonly Lane[],
  interleave: Interleave,
  at: number,
  end: number,
  anchored: Anchored,
): PlacedPiece[] | undefined {
  for (const pattern of interleave.patterns) {
    const behind = at + pattern.total
    if (behind > end) continue
    if (behind < end && !anchored(behind, end, BEHIND_GAP)) continue
    const placed = place(pattern.pieces, at)
    if (prefixesFit(reader, lanes, interleave, placed)) {
      return placed.flatMap((piece, i) => unitsOf(reader, lanes, interleave, piece, pattern.pieces[i].units))
    }
  }
  return undefined
}

/**
 * Explains the bytes between the end of one unit and the next anchor when no pattern has their exact length: telemetry by
 * the marks its units begin with, sound by ear, several sounds by stretching the likeliest pattern. What is left is a hole.
 * `cut`: no anchor stands at `until`, the bytes end there.
 */
export function fitGap(
  reader: ByteReader,
  lanes: readonly Lane[],
  interleave: Interleave,
  at: number,
  until: number,
  cut: boolean,
): PlacedPiece[] {
  const { patterns } = interleave
  const fitting = patterns.filter((pattern) =>
    prefixesFit(reader, lanes, interleave, place(pattern.pieces, at).slice(0, 1)),
  )
  const marked = splitByPrefix(reader, lanes, interleave, fitting, at, until)
  if (marked) return marked
  const heard = soundsIn(reader, lanes, patterns, at, until, cut)
  if (heard) return heard
  const longest = fitting.reduce((most, pattern) => Math.max(most, pattern.total), 0)
  if (fitting.length === 0 || until - at > longest * 2) return []
  const stretched = stretch(lanes, nearest(fitting, until - at), until - at)
  return stretched ? place(stretched, at) : []
}

/** Plain sound at both ends of a gap, by ear; undefined where the sample has none between its units. */
function soundsIn(
  reader: ByteReader,
  lanes: readonly Lane[],
  patterns: readonly GapPattern[],
  at: number,
  until: number,
  cut: boolean,
): PlacedPiece[] | undefined {
  const pieces = patterns.flatMap((pattern) => pattern.pieces.filter((piece) => isSound(lanes, piece)))
  const sounds = new Set(pieces.map(({ lane }) => lane))
  if (sounds.size > 1) return soundsInGap(reader, lanes, patterns, at, until, cut)
  const [first] = sounds
  if (first === undefined) return undefined
  return soundInGap(
    reader,
    lanes[first],
    pieces.map(({ bytes }) => bytes),
    at,
    until,
    cut,
  )
}

/**
 * Where plain sound begins that ends at `until`, behind the bytes of a unit at `at` whose own do not tell its length; `until`
 * where none is heard.
 */
export function soundBefore(
  reader: ByteReader,
  lanes: readonly Lane[],
  interleave: Interleave,
  at: number,
  until: number,
): number {
  return soundsBefore(reader, lanes, interleave, at, until)[0]?.offset ?? until
}

/**
 * Pieces of plain sound that join and end at `until`, behind the bytes of a unit at `at` whose own do not tell its length, in
 * file order.
 */
export function soundsBefore(
  reader: ByteReader,
  lanes: readonly Lane[],
  { patterns }: Interleave,
  at: number,
  until: number,
): PlacedPiece[] {
  const joined: PlacedPiece[] = []
  let begin = until
  const pieces = soundsIn(reader, lanes, patterns, at, until, false) ?? []
  for (const piece of pieces.toReversed()) {
    if (piece.offset + piece.length !== begin || piece.offset <= at) break
    begin = piece.offset
    joined.unshift(piece)
  }
  return joined
}

/**
 * The sound in front of a unit at `until` where a unit at `from` claims its beginning, up to `at`: too little is left for the
 * sample's gaps, and with what sounds like it before it is as long as one of those. Such a unit lost bytes. Undefined where
 * nothing speaks for that.
 */
export function claimedSound(
  reader: ByteReader,
  lanes: readonly Lane[],
  interleave: Interleave,
  from: number,
  at: number,
  until: number,
): PlacedPiece[] | undefined {
  const { patterns } = interleave
  const totals = new Set(patterns.map(({ total }) => total))
  if (until - at >= Math.min(...totals)) return undefined
  const [first, ...more] = soundsBefore(reader, lanes, interleave, from, until)
  if (!first || first.offset >= at || !totals.has(until - first.offset)) return undefined
  return isSoundBefore(reader, lanes[first.lane], first.offset, at) ? [first, ...more] : undefined
}

function isSound(lanes: readonly Lane[], piece: Piece): boolean {
  return lanes[piece.lane].description.blockAlign !== undefined
}

/**
 * The units of a piece that lies where the sample has one as long: of the same sizes, if each of them begins as units of the lane
 * do; else cut where the mark of the lane stands.
 */
function unitsOf(
  reader: ByteReader,
  lanes: readonly Lane[],
  interleave: Interleave,
  piece: PlacedPiece,
  sizes: readonly number[] = [],
): PlacedPiece[] {
  const { prefix, constantUnitBytes } = interleave.lanes[piece.lane]
  if (constantUnitBytes > 0 || sizes.length < 2 || prefix.length < MARK_BYTES) return [piece]
  const pieces = sizes.map((bytes) => ({ lane: piece.lane, bytes }))
  const units = place(pieces, piece.offset)
  if (prefixesFit(reader, lanes, interleave, units)) return units
  return cutAtMarks(reader, piece.lane, prefix, piece.offset, piece.offset + piece.length) ?? [piece]
}

/** A prefix this long marks the start of a unit. */
const MARK_BYTES = 3
/** Gaps searched for marks: telemetry of a few seconds. */
const MARKED_GAP_BYTES = 1 << 18

/**
 * Units of varying length that all begin alike (telemetry, timed metadata): the gap is cut where the mark stands.
 * Undefined when the gap does not begin with the mark of a lane.
 */
function splitByPrefix(
  reader: ByteReader,
  lanes: readonly Lane[],
  interleave: Interleave,
  candidates: readonly GapPattern[],
  at: number,
  until: number,
): PlacedPiece[] | undefined {
  if (until - at > MARKED_GAP_BYTES) return undefined
  const lane = candidates.find(({ pieces: [first] }) => {
    const { prefix, constantUnitBytes } = interleave.lanes[first.lane]
    const sound = lanes[first.lane].description.blockAlign !== undefined
    return !sound && constantUnitBytes === 0 && prefix.length >= MARK_BYTES
  })?.pieces[0].lane
  if (lane === undefined) return undefined
  return cutAtMarks(reader, lane, interleave.lanes[lane].prefix, at, until)
}

/** The bytes in [at, until) cut where a mark stands; undefined when none stands at their start. */
function cutAtMarks(
  reader: ByteReader,
  lane: number,
  prefix: Uint8Array,
  at: number,
  until: number,
): PlacedPiece[] | undefined {
  const bytes = reader.bytes(at, until - at)
  const starts: number[] = []
  for (let i = bytes.indexOf(prefix[0]); i >= 0; i = bytes.indexOf(prefix[0], i + 1)) {
    if (prefix.every((byte, k) => bytes[i + k] === byte)) starts.push(i)
  }
  if (starts[0] !== 0) return undefined
  return starts.map((start, i) => ({
    lane,
    offset: at + start,
    length: (starts[i + 1] ?? until - at) - start,
  }))
}

function nearest(patterns: readonly GapPattern[], length: number): GapPattern {
  return patterns.reduce((best, pattern) =>
    Math.abs(pattern.total - length) < Math.abs(best.total - length) ? pattern : best,
  )
}

/** The pattern with its sound pieces scaled so that it fills `length` exactly in whole sample frames, or undefined. */
function stretch(lanes: readonly Lane[], pattern: GapPattern, length: number): Piece[] | undefined {
  const elastic = pattern.pieces.filter((piece) => lanes[piece.lane].description.blockAlign !== undefined)
  const elasticBytes = elastic.reduce((sum, piece) => sum + piece.bytes, 0)
  const fixed = pattern.total - elasticBytes
  if (elasticBytes === 0 || length <= fixed) return undefined
  const scale = (length - fixed) / elasticBytes
  const pieces = pattern.pieces.map((piece) => {
    const align = lanes[piece.lane].description.blockAlign
    if (align === undefined) return piece
    return { lane: piece.lane, bytes: Math.floor((piece.bytes * scale) / align + 0.001) * align }
  })
  const total = pieces.reduce((sum, piece) => sum + piece.bytes, 0)
  return total === length ? pieces : undefined
}

function place(pieces: readonly Piece[], at: number): PlacedPiece[] {
  let offset = at
  return pieces.map((piece) => {
    const placed = { lane: piece.lane, offset, length: piece.bytes }
    offset += piece.bytes
    return placed
  })
}

/** Pieces whose lane's units share a prefix must begin with it. */
function prefixesFit(
  reader: ByteReader,
  lanes: readonly Lane[],
  interleave: Interleave,
  pieces: readonly PlacedPiece[],
): boolean {
  return pieces.every((piece) => {
    if (lanes[piece.lane].description.blockAlign !== undefined) return true
    const { prefix } = interleave.lanes[piece.lane]
    const bytes = reader.bytes(piece.offset, prefix.length)
    return bytes.length === prefix.length && prefix.every((byte, index) => byte === bytes[index])
  })
}
