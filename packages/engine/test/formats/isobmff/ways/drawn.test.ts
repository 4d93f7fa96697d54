import { expect, it } from 'vitest'
import { crc32 } from '../../../../src/bytes/crc32.ts'
import { randomNumbers } from '../../../../src/bytes/damage.ts'
import type { Finding } from '../../../../src/model/finding.ts'
import { repaired } from '../support/engine.ts'
import { type FixtureName, fixture } from '../support/fixtures.ts'
import { hurt } from '../support/hurt.ts'

/*
 * Recordings hit by lot in their index, their payload or both, repaired beside no sample, one of the same camera, or another. What becomes of
 * each is held: whoever changes that on purpose lets the test runner write it anew (`--update=all`); that it is right is the matter of others.
 */

/** A film, and what may stand beside it: the same camera's, one of other settings, and one of another kind. */
const FILMS: readonly (readonly [FixtureName, readonly (FixtureName | undefined)[]])[] = [
  ['h264-aac.mp4', [undefined, 'h264-aac-twin.mp4', 'h264-mono.mp4', 'hevc-aac.mp4']],
  ['h264-two-aac.mov', [undefined, 'h264-two-aac.mov', 'h264-aac.mp4', 'h264-pcm.mov']],
  ['h264-pcm.mov', [undefined, 'h264-pcm.mov', 'prores-pcm.mov', 'h264-aac.mp4']],
  ['h264-aac-fragmented.mp4', [undefined, 'h264-aac.mp4', 'h264-mono.mp4', 'h264-two-aac.mov']],
  ['hevc-aac.mp4', [undefined, 'hevc-aac.mp4', 'h264-aac.mp4', 'h264-mono.mp4']],
  ['mpeg4-aac.mp4', [undefined, 'mpeg4-aac-larger.mp4', 'mpeg4-aac.mp4', 'h264-aac.mp4']],
  ['mjpeg-pcm.mov', [undefined, 'mjpeg-pcm-larger.mov', 'h264-pcm.mov', 'mjpeg-pcm.mov']],
]
const DRAWS = 10
/** The more of those that take milliseconds. */
const SMALL: readonly FixtureName[] = [
  ...(['h264-two-aac.mov', 'mpeg4-aac.mp4', 'mjpeg-pcm.mov', 'h264-aac-fragmented.mp4'] as const),
]
const MORE = 30

/** Stretches of the index: offset and bytes of each. */
function indexOf(bytes: Uint8Array): readonly (readonly [number, number])[] {
  const text = Buffer.from(bytes).toString('latin1')
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  return [...text.matchAll(/moov|moof/g)].map(({ index }) => [index - 4, view.getUint32(index - 4)])
}

function hit(film: Uint8Array, seed: number): Uint8Array {
  const random = randomNumbers(seed)
  const below = (limit: number): number => Math.floor(random() * limit)
  const index = indexOf(film)
  const bytes = film.slice()
  const kinds = [1 + below(6), ...(random() < 0.4 ? [6 + below(3)] : [])]
  let cut = bytes.length
  for (const kind of kinds) {
    const [from, size] = index[below(index.length)]
    if (kind === 1) for (let i = 0; i <= below(5); i++) bytes[from + below(size)] ^= 1 << below(8)
    else if (kind === 2) bytes.fill(0, from + below(size), from + size)
    else if (kind === 3) bytes.fill(below(256), from + below(size), from + below(size))
    else if (kind === 4) cut = Math.min(cut, Math.max(bytes.length >> 2, from + below(size)))
    else if (kind === 5) for (const [at, length] of index) bytes.fill(0, at + 4, at + length)
    else if (kind === 6) bytes.fill(0, from + 4, from + size)
    else {
      const at = below(bytes.length)
      const length = below(bytes.length / 6)
      if (kind === 7) bytes.fill(0, at, at + length)
      else bytes.copyWithin(at, at + length)
    }
  }
  return bytes.subarray(0, cut)
}

function saidOf({ code, severity, message }: Finding): string {
  return [code, severity, message].join(' ')
}

/** What becomes of a film: verdict, doubts, tracks, and checksums of the result and of what is said of it. */
async function becomes(film: Uint8Array, beside: FixtureName | undefined): Promise<string> {
  const { report, bytes } = await repaired(film, beside && fixture(beside))
  const tracks = report.tracks.map(
    ({ codec, recovered, damaged, lost, times }) =>
      `${codec} ${recovered}/${damaged}/${lost}${times === 'exact' ? '' : ' ~'}`,
  )
  const doubts = (report.doubts ?? []).map(({ code }) => code).join(' ')
  const said = [...report.strategies.map(({ outcome }) => outcome), ...report.findings.map(saidOf)].join()
  const output = bytes.length > 0 ? crc32(bytes).toString(16) : '-'
  return [report.verdict, doubts, tracks.join(', '), output, crc32(Buffer.from(said)).toString(16)].join(
    ' | ',
  )
}

it.each(FILMS)('%s hit by lot becomes what it became', async (name, samples) => {
  const film = fixture(name)
  const told: string[] = []
  for (let seed = 1; seed <= (SMALL.includes(name) ? MORE : DRAWS); seed++)
    told.push(await becomes(hit(film, seed + film.length), samples[seed % samples.length]))
  await expect(told.join('\n')).toMatchFileSnapshot(`drawn/${name}.txt`)
})

/** Draws of `hurt`, chosen of seven hundred: each runs something of `ways/` that those before it do not, or runs it otherwise. */
const CHOSEN = `
  1 2 10 11 12 19 24 40 41 51 52 70 73 84 117 126 130 134 137 145
  154 155 158 167 168 175 177 180 185 186 192 205 209 212 217 219 221 222 224 225
  240 243 244 253 257 258 260 275 288 290 291 300 309 312 328 330 334 337 355 360
  361 364 377 400 402 411 413 419 426 427 428 430 433 439 475 479 481 489 492 500
  508 513 514 523 524 525 530 532 538 542 545 546 547 550 554 558 559 560 566 574
  577 586 587 589 592 604 607 609 611 615 619 620 629 631 632 637 648 663 669 671
  675 677
`

it('films hurt by lot become what they became', async () => {
  const told: string[] = []
  for (const seed of CHOSEN.trim().split(/\s+/)) {
    const { name, film, beside } = hurt(Number(seed))
    const line = `${seed} ${name} + ${beside ?? '-'} | ${await becomes(film, beside)}`
    told.push(line.replace(/[^ -~]/g, '.'))
  }
  await expect(told.join('\n')).toMatchFileSnapshot('drawn/chosen.txt')
})
