import type { ByteReader } from '../../bytes/reader.ts'
import type { Region } from '../../bytes/regions.ts'
import { deduceSets } from '../../codecs/h264/deduce-sets.ts'
import { configurationOf as h264Configuration, InBandH264 } from '../../codecs/h264/in-band.ts'
import { type LooseSlice, looseSlices } from '../../codecs/h264/loose-slices.ts'
import { configurationOf as hevcConfiguration, InBandHevc } from '../../codecs/hevc/in-band.ts'
import type { Look } from '../../codecs/nal/look.ts'
import { searchSets } from '../../codecs/nal/set-search.ts'
import { type Candidate, clockOf, isSaneRate, type Rate, usualFact } from './candidates.ts'
import type { Ground } from './trial.ts'

/** Different sequence parameter sets tried. */
const MOST_SETS = 6

/**
 * H.264 and HEVC tracks whose parameter sets stand in the given stretches: in key pictures, or anywhere else a camera or a
 * broken index left them. Each set comes with every length of NAL units that it may go with, the usual one first.
 */
export function inBandPictures(reader: ByteReader, regions: readonly Region[]): Candidate[] {
  const h264 = new InBandH264()
  const hevc = new InBandHevc()
  searchSets(reader, regions, [h264.visitor(), hevc.visitor()])
  const found: Candidate[] = []
  const add = (codec: 'h264' | 'hevc', configuration: Configuration): void => {
    found.push(codedPictures(codec, configuration, 'in-band'))
  }
  // sets that stand there once are believed when nothing better is: chance and other files' indexes offer some
  for (const sets of hevc.sets().slice(0, MOST_SETS))
    for (const size of [4, 2] as const) add('hevc', hevcConfiguration(sets, size))
  for (const sets of h264.sets().slice(0, MOST_SETS))
    for (const size of [4, 2] as const) add('h264', h264Configuration(sets, size))
  return found.filter(isFirstOfItsKind)
}

/** Slices looked at for the syntax of their headers. */
const MOST_SLICES = 300

/**
 * An H.264 track whose parameter sets stand nowhere: worked out from the slices themselves, and proven by reading whole pictures.
 * Takes about a second at worst.
 */
export async function deducedPictures(ground: Ground, regions: readonly Region[]): Promise<Candidate[]> {
  const slices: LooseSlice[] = []
  for (const { offset, length } of regions)
    slices.push(...looseSlices(ground.reader, offset, offset + length, MOST_SLICES - slices.length))
  const found = await deduceSets(ground.reader, slices, () => ground.monitor.pause())
  if (!found) return []
  const { config, width, height, pictures, assumed } = found
  const candidate = codedPictures('h264', { config, width, height, rate: undefined }, 'syntax')
  const facts = [
    {
      what: `parameter sets of H.264, ${width}x${height}`,
      by: `${pictures} key ${pictures === 1 ? 'picture' : 'pictures'} read to the last bit`,
      estimated: false,
    },
    ...assumed.map((what) => usualFact(what)),
  ]
  return [{ ...candidate, facts }]
}

/** What parameter sets say of pictures. */
export interface Configuration {
  readonly config: Uint8Array
  readonly width: number
  readonly height: number
  readonly rate: Rate | undefined
  /** Shape of their samples and their colours, where that is said. */
  readonly look?: Look | undefined
}

/** A candidate for pictures of NAL units with a given configuration record. */
export function codedPictures(
  codec: 'h264' | 'hevc',
  configuration: Configuration,
  origin: Candidate['origin'],
): Candidate {
  const { config, width, height, look } = configuration
  const rate = isSaneRate(configuration.rate) ? configuration.rate : undefined
  return {
    codec,
    origin,
    ...(rate ? { rate } : {}),
    track: {
      kind: 'video',
      ...clockOf(rate),
      coding: { codec, config, look },
      width,
      height,
      fromFirstPicture: true,
    },
  }
}

/** The same sets are found in several framings. */
function isFirstOfItsKind(candidate: Candidate, index: number, all: readonly Candidate[]): boolean {
  const config = candidate.track.coding?.config
  return (
    all.findIndex(({ codec, track }) => codec === candidate.codec && isSame(track.coding?.config, config)) ===
    index
  )
}

function isSame(a: Uint8Array | undefined, b: Uint8Array | undefined): boolean {
  return a !== undefined && a.length === b?.length && a.every((byte, i) => byte === b[i])
}
