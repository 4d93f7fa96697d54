import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { silenceLibrary } from '../src/media/library.ts'
import { conceal } from '../src/tasks/enhance/conceal.ts'
import { Film } from '../src/tasks/enhance/film.ts'
import { filterPictures } from '../src/tasks/enhance/filter.ts'
import { hashes } from '../src/tasks/hashes.ts'
import { payload } from '../src/tasks/payload.ts'
import { preview } from '../src/tasks/preview.ts'
import { probe } from '../src/tasks/probe.ts'
import { segment } from '../src/tasks/segment.ts'
import { still } from '../src/tasks/still.ts'
import { verify } from '../src/tasks/verify.ts'
import { type Clips, clips, FIXTURES } from './clips.ts'
import { lumasOf } from './lumas.ts'

/*
 * What the child process does, done here on films of some ten thousand bytes: what comes of each task is held as text, figures to
 * a thousandth, encoded pictures by what decodes of them. Whoever changes that on purpose lets the test runner write it anew
 * (`--update=all`).
 */

let scratch: Clips
beforeAll(() => {
  silenceLibrary()
  scratch = clips()
})
afterAll(() => scratch.remove())

const FILMS = ['h264-aac.mp4', 'hevc-aac.mp4', 'mjpeg-pcm.mov', 'mpeg4-aac.mp4', 'prores-pcm.mov'] as const

/** A film of which parts of some pictures are zero, by places in decoding order, and of a sound. */
function hit(name: string, pictures: readonly number[], from = 0.4, to = 1): string {
  const path = join(FIXTURES, name)
  const film = Film.open(path)
  const bytes = readFileSync(path)
  const { offsets, sizes } = film.samples
  film.close()
  for (const at of pictures) {
    const [start, size] = [offsets[at] ?? 0, sizes[at] ?? 0]
    bytes.fill(0, start + Math.floor(size * from), start + Math.floor(size * to))
  }
  const damaged = join(scratch.folder, `hit-${name}`)
  writeFileSync(damaged, bytes)
  return damaged
}

const output = (extension = 'mp4') => join(scratch.folder, `out.${extension}`)

/** Figures to a thousandth, as text. */
const figures = (value: unknown): string =>
  JSON.stringify(value, (_, each) => (typeof each === 'number' ? Math.round(each * 1000) / 1000 : each))

/** What a task answers or fails with, how often it told of each tenth of its way, and what decodes of what it wrote. */
async function told(
  work: (progress: (fraction: number) => void) => unknown,
  written: () => unknown = () => undefined,
): Promise<string> {
  const tenths = Array<number>(10).fill(0)
  let range = [1, 0]
  const progress = (fraction: number): void => {
    range = [Math.min(range[0] ?? 1, fraction), Math.max(range[1] ?? 0, fraction)]
    const tenth = Math.min(Math.floor(fraction * 10), 9)
    tenths[tenth] = (tenths[tenth] ?? 0) + 1
  }
  let line: string
  try {
    line = figures(await work(progress))
  } catch (error) {
    line = String(error)
  }
  const way = range[1] === 0 ? '' : ` | ${tenths.join(' ')} (${figures(range)})`
  const made = await written()
  return `${line}${way}${made === undefined ? '' : ` | ${figures(made)}`}`
}

const checked = async () => existsSync(output()) && (await verify(output(), () => undefined))
/** How far pictures of two films are apart in the mean: the largest of any. */
function apart(a: string, b: string): number {
  const [one, other] = [lumasOf(a), lumasOf(b)]
  const means = one.map(({ samples }, i) => {
    const theirs = other[i]?.samples
    return samples.reduce((sum, value, at) => sum + Math.abs(value - (theirs?.[at] ?? 0)), 0) / samples.length
  })
  return Math.max(...means)
}

const HITS: Readonly<Record<string, readonly (readonly number[])[]>> = {
  'h264-aac.mp4': [[20], [0], [8, 40], [24], []],
  'hevc-aac.mp4': [[20], [8, 40], [25]],
  'mjpeg-pcm.mov': [[4]],
  'mpeg4-aac.mp4': [[5]],
  'prores-pcm.mov': [[1]],
}

it('what films are, and what decodes of them', async () => {
  const lines: string[] = []
  for (const name of FILMS) {
    const path = join(FIXTURES, name)
    lines.push(`${name} is ${await told(() => probe(path))}`)
    lines.push(`${name} decodes ${await told((progress) => verify(path, progress))}`)
    lines.push(`${name} hit decodes ${await told((progress) => verify(hit(name, [3, 4, 9]), progress))}`)
    const task = { task: 'hashes', input: path, output: output('txt'), frames: false } as const
    const sum = () => crc32(readFileSync(output('txt')))
    for (const more of [{ lost: [] }, { lost: [{ start: 2000, end: 3000 }], without: [[0, 2], [1]] }])
      lines.push(
        `${name} has ${await told((progress) => hashes({ ...task, ...more } as never, progress), sum)}`,
      )
    for (const stream of [0, 1, 2])
      lines.push(
        `${name} carries ${await told((progress) => payload({ task: 'payload', input: path, output: output('txt'), stream }, progress), sum)}`,
      )
  }
  await expect(lines.join('\n')).toMatchFileSnapshot('tasks/read.txt')
})

it('what is made of films', async () => {
  const lines: string[] = []
  for (const name of FILMS) {
    const input = join(FIXTURES, name)
    for (const [fraction, maxSeconds, maxWidth] of [
      [0.75, 60, 96],
      [0.1, 60, 640],
      [1, 1, 64],
    ] as const) {
      const task = { task: 'preview', input, output: output(), fraction, maxSeconds, maxWidth } as const
      lines.push(`${name} previewed ${await told((progress) => preview(task, progress), checked)}`)
      rmSync(output(), { force: true })
    }
    const part = {
      task: 'segment',
      input,
      output: output(),
      muxer: 'mp4',
      fraction: 0.5,
      maxSeconds: 9,
    } as const
    lines.push(`${name} in part ${await told((progress) => segment(part, progress), checked)}`)
    for (const [atSeconds, width] of [
      [0, 64],
      [1.03, 200],
      [99, 33],
    ] as const) {
      const task = { task: 'still', input, output: output('jpg'), atSeconds, width } as const
      lines.push(
        `${name} still ${await told(
          () => still(task),
          () => readFileSync(output('jpg')).length > 500,
        )}`,
      )
    }
  }
  await expect(lines.join('\n')).toMatchFileSnapshot('tasks/made.txt')
})

it('what becomes of damaged pictures, and of pictures that are filtered', async () => {
  const lines: string[] = []
  for (const name of FILMS) {
    const path = join(FIXTURES, name)
    for (const pictures of HITS[name] ?? []) {
      const damaged = hit(name, pictures)
      rmSync(output(), { force: true })
      const line = await told((progress) => conceal(damaged, output(), [], progress), checked)
      const [before, now] = [damaged, existsSync(output()) ? output() : damaged].map((film) =>
        apart(path, film),
      )
      const gain = (before ?? 0) - (now ?? 0)
      // encoding anew costs less than one level of brightness in the mean
      const look = gain > 1 ? 'nearer' : gain > -1 ? 'alike' : 'farther'
      lines.push(`${name} hit in ${pictures} ${line} | ${look}`)
    }
    rmSync(output(), { force: true })
    const ranges = [{ start: 0.5, end: 0.6 }]
    lines.push(
      `${name} by time ${await told((progress) => conceal(path, output(), ranges, progress), checked)}`,
    )
    for (const operation of [{ kind: 'sharpen', strength: 0.5 }, { kind: 'deflicker' }] as const) {
      rmSync(output(), { force: true })
      lines.push(
        `${name} ${operation.kind} ${await told((progress) => filterPictures(path, output(), operation, progress), checked)}`,
      )
    }
  }
  await expect(lines.join('\n')).toMatchFileSnapshot('tasks/enhanced.txt')
})
