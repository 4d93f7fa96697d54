import type { ByteReader } from '../../bytes/reader.ts'
import type { Region } from '../../bytes/regions.ts'
import { codecNamed } from '../../codecs/index.ts'
import { Unit } from '../../codecs/recogniser.ts'
import type { TrackDescription } from '../../model/track.ts'
import { type Candidate, clockOf, isSaneRate, type Rate } from './candidates.ts'
import { PICTURE_SIGHTS, type Sight } from './picture-sights.ts'

const NONE = new Uint8Array(0)
/** Evidence of a first picture, in bits, that makes a codec worth a trial. */
const WORTH = 30
/** Places looked at closer before a codec is given up. */
const MOST_LOOKS = 2000

/** Codecs that are looked for, those whose marks chance has the least first. */
const LOOKED_FOR = [
  ...(['prores', 'mjpeg', 'dv', 'dnxhd', 'aic'] as const),
  ...(['mpeg2video', 'mpeg4', 'h263', 'vp9', 'vp8'] as const),
]

/** Rates at which players show bare pictures of a codec, which a repair must not make worse. */
const BARE_RATES: Readonly<Record<string, Rate>> = { mjpeg: { num: 25, den: 1 } }

/**
 * Picture tracks whose pictures carry all that a description needs, of one codec when that is given. Looks at each codec's first
 * certain picture.
 */
export function selfDescribing(reader: ByteReader, regions: readonly Region[], only?: string): Candidate[] {
  const found: Candidate[] = []
  for (const codec of LOOKED_FOR) {
    if (only !== undefined && codec !== only) continue
    const sight = firstSight(reader, regions, codec)
    if (!sight) continue
    const { variant, width, height, config = NONE, rate } = sight
    const sane = isSaneRate(rate) ? rate : undefined
    found.push({
      codec,
      origin: 'syntax',
      ...(sane ? { rate: sane } : {}),
      track: {
        kind: 'video',
        ...clockOf(sane ?? BARE_RATES[codec]),
        coding: { codec, config, ...(variant ? { variant } : {}) },
        width,
        height,
      },
    })
  }
  return found
}

function firstSight(
  reader: ByteReader,
  regions: readonly Region[],
  codec: (typeof LOOKED_FOR)[number],
): Sight | undefined {
  const recogniser = codecNamed(codec)?.recogniser(nameless(codec))
  if (!recogniser) return undefined
  const unit = new Unit()
  let looks = 0
  for (const region of regions) {
    const end = region.offset + region.length
    let at = recogniser.search(reader, region.offset, end)
    while (at < end && looks++ < MOST_LOOKS) {
      if (recogniser.recognise(reader, at, end, unit) && unit.evidence >= WORTH && unit.key) {
        const sight = PICTURE_SIGHTS[codec](reader, at, unit.length)
        if (sight) return sight
      }
      at = recogniser.search(reader, at + 1, end)
    }
  }
  return undefined
}

function nameless(codec: string): TrackDescription {
  return { id: 1, kind: 'video', codec, timescale: 90_000, config: NONE, framing: 'raw' }
}
