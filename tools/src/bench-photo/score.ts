import { type PhotoCoefficients, readPhoto } from '@mendframe/engine/testing'
import sharp from 'sharp'

/** Levels up to which a block counts as right, by the mean of its differences. */
const NEAR = 2
const BLOCK = 8
const COEFFICIENTS = 64

/** A photo's pixels as a decoder shows them. */
export interface Pixels {
  readonly width: number
  readonly height: number
  readonly channels: number
  readonly data: Uint8Array
}

/** Decodes as forgivingly as the library can; undefined when it refuses. */
export async function decode(photo: Uint8Array): Promise<Pixels | undefined> {
  try {
    const image = sharp(photo, { failOn: 'none', unlimited: true, limitInputPixels: false })
    const { data, info } = await image.raw().toBuffer({ resolveWithObject: true })
    return { width: info.width, height: info.height, channels: info.channels, data }
  } catch {
    // a refusal is the library's result, and scored as nothing right
    return undefined
  }
}

/** Mean difference of all samples, in levels; undefined where sizes differ. */
export function meanDifference(original: Pixels, other: Pixels | undefined): number | undefined {
  if (other?.data.length !== original.data.length || other.width !== original.width) return undefined
  let sum = 0
  for (let i = 0; i < original.data.length; i++)
    sum += Math.abs((original.data[i] ?? 0) - (other.data[i] ?? 0))
  return sum / original.data.length
}

/** The part of surviving blocks of 8 by 8 pixels that are within two levels of the original. */
export function nearPixels(
  original: Pixels,
  other: Pixels | undefined,
  surviving: Uint8Array,
  { layout }: PhotoCoefficients,
): number {
  let counted = 0
  let near = 0
  const same =
    other &&
    other.width === original.width &&
    other.height === original.height &&
    other.channels === original.channels
  const { width, height, channels } = original
  for (let y = 0; y + BLOCK <= height; y += BLOCK) {
    for (let x = 0; x + BLOCK <= width; x += BLOCK) {
      const mcu = Math.floor(y / layout.mcuPixelsHigh) * layout.mcuWide + Math.floor(x / layout.mcuPixelsWide)
      if (surviving[mcu] === 0) continue
      counted++
      if (!same) continue
      let sum = 0
      for (let row = y; row < y + BLOCK; row++) {
        const from = (row * width + x) * channels
        for (let i = from; i < from + BLOCK * channels; i++) {
          sum += Math.abs((original.data[i] ?? 0) - (other.data[i] ?? 0))
        }
      }
      if (sum <= NEAR * BLOCK * BLOCK * channels) near++
    }
  }
  return counted === 0 ? 1 : near / counted
}

/** The parts of surviving coded blocks with every AC coefficient exact, and of those with DC within two levels besides. */
export function exactBlocks(
  original: PhotoCoefficients,
  repaired: Uint8Array,
  surviving: Uint8Array,
): { readonly exact: number; readonly near: number } {
  const own = readPhoto(repaired)
  const { layout, coefficients, quantisation } = original
  let counted = 0
  let exact = 0
  let near = 0
  const comparable =
    own && own.layout.mcuCount === layout.mcuCount && own.layout.blocksPerMcu === layout.blocksPerMcu
  for (let mcu = 0; mcu < layout.mcuCount; mcu++) {
    if (surviving[mcu] === 0) continue
    counted += layout.blocksPerMcu
    if (!comparable) continue
    for (let block = 0; block < layout.blocksPerMcu; block++) {
      const at = mcu * layout.mcuLength + block * COEFFICIENTS
      if (!sameDetail(coefficients, own.coefficients, at)) continue
      exact++
      const step = quantisation[layout.componentOf[block] ?? 0]?.[0] ?? 1
      const off = Math.abs((coefficients[at] ?? 0) - (own.coefficients[at] ?? 0)) * step
      if (off <= NEAR * BLOCK) near++
    }
  }
  return counted === 0 ? { exact: 1, near: 1 } : { exact: exact / counted, near: near / counted }
}

function sameDetail(a: Int16Array, b: Int16Array, at: number): boolean {
  for (let i = at + 1; i < at + COEFFICIENTS; i++) if (a[i] !== b[i]) return false
  return true
}
