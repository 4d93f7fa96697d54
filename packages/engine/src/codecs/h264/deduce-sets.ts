import type { ByteReader } from '../../bytes/reader.ts'
import { unescaped } from '../nal/rbsp.ts'
import { visibleSize } from '../picture-sizes.ts'
import { buildAvcC } from './avcc.ts'
import { guessHeaders, type HeaderSyntax, setsOf } from './header-guess.ts'
import type { LooseSlice } from './loose-slices.ts'
import { parsePps } from './pps.ts'
import { type ProvenPicture, provePicture, vainMacroblocks } from './prove-sets.ts'
import { SliceHeader } from './slice-header.ts'
import { parseSps } from './sps.ts'
import { writePps, writeSps } from './write-sets.ts'
import { type EncoderNote, readEncoderNote } from './x264-note.ts'

/** Parameter sets worked out from the slices themselves. */
export interface DeducedSets {
  /** An `avcC` record. */
  readonly config: Uint8Array
  readonly width: number
  readonly height: number
  /** Intra pictures that read exactly with them. */
  readonly pictures: number
  /** Facts of the sets that slices do not show, as they were assumed. */
  readonly assumed: readonly string[]
}

/** Syntaxes of headers whose macroblocks are read: neighbours in rank differ by fields that seldom matter. */
const MOST_GUESSES = 4
/** A syntax must explain so many bits a slice. */
const LEAST_SCORE = 4
/** More slices need not add to a score. */
const MANY_SLICES = 40
/** Key pictures that others are held against: the first, and where that was hit the second. */
const ANCHORS = [0, 1]
/** Fewest slices that tell anything. */
const FEWEST_SLICES = 4
/**
 * weighted_bipred_idc of weights by distance, ITU-T H.264 (08/2021) §7.4.2.2, which slices do not show: encoders that weigh
 * pictures referred to one way hardly go without it, others hardly use it.
 */
const IMPLICIT = 2
/** Frames kept for reference where pictures refer both ways: enough for a pyramid. */
const USUAL_REFERENCES = 4

/**
 * Works out the parameter sets of an H.264 stream that carries none: the syntax of its headers from their numbering, the size,
 * transforms and quantiser by reading whole intra pictures to their last bit. Undefined when no reading is exact, or exact for
 * less than half of the pictures looked at.
 */
export async function deduceSets(
  reader: ByteReader,
  slices: readonly LooseSlice[],
  pause: () => Promise<void>,
): Promise<DeducedSets | undefined> {
  if (slices.length < FEWEST_SLICES || !slices.some(({ intra }) => intra)) return undefined
  const note = readEncoderNote(reader, slices[0].offset)
  // such frames are in pairs of macroblocks; who does not say so is taken for progressive
  const pairs = note?.interlaced ?? false
  const guesses = guessHeaders(reader, slices, pairs).filter(
    ({ syntax }) => !note || syntax.cabac === note.cabac,
  )
  const likely = guesses
    .slice(0, MOST_GUESSES)
    .filter(({ score }) => score >= LEAST_SCORE * Math.min(slices.length, MANY_SLICES))
  for (const anchor of ANCHORS) {
    const budget = vainMacroblocks(reader)
    let best: { syntax: HeaderSyntax; picture: ProvenPicture } | undefined
    for (const { syntax } of likely) {
      await pause()
      const picture = await provePicture(reader, slices, syntax, note, budget, pause, anchor)
      if (picture && picture.pictures > (best?.picture.pictures ?? 0)) best = { syntax, picture }
      if (picture?.all) break
    }
    if (best) return setsFor(reader, slices, best.syntax, note, best.picture)
  }
  return undefined
}

/** The record of the sets whose syntax and picture were found. */
function setsFor(
  reader: ByteReader,
  slices: readonly LooseSlice[],
  syntax: HeaderSyntax,
  note: EncoderNote | undefined,
  picture: ProvenPicture,
): DeducedSets | undefined {
  const { pairs } = syntax
  const { width, height, guessed } = visibleSize(
    picture.widthInMbs * 16,
    picture.heightInMbs * 16,
    16,
    pairs ? 32 : 16,
  )
  const habits = surveySlices(reader, slices, syntax)
  const least = habits.bSlices ? USUAL_REFERENCES : 1
  const frames = note?.frames ?? Math.max(least, habits.references)
  const bitDepth = note?.bitDepth ?? 8
  const sps = parseSps(
    writeSps({
      ...picture,
      width,
      height,
      bitDepth,
      profile: profileOf(picture, bitDepth, syntax.cabac || habits.bSlices),
      log2MaxFrameNum: syntax.log2MaxFrameNum,
      pocType: syntax.pocType,
      log2MaxPocLsb: syntax.log2MaxPocLsb,
      refFrames: Math.min(16, frames),
      reorderFrames: habits.bSlices ? 2 : 0,
      pairs,
    }),
  )
  const pps = parsePps(
    writePps({
      ...syntax,
      refIdxL0: note?.references ?? habits.references,
      weightedBipred: note?.weightedBipred ?? (syntax.weightedPred ? IMPLICIT : 0),
      initQp: picture.initQp,
      chromaQpOffset: note?.chromaQpOffset ?? 0,
      transform8x8: picture.transform8x8,
    }),
  )
  if (!sps || !pps) return undefined
  return {
    config: buildAvcC([sps], [pps]),
    width,
    height,
    pictures: picture.pictures,
    assumed: [
      ...assumptions(syntax, habits, note),
      ...(guessed ? ['how much of the coded picture is shown'] : []),
    ],
  }
}

/** profile_idc, ITU-T H.264 (08/2021) A.2. */
function profileOf({ chromaFormat, transform8x8 }: ProvenPicture, bitDepth: number, main: boolean): number {
  if (chromaFormat === 2) return 122
  if (bitDepth > 8) return 110
  return transform8x8 ? 100 : main ? 77 : 66
}

function assumptions({ cabac }: HeaderSyntax, { bSlices }: Habits, note: EncoderNote | undefined): string[] {
  if (note) return []
  // the syntax of deeper samples is the same
  const assumed = ['8 bits a sample', 'the quantiser offset of colour']
  if (!cabac) assumed.push('the starting quantiser')
  if (bSlices) assumed.push('the weights of pictures between two others')
  return assumed
}

interface Habits {
  /** References of P slices that do not count their own. */
  readonly references: number
  readonly bSlices: boolean
}

/** Bytes that hold nearly every slice header. */
const HEAD = 96

/**
 * How many references a P slice has that says nothing: a slice counts its own where it has another number, and the first behind a
 * key picture cannot have more than one. So the least number that no slice counts is the silent one.
 */
function surveySlices(reader: ByteReader, slices: readonly LooseSlice[], syntax: HeaderSyntax): Habits {
  const { sps, pps } = setsOf(syntax)
  const sets = { sps: () => sps, pps: () => pps }
  const header = new SliceHeader()
  const counted = new Set<number>()
  let bSlices = false
  for (const { offset, length } of slices) {
    const bytes = unescaped(reader.bytes(offset, Math.min(length, HEAD)).slice())
    if (!header.parse(bytes, bytes.length, sets)) continue
    if (header.type === 1) bSlices = true
    if (header.type === 0 && header.ownReferences > 0) counted.add(header.ownReferences)
  }
  let references = 1
  while (counted.has(references) && references < 16) references++
  return { references, bSlices }
}
