import type { ByteReader } from '../../bytes/reader.ts'
import type { Region } from '../../bytes/regions.ts'
import { inBandSequences } from '../../codecs/av1/configuration.ts'
import { deduceLayers } from '../../codecs/mpeg4/deduce-layer.ts'
import { type Candidate, clockOf, isSaneRate, usualFact } from './candidates.ts'

/** Different sequence headers tried. */
const MOST_SEQUENCES = 4

/** AV1 tracks whose sequence headers stand in the given stretches. */
export function inBandAv1(reader: ByteReader, regions: readonly Region[]): Candidate[] {
  return inBandSequences(reader, regions)
    .slice(0, MOST_SEQUENCES)
    .map(({ config, width, height }) => ({
      codec: 'av1',
      origin: 'in-band',
      track: {
        kind: 'video',
        ...clockOf(undefined),
        coding: { codec: 'av1', config },
        width,
        height,
      },
    }))
}

/** MPEG-4 visual tracks whose video object layer stands nowhere: worked out from the planes themselves. */
export function deducedPlanes(reader: ByteReader, regions: readonly Region[]): Candidate[] {
  return deduceLayers(reader, regions).map((found) => {
    const { config, width, height, planes, assumed } = found
    const rate = isSaneRate(found.rate) ? found.rate : undefined
    return {
      codec: 'mpeg4',
      origin: 'syntax',
      ...(rate ? { rate } : {}),
      facts: [
        {
          what: `video object layer of MPEG-4, ${width}x${height}`,
          by: `${planes} key ${planes === 1 ? 'picture' : 'pictures'} read to the last bit`,
          estimated: false,
        },
        ...assumed.map((what) => usualFact(what)),
      ],
      track: {
        kind: 'video',
        ...clockOf(rate),
        coding: { codec: 'mpeg4', config },
        width,
        height,
        fromFirstPicture: true,
      },
    }
  })
}
