import type { ByteReader } from '../../bytes/reader.ts'
import type { Region } from '../../bytes/regions.ts'
import { BIT_DEPTHS, toldDepth } from '../../codecs/hevc/bit-depth.ts'
import { buildHvcC, type HevcConfig, parseHvcC } from '../../codecs/hevc/hvcc.ts'
import type { UnitPlace } from '../../codecs/hevc/key-pictures.ts'
import { type ProvenSize, proveSize } from '../../codecs/hevc/prove-size.ts'
import { parseSps, type Sps } from '../../codecs/hevc/sps.ts'
import { resizeSps, withDepth } from '../../codecs/hevc/write-sets.ts'
import type { Allowance } from '../../model/allowance.ts'
import { SAMPLE_KEY } from '../../model/sample-table.ts'
import { codedPictures } from './pictures.ts'
import type { ResizedSets } from './resized-sets.ts'
import { sweep } from './sweep.ts'
import type { Ground } from './trial.ts'

/** Pictures found by a configuration before its key pictures are read. */
const FEWEST_PICTURES = 3

/**
 * An `hvcC` record in the size, and of the bit depth, with which key pictures of the payload read to the last bit; `looks` bounds
 * the places looked at.
 */
export async function resizedHevc(
  ground: Ground,
  near: readonly Region[],
  record: Uint8Array,
  looks: Allowance,
): Promise<ResizedSets | undefined> {
  const config = parseHvcC(record)
  if (!config?.sps[0]) return undefined
  const own = codedPictures('hevc', { config: record, width: 0, height: 0, rate: undefined }, 'profile')
  const found = await sweep(ground, near, own.track, looks)
  if (!found || found.table.length < FEWEST_PICTURES) return undefined
  const { table } = found
  const keys = Array.from({ length: table.length }, (_, row) => row)
    .filter((row) => (table.flags[row] & SAMPLE_KEY) !== 0)
    .map((row) => ({ offset: table.offset[row], length: table.size[row] }))
  const proven = firstProven(ground.reader, keys, config)
  if (!proven) return undefined
  const { width, height, pictures, all } = proven.size
  return {
    config: buildHvcC(config.vps, [proven.set], config.pps, config.lengthSize),
    ...{ width, height, pictures, all },
  }
}

/**
 * The size that key pictures prove with the record's sets as they are, else with samples of another depth, and the sequence
 * parameter set for it, of the depth that the pictures tell.
 */
function firstProven(
  reader: ByteReader,
  keys: readonly UnitPlace[],
  config: HevcConfig,
): { readonly size: ProvenSize; readonly set: Sps } | undefined {
  const [own] = config.sps
  if (!own) return undefined
  const others = BIT_DEPTHS.filter((depth) => depth !== own.bitDepthLuma)
  for (const bytes of [own.bytes, ...others.map((depth) => withDepth(own, depth))]) {
    const sps = parseSps(bytes)
    const size = sps && proveSize(reader, keys, { ...config, sps: [sps] })
    const set = size && parseSps(resizeSps(sps, size))
    if (!set) continue
    const depth = toldDepth(reader, keys, { ...config, sps: [set] })
    const right = depth === undefined || depth === set.bitDepthLuma ? set : parseSps(withDepth(set, depth))
    return right && { size, set: right }
  }
  return undefined
}
