import type { Region } from '../../bytes/regions.ts'
import type { LooseSlice } from '../../codecs/h264/loose-slices.ts'
import { Allowance } from '../../model/allowance.ts'
import type { CameraProfile } from '../cameras/camera-profile.ts'
import type { Candidate } from './candidates.ts'
import { codedPictures } from './pictures.ts'
import { pictureTrack } from './profile-fit.ts'
import { resizedAvc, slicesOf } from './resized-avc.ts'
import { resizedHevc } from './resized-hevc.ts'
import type { Ground } from './trial.ts'

/** Places that look like HEVC pictures, over all records: in megabytes of other bytes there are some thousands. */
const LOOKS = 300_000

/** How the codecs are called whose records are fitted. */
const FITTED = { h264: 'H.264', hevc: 'HEVC' }

/**
 * H.264 and HEVC pictures whose parameter sets stand nowhere: the configuration of a known camera in the size with which whole
 * key pictures read to the last bit; the one with which most do.
 */
export async function profilePictures(
  ground: Ground,
  near: readonly Region[],
  library: readonly CameraProfile[],
): Promise<{ readonly candidate: Candidate; readonly profile: CameraProfile } | undefined> {
  const tried = new Set<string>()
  let best: { readonly candidate: Candidate; readonly profile: CameraProfile } | undefined
  let most = 0
  let slices: readonly LooseSlice[] | undefined
  const looks = new Allowance(LOOKS)
  for (const profile of library) {
    const { codec, config: record } = pictureTrack(ground.family, profile) ?? {}
    if ((codec !== 'h264' && codec !== 'hevc') || !record || tried.has(record.join())) continue
    tried.add(record.join())
    if (codec === 'h264') slices ??= slicesOf(ground.reader, near)
    const resized =
      slices && codec === 'h264'
        ? resizedAvc(ground.reader, slices, record)
        : await resizedHevc(ground, near, record, looks)
    await ground.monitor.pause()
    if (!resized || resized.pictures <= most) continue
    const { config, width, height } = resized
    const candidate = codedPictures(codec, { config, width, height, rate: undefined }, 'profile')
    const facts = [
      {
        what: `parameter sets of ${FITTED[codec]}, ${width}x${height}`,
        by: `the encoder of ${profile.name}, key pictures read to the last bit`,
        estimated: false,
      },
      { what: 'what key pictures do not show', by: `the encoder of ${profile.name}`, estimated: true },
    ]
    best = { candidate: { ...candidate, facts }, profile }
    most = resized.pictures
    if (resized.all) break
  }
  return best
}
