import { BitReader } from '../../bytes/bit-reader.ts'
import { BitWriter } from '../../bytes/bit-writer.ts'
import { ByteReader } from '../../bytes/reader.ts'
import { MemorySource } from '../../bytes/source.ts'
import { bitsFor, clockOf } from './deduce-layer.ts'
import { layerOf, layerStart } from './headers.ts'
import { intraPlanes, isWhole, planesIn } from './intra-planes.ts'
import { resolutionBits } from './video-object-layer.ts'

/** Another recording's configuration with the clock of the planes at hand. */
export interface OwnClock {
  readonly config: Uint8Array
  /** Planes a second, if the commonest distance is theirs. */
  readonly rate: { readonly num: number; readonly den: number } | undefined
  /** Some planes are left out of that rate. */
  readonly leftOut: boolean
}

/** Share of distances that are the same where planes come at a constant rate: a few are next to a hole. */
const CONSTANT = 0.9

/**
 * A configuration with the ticks a second that planes in the regions count in, ISO/IEC 14496-2:2004 §6.3.3
 * vop_time_increment_resolution: an application that chooses them by the rate writes others into each recording, and planes read
 * with the wrong ones lose their times, or do not read at all. Undefined where they agree, or nothing shows them beyond doubt.
 */
export function withOwnClock(
  reader: ByteReader,
  regions: readonly { readonly offset: number; readonly length: number }[],
  config: Uint8Array,
): OwnClock | undefined {
  const theirs = layerOf(new ByteReader(new MemorySource(config)))
  if (!theirs || theirs.opaque) return undefined
  const planes = planesIn(reader, regions)
  const intra = intraPlanes(reader, planes)
  const readings = Array.from({ length: 16 }, (_, i) => ({
    ...theirs,
    timeBits: i + 1,
    timeResolution: 2 ** (i + 1),
  })).map((layer) => ({ layer, whole: intra.filter((bytes) => isWhole(bytes, layer)).length }))
  const most = Math.max(...readings.map(({ whole }) => whole))
  const best = readings.filter(({ whole }) => whole === most)
  const reading = best.find(({ layer }) => layer.timeBits === theirs.timeBits) ?? best[0]
  if (most * 2 <= intra.length) return undefined
  const clock = clockOf(reader, planes, reading.layer)
  if (!clock.certain || clock.resolution === theirs.timeResolution) return undefined
  return {
    config: withResolution(config, clock.resolution),
    rate: clock.usual > 0 ? { num: clock.resolution, den: clock.usual } : undefined,
    leftOut: clock.constant < CONSTANT,
  }
}

/** A configuration whose layer counts so many ticks a second, at no fixed rate. */
function withResolution(config: Uint8Array, resolution: number): Uint8Array {
  const body = layerStart(new ByteReader(new MemorySource(config)))
  const at = resolutionBits(config.subarray(body))
  const from = body * 8 + at
  const writer = new BitWriter()
  writer.copy(config, 0, from)
  writer.bits(resolution, 16)
  const bits = new BitReader(config, from)
  const old = bits.bits(16)
  // the marker behind it
  writer.bit(bits.bit())
  if (bits.bit() === 1) bits.skip(bitsFor(old))
  writer.bit(0)
  const end = lastStuffing(config)
  writer.copy(config, bits.position, Math.max(bits.position, end))
  writer.bit(0)
  while (writer.length % 8 !== 0) writer.bit(1)
  return writer.bytes()
}

/** Bits in front of the stuffing, a zero and ones up to the end of the bytes, §5.2.4. */
function lastStuffing(config: Uint8Array): number {
  let bit = config.length * 8 - 1
  while (bit > 0 && (config[bit >> 3] >> (7 - (bit & 7))) % 2 === 1) bit--
  return bit
}
