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
   * plane in display order left out, for B planes. `visit` is told each macroblock read and the first one of its packet. False
   * when the bits are none.
   */
  read(
    bits: BitReader,
    vop: VopHeader,
    reference: Uint8Array,
    visit?: (macroblock: MacroblockReader, packet: number) => void,
  ): boolean {
    const { skipped } = this
    if (vop.type !== VOP_B) skipped.fill(0)
    this.#macroblocks.start(vop)
    let index = 0
    let packet = 0
    while (index < this.#count) {
      if (this.#layer.resyncMarkers && index > 0) {
        const before = bits.position
        if (!this.#packet(bits, vop, index)) return false
        if (bits.position > before) packet = index
      }
      if (vop.type === VOP_B) {
        if (reference[index] === 0 && !this.#macroblocks.readBidirectional(bits, vop)) return false
      } else {
        const left = this.#macroblocks.readReference(bits, vop)
        if (left < 0) return false
        skipped[index] = left
      }
      if (bits.overrun) return false
      visit?.(this.#macroblocks, packet)
      index++
    }
    return this.#end(bits, vop)
  }

  /**
   * Behind the last macroblock: what fills the last byte, or macroblocks of stuffing before that. A lone zero bit is the end,
   * though it may look like the beginning of stuffing together with whatever follows the plane.
   */
  #end(bits: BitReader, vop: VopHeader): boolean {
    const { position } = bits
    if (isStuffing(bits)) return true
    bits.position = position
    return this.#macroblocks.skipStuffing(bits, vop) && isStuffing(bits)
  }

  /**
   * Reads a video packet header (§6.2.5.2) where one stands; false when it is broken or begins with another macroblock than
   * `index`.
   */
  #packet(bits: BitReader, vop: VopHeader, index: number): boolean {
    const zeros = resyncZeros(vop)
    const aligned = 8 - (bits.position % 8)
    const ahead = bits.peek(Math.min(32, aligned + zeros + 1))
    const expected = (2 ** (aligned - 1) - 1) * 2 ** (zeros + 1) + 1
    if (aligned + zeros + 1 > 32 || ahead !== expected) return true
    bits.skip(aligned + zeros + 1)
    const number = bits.bits(32 - Math.clz32(this.#count - 1))
    if (number !== index) return false
    const quant = bits.bits(this.#layer.quantBits)
    if (quant === 0) return false
    this.#macroblocks.quant = quant
    return bits.bit() === 0 || this.#extension(bits)
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
