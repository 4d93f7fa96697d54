import { BitReader } from '../../bytes/bit-reader.ts'
import { PlaneReader } from './plane-data.ts'
import type { VideoObjectLayer } from './video-object-layer.ts'
import { emptyVop, readVopHeader } from './vop-header.ts'

/** Width and height in samples. */
type Size = readonly [width: number, height: number]

/**
 * Mean of samples of 8 bits as an inverse transform takes it: what unknown neighbours count as, ISO/IEC 14496-2:2004 §7.4.3.1.
 */
const GREY = 1024
/** Largest DC coefficient of intra blocks, §7.4.4.6. */
const WHITE = 2047

/** What an intra plane says of its brightness, macroblock by macroblock in coding order. */
interface Shades {
  /** Differential DC coefficients of four luminance blocks each. */
  readonly differences: readonly number[]
  /** dc_scaler of each. */
  readonly scalers: readonly number[]
  /** The first macroblock of the video packet of each. */
  readonly packets: readonly number[]
}

/**
 * Of sizes with one number of macroblocks the one in which intra planes look like pictures: the syntax is that of any, but
 * brightness is predicted from the row above, and leaves its range where that is not the right one. The first of `sizes` where
 * planes do not tell.
 */
export function likeliestSize(
  planes: readonly Uint8Array[],
  layer: VideoObjectLayer,
  sizes: readonly Size[],
): Size {
  const read = planes.flatMap((bytes) => shadesOf(bytes, layer) ?? [])
  const [first] = sizes
  if (read.length === 0) return first
  const scored = sizes.map((size) => ({
    size,
    roughness: read.reduce((sum, shades) => sum + roughness(shades, Math.ceil(size[0] / 16)), 0),
  }))
  return scored.reduce((best, other) => (other.roughness < best.roughness ? other : best)).size
}

function shadesOf(bytes: Uint8Array, layer: VideoObjectLayer): Shades | undefined {
  const bits = new BitReader(bytes)
  const vop = emptyVop()
  if (!readVopHeader(bits, layer, vop) || !vop.coded) return undefined
  const shades = { differences: [] as number[], scalers: [] as number[], packets: [] as number[] }
  const reader = new PlaneReader(layer)
  const whole = reader.read(bits, vop, new Uint8Array(0), ({ dc, quant }, packet) => {
    for (let block = 0; block < 4; block++) shades.differences.push(dc[block])
    shades.scalers.push(scalerOf(quant))
    shades.packets.push(packet)
  })
  return whole ? shades : undefined
}

/** dc_scaler of luminance, Table 7-1. */
function scalerOf(quant: number): number {
  if (quant <= 4) return 8
  if (quant <= 8) return 2 * quant
  return quant <= 24 ? quant + 8 : 2 * quant - 16
}

/** How far blocks are from those above them and from what brightness there is, in a picture so many macroblocks wide. */
function roughness({ differences, scalers, packets }: Shades, width: number): number {
  const stride = 2 * width
  const shade = new Int32Array(4 * scalers.length)
  let sum = 0
  for (let macroblock = 0; macroblock < scalers.length; macroblock++) {
    const column = macroblock % width
    const first = packets[macroblock]
    /** Whether the macroblock so far before this one is of its packet, and beside or above it. */
    const has = (before: number): boolean => macroblock - before >= first
    const left = column > 0 && has(1)
    const above = has(width)
    const corner = column > 0 && has(width + 1)
    const scaler = scalers[macroblock]
    for (let block = 0; block < 4; block++) {
      const x = block & 1
      const y = block >> 1
      const at = (2 * Math.floor(macroblock / width) + y) * stride + 2 * column + x
      const a = x > 0 || left ? shade[at - 1] : GREY
      const c = y > 0 || above ? shade[at - stride] : GREY
      const knowsCorner = x > 0 ? y > 0 || above : y > 0 ? left : corner
      const b = knowsCorner ? shade[at - stride - 1] : GREY
      const predicted = Math.abs(a - b) < Math.abs(b - c) ? c : a
      const value = (differences[4 * macroblock + block] + Math.round(predicted / scaler)) * scaler
      shade[at] = Math.max(-WHITE, Math.min(2 * WHITE, value))
      if (value < -scaler || value > WHITE + scaler) sum += WHITE
      else if (y > 0 || macroblock >= width) sum += Math.abs(value - shade[at - stride])
    }
  }
  return sum / scalers.length
}
