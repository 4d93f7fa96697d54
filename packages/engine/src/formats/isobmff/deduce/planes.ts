import type { ByteReader } from '../../../bytes/reader.ts'
import type { Region } from '../../../bytes/regions.ts'
import { inBandSequences } from '../../../codecs/av1/configuration.ts'
import { deduceLayers } from '../../../codecs/mpeg4/deduce-layer.ts'
import { type Candidate, clockOf, isSaneRate, usualFact } from './candidates.ts'
import { FROM_FIRST_PICTURE } from './draft.ts'
import { elementaryStream, pictureEntry } from './sample-entries.ts'

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
        handler: 'vide',
        ...clockOf(undefined),
        entry: pictureEntry({ format: 'av01', width, height, boxes: [['av1C', config]] }),
        width,
        height,
      },
    }))
}

/** objectTypeIndication and stream type of MPEG-4 visual, ISO/IEC 14496-1:2010 Tables 5 and 6. */
const VISUAL_OBJECT_TYPE = 0x20
const VISUAL_STREAM = 4

/** MPEG-4 visual tracks whose video object layer stands nowhere: worked out from the planes themselves. */
export function deducedPlanes(reader: ByteReader, regions: readonly Region[]): Candidate[] {
  return deduceLayers(reader, regions).map((found) => {
    const { config, width, height, planes, assumed } = found
    const rate = isSaneRate(found.rate) ? found.rate : undefined
    const boxes = [['esds', elementaryStream(VISUAL_OBJECT_TYPE, VISUAL_STREAM, config)]] as const
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
        handler: 'vide',
        ...clockOf(rate),
        entry: pictureEntry({ format: 'mp4v', width, height, boxes }),
        width,
        height,
        edits: FROM_FIRST_PICTURE,
      },
    }
  })
}
