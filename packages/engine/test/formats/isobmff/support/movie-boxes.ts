import type { MovieTrack } from '../../../../src/formats/isobmff/read/movie.ts'
import { type Box, bodyOf, readChildren } from '../../../../src/syntax/iso-boxes/box.ts'
import { readerOf } from './engine.ts'

export const CONTAINERS: ReadonlySet<string> = new Set(['trak', 'edts', 'mdia', 'minf', 'dinf', 'stbl'])

/** All boxes of the movie box of a file, with the path to each. */
export function movieBoxes(bytes: Uint8Array): { path: string; box: Box }[] {
  const reader = readerOf(bytes)
  const moov = readChildren(reader, 0, bytes.length).boxes.find(({ type }) => type === 'moov')
  if (!moov) throw new Error('no movie box')
  const list: { path: string; box: Box }[] = []
  const walk = (parent: Box, path: string): void => {
    for (const box of readChildren(reader, bodyOf(parent), parent.end).boxes) {
      list.push({ path: `${path}/${box.type}`, box })
      if (CONTAINERS.has(box.type)) walk(box, `${path}/${box.type}`)
    }
  }
  walk(moov, 'moov')
  return list
}

export function flipped(bytes: Uint8Array, at: number, bit: number): Uint8Array {
  const damaged = bytes.slice()
  damaged[at] ^= 1 << bit
  return damaged
}

/** Where each sample lies. */
export function places({ samples }: MovieTrack): readonly string[] {
  return Array.from({ length: samples.length }, (_, row) => `${samples.offset[row]}+${samples.size[row]}`)
}

/** When each sample is decoded and shown, in ticks. */
export function times({ samples, mediaHeader }: MovieTrack): readonly string[] {
  return Array.from(
    { length: samples.length },
    (_, row) => `${samples.dts[row]}/${samples.cts[row]}/${mediaHeader.timescale}`,
  )
}

/** Gives boxes of a recording's movie other contents; `path` ends as in `movieBoxes`. */
export function rewritten(
  bytes: Uint8Array,
  changes: readonly (readonly [path: string, change: (view: DataView, track: number) => void])[],
): Uint8Array {
  const result = bytes.slice()
  for (const [path, change] of changes) {
    for (const [track, { box }] of movieBoxes(bytes)
      .filter((entry) => entry.path === path)
      .entries())
      change(new DataView(result.buffer, bodyOf(box), box.size - 8), track)
  }
  return result
}

export function scalesOf(movie: { readonly tracks: readonly MovieTrack[] }): readonly number[] {
  return movie.tracks.map(({ mediaHeader }) => mediaHeader.timescale)
}

/** A recording of which the first fifth is cut away by its edit lists alone. */
export function trimmed(bytes: Uint8Array, scales: readonly number[]): Uint8Array {
  const shorter = (view: DataView, at: number): void => view.setUint32(at, view.getUint32(at) * 0.8)
  return rewritten(bytes, [
    ['moov/mvhd', (view) => shorter(view, 16)],
    ['moov/trak/tkhd', (view) => shorter(view, 20)],
    [
      'moov/trak/edts/elst',
      (view, track) => {
        shorter(view, 8)
        view.setUint32(12, view.getUint32(12) + scales[track] * 0.4)
      },
    ],
  ])
}
