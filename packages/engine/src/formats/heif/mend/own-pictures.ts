import type { InBandSequence } from '../../../codecs/av1/configuration.ts'
import type { RepairJob } from '../../format.ts'
import { channelsOf, sequenceOf } from '../read/av1-record.ts'
import { Av1Symbols } from '../read/av1-symbols.ts'
import { HIT } from '../read/hevc-symbols.ts'
import { findAv1Pictures } from './find-av1-pictures.ts'
import type { FromSample } from './found-photo.ts'
import { onePicture } from './made-photo.ts'

/**
 * A photo of one AV1 picture, which brings along how it is coded and how large it is: AV1 Image File Format §2.2. The largest of
 * those found; that it was turned, or had transparency, nothing tells.
 */
export async function fromOwnPictures(job: RepairJob): Promise<FromSample | undefined> {
  const { reader } = job.damaged
  const found = await findAv1Pictures(reader, job.monitor)
  const pictures = found.flatMap((picture) => {
    const sequence = sequenceOf(reader, picture)
    return sequence ? [{ picture, sequence, area: sequence.width * sequence.height }] : []
  })
  // one without colour beside another of its size is that one's transparency
  const rank = ({ sequence }: { readonly sequence: InBandSequence }): number => (isMono(sequence) ? 1 : 0)
  const [largest, second] = pictures.sort((a, b) => b.area - a.area || rank(a) - rank(b))
  // several of the largest size are the tiles of one photo: how they lie, nothing tells
  if (!largest || (second?.area === largest.area && isMono(second.sequence) === isMono(largest.sequence)))
    return undefined
  const { width, height, config } = largest.sequence
  const coding = { codec: 'av01', width, height, config, ...channelsOf(config) } as const
  const made = await onePicture(largest.picture, coding)
  if (!made || !HIT.has(new Av1Symbols(reader).read(largest.picture))) return made
  return { ...made, states: new Map([...made.states.keys()].map((id) => [id, 'hollow'])) }
}

const isMono = ({ config }: InBandSequence): boolean => channelsOf(config).channels === 1
