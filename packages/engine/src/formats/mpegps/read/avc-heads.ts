import { joined } from '../../../bytes/joined.ts'
import { ByteReader } from '../../../bytes/reader.ts'
import { MemorySource } from '../../../bytes/source.ts'
import type { AvcConfig } from '../../../codecs/h264/avcc.ts'
import { looseSlices } from '../../../codecs/h264/loose-slices.ts'
import { IDR, PPS, SLICE, SPS } from '../../../codecs/h264/nal-types.ts'
import { parsePps } from '../../../codecs/h264/pps.ts'
import { headersContradict, readsAs } from '../../../codecs/h264/prove-sets.ts'
import { parseSps } from '../../../codecs/h264/sps.ts'
import { splitStartCodes } from '../../../codecs/nal/start-code.ts'

/** Delimiters, messages, ends and filling, ITU-T H.264 (08/2021) Table 7-1. */
const OTHERS: readonly number[] = [6, 9, 10, 11, 12]
/** Slices from which a stream holds pictures of H.264. */
const FEWEST_SLICES = 2
/** Slices that sets are tried with. */
const MOST_SLICES = 300
const LENGTH_BYTES = 4
/** Sets of a kind that are put in. */
const MOST_SETS = 32

const isSlice = (unit: Uint8Array): boolean => typeOf(unit) === SLICE || typeOf(unit) === IDR
const isSet = (unit: Uint8Array): boolean => typeOf(unit) === SPS || typeOf(unit) === PPS

function typeOf([head]: Uint8Array): number {
  return head & 31
}

/**
 * Whether bytes are pictures of H.264 in front of any parameter sets. The first unit may be the end of one whose head is gone.
 * Slices of MPEG pictures have start codes that units have not.
 */
export function isSetless(pictures: Uint8Array): boolean {
  const units = splitStartCodes(pictures)
  const first = units.findIndex(isSlice)
  const set = units.findIndex((unit) => typeOf(unit) === SPS)
  const isKnown = (unit: Uint8Array): boolean =>
    unit[0] < 128 && (isSlice(unit) || isSet(unit) || OTHERS.includes(typeOf(unit)))
  return (
    first >= 0 &&
    (set < 0 || first < set) &&
    units.filter(isSlice).length >= FEWEST_SLICES &&
    units.every(isKnown)
  )
}

/** The first parameter sets of a stream of H.264 with their start codes, up to the pictures they stand before. */
export function parameterSets(stream: Uint8Array): Uint8Array | undefined {
  const units = splitStartCodes(stream)
  const first = units.findIndex((unit) => unit[0] < 128 && typeOf(unit) === SPS && parseSps(unit))
  if (first < 0) return undefined
  const behind = units.slice(first).findIndex(isSlice)
  const sets = units.slice(first, behind < 0 ? first : first + behind).filter(isSet)
  if (sets.length > MOST_SETS || !sets.some((unit) => typeOf(unit) === PPS)) return undefined
  return joined(sets.flatMap((set) => [Uint8Array.of(0, 0, 0, 1), set]))
}

/** Whether some picture is intra-coded, so that others can refer to it. */
export function hasIntra(pictures: Uint8Array): boolean {
  const reader = framed(pictures)
  return looseSlices(reader, 0, reader.size, MOST_SLICES).some(({ intra }) => intra)
}

/** Whether intra pictures read to their last bit with such parameter sets, and the headers of others do not contradict. */
export function fitsPictures(sets: Uint8Array, pictures: Uint8Array): boolean {
  const reader = framed(pictures)
  const slices = looseSlices(reader, 0, reader.size, MOST_SLICES)
  const config = configOf(sets)
  return readsAs(reader, slices, config) === true && !headersContradict(reader, slices, config)
}

function configOf(sets: Uint8Array): AvcConfig {
  const units = splitStartCodes(sets)
  const all = <T>(type: number, parse: (unit: Uint8Array) => T | undefined): T[] =>
    units
      .filter((unit) => typeOf(unit) === type)
      .map(parse)
      .filter((set) => set !== undefined)
  return { lengthSize: LENGTH_BYTES, sps: all(SPS, parseSps), pps: all(PPS, parsePps) }
}

/** The units of a stream with lengths instead of start codes; the last one may be cut, and is left out. */
function framed(pictures: Uint8Array): ByteReader {
  const parts = splitStartCodes(pictures)
    .slice(0, -1)
    .flatMap((unit) => {
      const length = new Uint8Array(LENGTH_BYTES)
      new DataView(length.buffer).setUint32(0, unit.length)
      return [length, unit]
    })
  return new ByteReader(new MemorySource(joined(parts)))
}
