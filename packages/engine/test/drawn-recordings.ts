import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { SampleTable } from '../src/model/sample-table.ts'
import { noise, randomFrom } from '../testing/hostile-sources.ts'
import { movieOf } from './formats/isobmff/support/engine.ts'

/*
 * Stored recordings whose payload is damaged by lot. What becomes of them is held by checksums: whoever changes that on purpose
 * lets the test runner write the new ones (`--update=all`); that it is right is the matter of other tests.
 */

const PLACES = [
  ...['h264-aac.mp4', 'h264-two-aac.mov', 'h264-opus.mp4', 'h264-pcm.mov', 'hevc-aac.mp4'],
  ...['mjpeg-pcm.mov', 'mpeg4-aac.mp4', 'prores-pcm.mov'],
].map((name) => `./formats/isobmff/fixtures/${name}`)
const OTHERS = ['3gp-mpeg4-amr.3gp', 'h264-two-aac.mp4'].map((name) => `../testing/fixtures/isobmff/${name}`)

export const FILMS: readonly URL[] = [...PLACES, ...OTHERS].map((place) => new URL(place, import.meta.url))
const DAMAGES = 12

/** A recording, its tracks, and its payload as it becomes. */
export async function drawnOf(file: URL) {
  const whole = new Uint8Array(readFileSync(file))
  const { tracks } = await movieOf(whole)
  const starts = tracks.map(({ samples }) => samples.offset[0])
  const ends = tracks.map(({ samples: { offset, size, length } }) => offset[length - 1] + size[length - 1])
  const [from, end] = [Math.min(...starts), Math.max(...ends)]
  const payloads = Array.from({ length: DAMAGES }, (_, i) =>
    damaged(whole.subarray(from, end), i * 31 + whole.length),
  )
  return { name: file.pathname.split('/').at(-1), whole, tracks, from, end, payloads }
}

/** Some stretches zeroed, overwritten, left out or put in, or bits turned. */
function damaged(payload: Uint8Array, seed: number): Uint8Array {
  const next = randomFrom(seed)
  let bytes = payload.slice()
  for (let hit = 0; hit <= seed % 3; hit++) {
    const at = Math.floor(next() * bytes.length)
    const length = Math.min(bytes.length - at, Math.floor(next() ** 3 * bytes.length * 0.3) + 1)
    const kind = Math.floor(next() * 5)
    if (kind === 0) bytes.fill(0, at, at + length)
    else if (kind === 1) bytes.set(noise(length, seed), at)
    else if (kind === 2) bytes[at] ^= 1 << (seed & 7)
    else {
      const isGone = kind === 3
      const piece = isGone ? new Uint8Array(0) : noise(Math.min(length, 3000), seed)
      const rest = bytes.subarray(at + (isGone ? length : 0))
      bytes = new Uint8Array(Buffer.concat([bytes.subarray(0, at), piece, rest]))
    }
  }
  return bytes
}

/** All that a table holds. */
export function columnsOf({ offset, size, count, dts, cts, flags, length }: SampleTable): unknown {
  return [offset, size, count, dts, cts, flags].map((column) => [...column.subarray(0, length)])
}

export function checksum(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 8)
}
