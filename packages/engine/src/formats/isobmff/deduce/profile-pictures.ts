import { buildHvcC, parseHvcC } from '../../../codecs/hevc/hvcc.ts'
import { proveSize } from '../../../codecs/hevc/prove-size.ts'
import { parseSps } from '../../../codecs/hevc/sps.ts'
import { resizeSps } from '../../../codecs/hevc/write-sets.ts'
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
    const size = proveSize(ground.reader, keys, config)
    await ground.monitor.pause()
    if (!size || size.pictures <= most) continue
    const set = parseSps(resizeSps(config.sps[0], size))
    if (!set) continue
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
