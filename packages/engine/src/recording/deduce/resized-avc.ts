import type { ByteReader } from '../../bytes/reader.ts'
import type { Region } from '../../bytes/regions.ts'
import { buildAvcC, parseAvcC } from '../../codecs/h264/avcc.ts'
import { type LooseSlice, looseSlices } from '../../codecs/h264/loose-slices.ts'
import { headersContradict, proveSize, vainMacroblocks } from '../../codecs/h264/prove-sets.ts'
import { parseSps } from '../../codecs/h264/sps.ts'
import { resizeSps } from '../../codecs/h264/write-sets.ts'
import { visibleSize } from '../../codecs/picture-sizes.ts'
import type { ResizedSets } from './resized-sets.ts'

/** Slices looked at. */
const MOST_SLICES = 120
/** Luma samples of a macroblock's side. */
const MACROBLOCK = 16

/** The slices of the payload that `resizedAvc` goes by: they are the same whatever the record. */
export function slicesOf(reader: ByteReader, near: readonly Region[]): LooseSlice[] {
  const slices: LooseSlice[] = []
  for (const { offset, length } of near)
    slices.push(...looseSlices(reader, offset, offset + length, MOST_SLICES - slices.length))
  return slices
}

/** An `avcC` record in the size with which key pictures of the payload read to the last bit. */
export function resizedAvc(
  reader: ByteReader,
  slices: readonly LooseSlice[],
  record: Uint8Array,
): ResizedSets | undefined {
  const config = parseAvcC(record)
  const [sps] = config?.sps ?? []
  const [pps] = config?.pps ?? []
  if (!config || !sps || !pps) return undefined
  if (headersContradict(reader, slices, config)) return undefined
  const proven = proveSize(reader, slices, sps, pps, vainMacroblocks(reader))
  if (!proven) return undefined
  const { widthInMbs, heightInMbs, pictures } = proven
  const rows = sps.frameMbsOnly ? MACROBLOCK : 2 * MACROBLOCK
  const shown = visibleSize(widthInMbs * MACROBLOCK, heightInMbs * MACROBLOCK, MACROBLOCK, rows)
  const set = parseSps(resizeSps(sps, { widthInMbs, heightInMbs, ...shown }))
  return set && { config: buildAvcC([set], config.pps, config.lengthSize), ...shown, pictures, all: true }
}
