import { BitReader } from '../../src/bytes/bit-reader.ts'
import { BitWriter } from '../../src/bytes/bit-writer.ts'
import { layerOf } from '../../src/codecs/mpeg4/headers.ts'
import { readerOf } from './replay.ts'
import { streamFixture } from './stream-fixture.ts'

const { config, bytes, packets } = streamFixture('mpeg4-simple')
const own = layerOf(readerOf(config))
if (!own) throw new Error('no layer')

/** The layer of the planes that films are made of, and its bytes. */
export const layer = own
export { config }

/** The first plane, an intra one, behind its start code. */
const first = bytes.subarray(0, packets[0].size)
const code = Buffer.from(first).indexOf(Buffer.of(0, 0, 1, 0xb6))
const plane = first.subarray(code + 4)

/** Where the stuffing of some bytes begins: a zero, and ones to their end. */
export function stuffing(of: Uint8Array): number {
  let bit = of.length * 8 - 1
  while ((of[bit >> 3] >> (7 - (bit & 7))) & 1) bit--
  return bit
}

/** The intra plane at a time in ticks, of which a second has so many. */
function planeAt(ticks: number, resolution: number, seconds: number): Uint8Array {
  const bits = new BitReader(plane)
  const writer = new BitWriter()
  writer.bits(0x1b6, 32)
  writer.bits(bits.bits(2), 2)
  for (let i = 0; i < seconds; i++) writer.bit(1)
  writer.bits(0b01, 2)
  writer.bits(ticks, 32 - Math.clz32(resolution - 1))
  while (bits.bit() === 1);
  bits.skip(1 + layer.timeBits)
  writer.copy(plane, bits.position, stuffing(plane))
  writer.bit(0)
  while (writer.length % 8 !== 0) writer.bit(1)
  return writer.bytes()
}

/** Planes `step` ticks apart for some seconds, without those that `skips` names. */
export function film(
  resolution: number,
  step: number,
  seconds: number,
  skips: (n: number) => boolean = () => false,
) {
  const parts: Uint8Array[] = []
  let second = 0
  for (let n = 0; n * step < resolution * seconds; n++) {
    if (skips(n)) continue
    const now = Math.floor((n * step) / resolution)
    parts.push(planeAt((n * step) % resolution, resolution, now - second))
    second = now
  }
  return new Uint8Array(Buffer.concat(parts))
}
