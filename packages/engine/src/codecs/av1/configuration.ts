import { BitReader } from '../../bytes/bit-reader.ts'
import { nextByte } from '../../bytes/next-byte.ts'
import type { ByteReader } from '../../bytes/reader.ts'
import { Allowance } from '../../model/allowance.ts'
import { readSampleFormat } from './headers/sample-format.ts'
import { parseSequenceHeader, type SequenceHeader } from './headers/sequence-header.ts'

/** A sequence header found in payload, with the configuration it stands for. */
export interface InBandSequence {
  /** An `av1C` record, AV1 Codec ISO Media File Format Binding §2.3.3. */
  readonly config: Uint8Array
  readonly width: number
  readonly height: number
  /** Times it was seen. */
  readonly count: number
}

/** Header byte of a sequence header OBU with its size. */
const OBU_HEADER = 0x0a
const SHORTEST = 5
const LONGEST = 64
/** Different headers kept. */
const MOST = 16
const SMALLEST_SIDE = 16
const WINDOW = 1 << 18
/** Places read as one, of any file, and for each byte searched: noise offers one in eleven hundred. */
const PLACES = 1 << 12
const PLACES_A_BYTE = 1 / 256
/** Steps of all searches that a place takes. */
const PLACE_PRICE = 50

/**
 * Sequence headers in [from, end) that fill their OBU to the trailing bits, AV1 specification §5.5 and §5.3.4; most often seen
 * first. Time in proportion to the bytes.
 */
export function inBandSequences(
  reader: ByteReader,
  regions: readonly { readonly offset: number; readonly length: number }[],
  smallest = SMALLEST_SIDE,
): InBandSequence[] {
  const found = new Map<string, InBandSequence>()
  const bytesIn = regions.reduce((sum, { length }) => sum + length, 0)
  const places = new Allowance(PLACES + PLACES_A_BYTE * bytesIn, reader.work, PLACE_PRICE)
  for (const { offset, length } of regions) {
    const end = offset + length
    for (let from = offset; from < end; from += WINDOW) {
      const bytes = reader.bytes(from, Math.min(WINDOW + LONGEST + 2, end - from))
      const stop = Math.min(bytes.length, WINDOW)
      for (
        let i = nextByte(bytes, OBU_HEADER, 0);
        i >= 0 && i < stop;
        i = nextByte(bytes, OBU_HEADER, i + 1)
      ) {
        const size = bytes[i + 1]
        if (size < SHORTEST || size > LONGEST || i + 2 + size > bytes.length) continue
        if (!places.take()) break
        note(bytes.subarray(i, i + 2 + size), found, smallest)
      }
    }
  }
  return [...found.values()].sort((a, b) => b.count - a.count)
}

function note(obu: Uint8Array, found: Map<string, InBandSequence>, smallest: number): void {
  const key = obu.join()
  const known = found.get(key)
  if (known) {
    found.set(key, { ...known, count: known.count + 1 })
    return
  }
  const payload = obu.slice(2)
  const sequence = parseSequenceHeader(payload)
  if (!sequence || sequence.width < smallest || sequence.height < smallest) return
  const look = lookOf(payload, sequence)
  if (look === undefined || found.size >= MOST) return
  const { profile, level, tier, width, height } = sequence
  const config = Uint8Array.of(0x81, (profile << 5) | level, (tier << 7) | look, 0, ...obu)
  found.set(key, { config, width, height, count: 1 })
}

/**
 * From high_bitdepth to chroma_sample_position as `av1C` packs them into seven bits; undefined where the header does not end with
 * the trailing bits, §5.5.2.
 */
function lookOf(payload: Uint8Array, { profile, rest }: SequenceHeader): number | undefined {
  const bits = new BitReader(payload, rest)
  const { high, twelve, mono, x, y, position } = readSampleFormat(bits, profile)
  // a one and zeros
  if (bits.bit() !== 1) return undefined
  while (bits.position < payload.length * 8) if (bits.bit() !== 0) return undefined
  if (bits.overrun) return undefined
  return (high << 6) | (twelve << 5) | (Number(mono) << 4) | (x << 3) | (y << 2) | position
}
