import type { ByteReader } from '../../bytes/reader.ts'
import { unescapeInto } from '../nal/rbsp.ts'
import type { LooseSlice } from './loose-slices.ts'
import type { Pps } from './pps.ts'
import { SliceHeader } from './slice-header.ts'
import type { Sps } from './sps.ts'

/** What the syntax of slice headers depends on, as far as a stream of frames shows it. */
export interface HeaderSyntax {
  readonly log2MaxFrameNum: number
  /** 0 with a picture order count in the header, 2 without. */
  readonly pocType: 0 | 2
  readonly log2MaxPocLsb: number
  readonly bottomFieldPicOrder: boolean
  readonly deblockingControl: boolean
  readonly cabac: boolean
  readonly weightedPred: boolean
  /** References of P slices that do not say how many; 1 unless weighted or seen otherwise. */
  readonly refIdxL0: number
  /** Frames are interlaced, their macroblocks coded in pairs (mb_adaptive_frame_field_flag). */
  readonly pairs: boolean
}

/** A syntax with what speaks for it. */
export interface HeaderGuess {
  readonly syntax: HeaderSyntax
  /** Bits of evidence over all slices. */
  readonly score: number
}

/** Bytes that hold nearly every slice header. */
const HEAD = 64
/** Slices that every syntax is tried on, and that the best are tried on. */
const FEW = 24
const MANY = 160
const KEPT = 64
/** What a slice whose header does not parse, and numbers that leap, speak against a syntax, in bits. */
const UNPARSED = -16
const LEAP = -8
/** What unused deblocking control says beyond `SliceHeader.evidence`: a little more than three ones of alignment would. */
const PLAIN = 2.7
/** Reference pictures that may be missing between two slices found. */
const SMALL_GAP = 8
/** Display order may step so far between neighbours. */
const SMALL_STEP = 32

/** The heads of slices, unescaped. */
interface Head {
  readonly bytes: Uint8Array
  readonly length: number
}

/**
 * Ranks the syntaxes that slice headers of a stream, progressive or in `pairs`, may have by how consistently they read: frame
 * numbers that count up, display order that goes on, alignment bits that are ones. Best first; a few dozen microseconds a syntax.
 */
export function guessHeaders(
  reader: ByteReader,
  slices: readonly LooseSlice[],
  pairs = false,
): HeaderGuess[] {
  const heads = slices.slice(0, MANY).map(({ offset, length }) => {
    const bytes = new Uint8Array(HEAD)
    return { bytes, length: Math.max(0, unescapeInto(reader.bytes(offset, Math.min(length, HEAD)), bytes)) }
  })
  const few = heads.slice(0, FEW)
  const first = syntaxes(pairs).map((syntax) => ({ syntax, score: scoreOf(few, syntax) }))
  return first
    .sort((a, b) => b.score - a.score)
    .slice(0, KEPT)
    .map(({ syntax }) => ({ syntax, score: scoreOf(heads, syntax) }))
    .sort((a, b) => b.score - a.score)
}

function* range(from: number, to: number): Iterable<number> {
  for (let value = from; value <= to; value++) yield value
}

function syntaxes(pairs: boolean): HeaderSyntax[] {
  const all: HeaderSyntax[] = []
  for (const log2MaxFrameNum of range(4, 16)) {
    for (const log2MaxPocLsb of [0, ...range(4, 16)]) {
      for (const bottomFieldPicOrder of log2MaxPocLsb > 0 ? [false, true] : [false]) {
        for (const deblockingControl of [true, false]) {
          for (const cabac of [true, false]) {
            for (const refIdxL0 of range(0, 5)) {
              all.push({
                ...{ log2MaxFrameNum, log2MaxPocLsb, bottomFieldPicOrder, deblockingControl, cabac },
                pocType: log2MaxPocLsb > 0 ? 0 : 2,
                weightedPred: refIdxL0 > 0,
                refIdxL0: Math.max(1, refIdxL0),
                pairs,
              })
            }
          }
        }
      }
    }
  }
  return all
}

function scoreOf(heads: readonly Head[], syntax: HeaderSyntax): number {
  const { sps, pps } = setsOf(syntax)
  const sets = { sps: () => sps, pps: () => pps }
  const header = new SliceHeader()
  const numbers = 2 ** syntax.log2MaxFrameNum
  const orders = 2 ** syntax.log2MaxPocLsb
  let score = 0
  let lastNumber = -1
  let lastReference = true
  let lastOrder = -1
  for (const { bytes, length } of heads) {
    if (!header.parse(bytes, length, sets)) {
      score += UNPARSED
      lastNumber = -1
      lastOrder = -1
      continue
    }
    score += header.evidence + (header.plainDeblocking ? PLAIN : 0)
    if (header.idr) {
      lastNumber = 0
      lastReference = true
      lastOrder = header.pocLsb
      // hardly an encoder starts elsewhere than at 0
      if (syntax.pocType === 0) score += header.pocLsb === 0 ? syntax.log2MaxPocLsb - 1 : LEAP
      continue
    }
    if (lastNumber >= 0) {
      const ahead = (header.frameNum - lastNumber + numbers) % numbers
      if (ahead === (lastReference ? 1 : 0)) score += syntax.log2MaxFrameNum
      else if (ahead <= Math.min(SMALL_GAP, numbers / 4)) score += Math.max(0, syntax.log2MaxFrameNum - 4)
      else score += LEAP
    }
    if (lastOrder >= 0 && syntax.pocType === 0) {
      const step = (header.pocLsb - lastOrder + orders) % orders
      const apart = Math.min(step, orders - step)
      if (apart <= SMALL_STEP)
        score += apart === 2 ? syntax.log2MaxPocLsb - 1 : Math.max(0, syntax.log2MaxPocLsb - 6)
      else score += LEAP
      // two pictures of one time are two halves of a misreading
      if (step === 0) score += LEAP
    }
    lastNumber = header.frameNum
    lastReference = header.refIdc !== 0
    lastOrder = header.pocLsb
  }
  return score
}

/** Parameter sets that parse slice headers of a syntax, whatever the picture's size. */
export function setsOf(syntax: HeaderSyntax, initQp = 26): { sps: Sps; pps: Pps } {
  const none = new Uint8Array(0)
  return {
    sps: {
      ...{ id: 0, profile: 100, constraints: 0, level: 51, chromaFormat: 1, separateColourPlanes: false },
      ...{ bitDepthLuma: 8, bitDepthChroma: 8, log2MaxFrameNum: syntax.log2MaxFrameNum },
      ...{ pocType: syntax.pocType, log2MaxPocLsb: syntax.log2MaxPocLsb || 4 },
      ...{ deltaPicOrderAlwaysZero: false, offsetForNonRefPic: 0, offsetForTopToBottomField: 0 },
      ...{ offsetsForRefFrame: [], maxNumRefFrames: 16, gapsAllowed: false },
      ...{ widthInMbs: 512, heightInMbs: 512, heightInMapUnits: syntax.pairs ? 256 : 512 },
      ...{ frameMbsOnly: !syntax.pairs, mbaff: syntax.pairs },
      direct8x8: true,
      ...{ width: 8192, height: 8192, vui: undefined, bytes: none },
      places: { size: 0, cropping: 0, rest: 0 },
    },
    pps: {
      ...{ id: 0, spsId: 0, cabac: syntax.cabac, bottomFieldPicOrder: syntax.bottomFieldPicOrder },
      ...{ sliceGroups: 1, sliceGroupMapType: 0, sliceGroupChangeRate: 0 },
      ...{ refIdxL0: syntax.refIdxL0, refIdxL1: 1, weightedPred: syntax.weightedPred, weightedBipred: 0 },
      ...{ initQp, deblockingControl: syntax.deblockingControl, redundantPicCnt: false },
      ...{ transform8x8: false, bytes: none },
    },
  }
}
