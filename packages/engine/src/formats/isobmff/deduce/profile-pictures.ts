import type { ByteReader } from '../../../bytes/reader.ts'
import { BIT_DEPTHS, toldDepth } from '../../../codecs/hevc/bit-depth.ts'
import { buildHvcC, type HevcConfig, parseHvcC } from '../../../codecs/hevc/hvcc.ts'
import type { UnitPlace } from '../../../codecs/hevc/key-pictures.ts'
import { type ProvenSize, proveSize } from '../../../codecs/hevc/prove-size.ts'
import { parseSps, type Sps } from '../../../codecs/hevc/sps.ts'
import { resizeSps, withDepth } from '../../../codecs/hevc/write-sets.ts'
import { SAMPLE_KEY } from '../../../model/sample-table.ts'
import type { CameraProfile } from '../profiles/profile.ts'
import type { Region } from '../regions.ts'
import type { Candidate } from './candidates.ts'
import { codedPictures } from './pictures.ts'
import { pictureTrack } from './profile-fit.ts'
import { sweep } from './sweep.ts'
import type { Ground } from './trial.ts'

/** Pictures found by a camera's configuration before its key pictures are read. */
const FEWEST_PICTURES = 3

/**
 * HEVC pictures whose parameter sets stand nowhere: the configuration of a known camera with which they read, in the size with which
 * whole key pictures read to the last bit; the one with which most do, as sets of another bit depth read some.
 */
export async function profilePictures(
  ground: Ground,
  near: readonly Region[],
  library: readonly CameraProfile[],
): Promise<{ readonly candidate: Candidate; readonly profile: CameraProfile } | undefined> {
  const tried = new Set<string>()
  let best: { readonly candidate: Candidate; readonly profile: CameraProfile } | undefined
  let most = 0
  for (const profile of library) {
    const track = pictureTrack(profile)
    if (track?.description.codec !== 'hevc') continue
    const { config: record } = track.description
    const config = parseHvcC(record)
    if (!config?.sps[0] || tried.has(record.join())) continue
    tried.add(record.join())
    const own = codedPictures('hevc', { config: record, width: 0, height: 0, rate: undefined }, 'profile')
    const found = await sweep(ground, near, own.track)
    if (!found || found.table.length < FEWEST_PICTURES) continue
    const { table } = found
    const keys = Array.from({ length: table.length }, (_, row) => row)
      .filter((row) => (table.flags[row] & SAMPLE_KEY) !== 0)
      .map((row) => ({ offset: table.offset[row], length: table.size[row] }))
    const proven = firstProven(ground.reader, keys, config)
    await ground.monitor.pause()
    if (!proven || proven.size.pictures <= most) continue
    const { size, set } = proven
    const { width, height } = size
    const candidate = codedPictures(
      'hevc',
      { config: buildHvcC(config.vps, [set], config.pps, config.lengthSize), width, height, rate: undefined },
      'profile',
    )
    const facts = [
      {
        what: `parameter sets of HEVC, ${width}x${height}`,
        by: `the encoder of ${profile.name}, key pictures read to the last bit`,
        estimated: false,
      },
      { what: 'what key pictures do not show', by: `the encoder of ${profile.name}`, estimated: true },
    ]
    best = { candidate: { ...candidate, facts }, profile }
    most = size.pictures
    if (size.all) break
  }
  return best
}

/**
 * The size that key pictures prove with the record's sets as they are, else with samples of another depth, and the sequence parameter set
 * for it, of the depth that the pictures tell.
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
