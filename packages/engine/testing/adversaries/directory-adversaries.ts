import { noise } from '../hostile-sources.ts'
import type { Adversary } from './adversary.ts'
import { joined, repeated, text, words } from './bytes.ts'
import { fixtureBytes } from './fixture-bytes.ts'

/** 32-bit numbers, little-endian. */
const little = (...values: readonly number[]): Uint8Array => {
  const bytes = new Uint8Array(values.length * 4)
  const view = new DataView(bytes.buffer)
  for (const [i, value] of values.entries()) view.setUint32(i * 4, value, true)
  return bytes
}

const photo = (
  extension: string,
  name: string,
  make: (bytes: number) => Uint8Array,
  megapixels = 0,
): Adversary => ({
  name: `${extension}: ${name}`,
  make: (bytes) => ({ damaged: make(bytes), extension, megapixels }),
})

/** A bitmap of runs of 8 bits a pixel, with a palette of black and white. */
function runLengths(side: number, runs: Uint8Array): Uint8Array {
  const data = 14 + 40 + 8
  const head = joined([text('BM'), little(data + runs.length, 0, data, 40, side, side)])
  const form = joined([Uint8Array.of(1, 0, 8, 0), little(1, runs.length, 0, 0, 2, 2), little(0, 0xffffff)])
  return joined([head, form, runs])
}

/** A picture of GIF of so many pixels a side whose codes are in sub-blocks of 255 bytes. */
function gifOf(side: number, codes: (bytes: number) => Uint8Array, bytes: number): Uint8Array {
  const two = [side & 255, side >> 8, side & 255, side >> 8]
  const block = joined([Uint8Array.of(255), codes(255)])
  return joined([
    joined([text('GIF89a'), Uint8Array.of(...two, 0x80, 0, 0, 0, 0, 0, 255, 255, 255)]),
    Uint8Array.of(0x2c, 0, 0, 0, 0, ...two, 0, 2),
    repeated(block, bytes - (bytes % block.length)),
    Uint8Array.of(0, 0x3b),
  ])
}

/** Directories that lead from each to the next, and the last to nothing. */
function chained(bytes: number): Uint8Array {
  const length = 2 + 12 + 4
  const whole = repeated(
    Uint8Array.of(1, 0, 0, 1, 4, 0, 1, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0, 0),
    bytes - (bytes % length),
  )
  const view = new DataView(whole.buffer)
  for (let at = 0; at + 2 * length <= whole.length; at += length)
    view.setUint32(at + 14, at + 8 + length, true)
  return joined([Uint8Array.of(0x49, 0x49, 0x2a, 0, 8, 0, 0, 0), whole])
}

/** The directory of an AVI film told anew, of as many bytes as there are to be, none of which means anything. */
function junkIndex(bytes: number): Uint8Array {
  const film = fixtureBytes('avi')
  const at = Buffer.from(film).lastIndexOf('idx1')
  const size = bytes & ~15
  return joined([film.subarray(0, at), text('idx1'), little(size), noise(size, 6)])
}

/** Directories and runs of more entries than any file has. */
export const DIRECTORY_ADVERSARIES: readonly Adversary[] = [
  photo('tif', 'directories in a chain', chained),
  photo('bmp', 'runs of a pixel', (bytes) => runLengths(4_000, repeated(Uint8Array.of(1, 0), bytes)), 16),
  photo('bmp', 'ends of rows alone', (bytes) => runLengths(4_000, repeated(Uint8Array.of(0, 0), bytes)), 16),
  photo(
    'bmp',
    'jumps to where they stand',
    (bytes) => runLengths(4_000, repeated(Uint8Array.of(0, 2, 0, 0), bytes)),
    16,
  ),
  photo(
    'gif',
    'codes that clear and nothing else',
    (bytes) => gifOf(4_000, (count) => repeated(Uint8Array.of(0x24, 0x49, 0x92), count), bytes),
    16,
  ),
  photo('gif', 'codes without sense', (bytes) => gifOf(4_000, (count) => noise(count, 3), bytes), 16),
  photo('mrw', 'blocks of nothing', (bytes) =>
    joined([
      words([0x004d524d, bytes]),
      repeated(joined([Uint8Array.of(0), text('TTW'), words([0])]), bytes),
    ]),
  ),
  photo('raf', 'records of nothing', (bytes) =>
    joined([
      text('FUJIFILMCCD-RAW 0201FF129502'),
      new Uint8Array(56),
      words([200, 1000, 200, bytes, 200, bytes]),
      repeated(joined([words([255]), repeated(Uint8Array.of(1, 0x11, 0, 0), 1020)]), bytes),
    ]),
  ),
  photo('x3f', 'signs of sections', (bytes) =>
    joined([
      text('FOVb'),
      little(0x20002),
      new Uint8Array(32),
      repeated(joined([text('SECi'), little(0x20000, 1, 1)]), bytes),
    ]),
  ),
  photo(
    'x3f',
    'directories of all of it',
    (bytes) => {
      const body = repeated(joined([text('SECi'), little(0x20000, 3, 6, 4_000, 4_000, 0)]), bytes)
      const entry = joined([little(40, body.length), text('IMA2')])
      const front = joined([text('FOVb'), little(0x20002), new Uint8Array(32)])
      const directory = joined([text('SECd'), little(0x20000, 256), repeated(entry, 256 * 12)])
      return joined([front, body, directory, little(front.length + body.length)])
    },
    16,
  ),
  { name: 'avi: an index of junk', make: (bytes) => ({ damaged: junkIndex(bytes), extension: 'avi' }) },
]
