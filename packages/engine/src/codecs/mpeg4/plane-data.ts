import type { BitReader } from '../../bytes/bit-reader.ts'
import { MacroblockReader } from './macroblock.ts'
import type { VideoObjectLayer } from './video-object-layer.ts'
import { skipWarping, VOP_B, VOP_I, VOP_S, type VopHeader } from './vop-header.ts'

/** Reads the macroblocks of video object planes, ISO/IEC 14496-2:2004 §6.2.5 to §6.2.8. */
export class PlaneReader {
  readonly #layer: VideoObjectLayer
  readonly #macroblocks: MacroblockReader
  readonly #count: number
  /** Macroblocks that the plane just read left out: co-located ones of B planes are not coded. */
  readonly skipped: Uint8Array

  constructor(layer: VideoObjectLayer) {
    this.#layer = layer
    this.#macroblocks = new MacroblockReader(layer)
    this.#count = Math.ceil(layer.width / 16) * Math.ceil(layer.height / 16)
    this.skipped = new Uint8Array(this.#count)
  }

  /**
   * Reads all macroblocks and the stuffing behind the last one. `reference` tells which macroblocks the next reference
   * plane in display order left out, for B planes. False when the bits are none.
   */
  read(bits: BitReader, vop: VopHeader, reference: Uint8Array): boolean {
    const { skipped } = this
    if (vop.type !== VOP_B) skipped.fill(0)
    this.#macroblocks.start(vop)
    let index = 0
    while (index < this.#count) {
      if (this.#layer.resyncMarkers && index > 0) {
        const next = this.#packet(bits, vop, index)
        if (next < 0) return false
      }
      if (vop.type === VOP_B) {
        if (reference[index] === 0 && !this.#macroblocks.readBidirectional(bits, vop)) return false
      } else {
        const left = this.#macroblocks.readReference(bits, vop)
        if (left < 0) return false
        skipped[index] = left
      }
      if (bits.overrun) return false
      index++
    }
    return this.#macroblocks.skipStuffing(bits, vop) && isStuffing(bits)
  }

  /** A video packet header (§6.2.5.2) where one stands: the macroblock it begins with, `index` where none stands, or -1. */
  #packet(bits: BitReader, vop: VopHeader, index: number): number {
    const zeros = resyncZeros(vop)
    const aligned = 8 - (bits.position % 8)
    const ahead = bits.peek(Math.min(32, aligned + zeros + 1))
    const expected = (2 ** (aligned - 1) - 1) * 2 ** (zeros + 1) + 1
    if (aligned + zeros + 1 > 32 || ahead !== expected) return index
    bits.skip(aligned + zeros + 1)
    const number = bits.bits(32 - Math.clz32(this.#count - 1))
    if (number !== index) return -1
    const quant = bits.bits(this.#layer.quantBits)
    if (quant === 0) return -1
    this.#macroblocks.quant = quant
    if (bits.bit() === 1 && !this.#extension(bits)) return -1
    return index
  }

  /** The plane's header repeated in a packet. */
  #extension(bits: BitReader): boolean {
    while (bits.bit() === 1) if (bits.overrun) return false
    if (bits.bit() === 0) return false
    bits.skip(this.#layer.timeBits)
    if (bits.bit() === 0) return false
    const type = bits.bits(2)
    bits.skip(3)
    if (type === VOP_S && !skipWarping(bits, this.#layer)) return false
    if (type !== VOP_I) bits.skip(3)
    if (type === VOP_B) bits.skip(3)
    return true
  }
}

/** Zeros of a resync marker, §6.3.5.2. */
function resyncZeros(vop: VopHeader): number {
  if (vop.type === VOP_I) return 16
  if (vop.type !== VOP_B) return 15 + vop.forward
  return Math.max(15 + Math.max(vop.forward, vop.backward), 17)
}

/** next_start_code(), §5.2.4: a zero, then ones to the end of the byte. Moves behind them. */
export function isStuffing(bits: BitReader): boolean {
  const left = 8 - (bits.position % 8)
  return bits.bits(left) === 2 ** (left - 1) - 1 && !bits.overrun
}
