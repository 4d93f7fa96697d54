import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { readPhoto } from '@mendframe/engine/testing'
import { cameraOf } from './camera.ts'
import { type CaseResult, healthyPhoto, runCase } from './cases.ts'
import { HEAD_DAMAGES, PLAIN_DAMAGES, SCAN_DAMAGES } from './damages.ts'
import { drawnPhotos, type Photo } from './drawn-photos.ts'
import { PLAIN_FORMATS, PLAIN_TITLE, plainLines } from './plain-formats.ts'
import { caseLine, summaryLines } from './table.ts'

const USAGE = `usage: npm run bench -- photo [options]
  --files FOLDER   JPEG photos at hand instead of drawn ones
  --every N --from N   each Nth of them, from which on
  --damages A,B    damages by name; all by default (a trailing * matches any ending)
  --seed N         of the places of damage
  --no-peer        leave out sharp
  --sample FOLDER  hand another photo of the same camera, from that folder, over as a sample; photos without one are left out
  --formats A,B    png, gif, bmp, webp, webp-lossless: drawn pictures of these, scored by their pixels, instead of JPEG
  --seeds N        pictures of each, 3 by default
  --json FILE      write all figures
  --verbose        a line for each case
  --list           names of damages`

function photosIn(folder: string, every: number, from: number): Photo[] {
  return readdirSync(folder)
    .filter((name) => /\.(jpe?g|mpo)$/i.test(name))
    .sort()
    .filter((_, index) => index % every === from)
    .map((name) => ({ name, bytes: new Uint8Array(readFileSync(join(folder, name))) }))
}

function select(names: readonly string[], wanted: string | undefined): string[] {
  if (!wanted) return [...names]
  const patterns = wanted.split(',').map((name) => name.trim())
  return names.filter((name) =>
    patterns.some((pattern) =>
      pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern,
    ),
  )
}

/** Another photo of the same camera. */
function siblingOf(photo: Photo, photos: readonly Photo[]): Uint8Array | undefined {
  const camera = cameraOf(photo.bytes)
  if (camera === undefined) return undefined
  return photos.find(({ name, bytes }) => name !== photo.name && cameraOf(bytes) === camera)?.bytes
}

/** Runs the benchmark of photos with the given arguments. */
export async function benchPhotos(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      files: { type: 'string' },
      every: { type: 'string', default: '1' },
      from: { type: 'string', default: '0' },
      damages: { type: 'string' },
      seed: { type: 'string', default: '1' },
      sample: { type: 'string' },
      'no-peer': { type: 'boolean', default: false },
      formats: { type: 'string' },
      seeds: { type: 'string', default: '3' },
      json: { type: 'string' },
      verbose: { type: 'boolean', default: false },
      list: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  const damages = { ...SCAN_DAMAGES, ...HEAD_DAMAGES }
  if (values.help) return console.log(USAGE)
  if (values.list) return console.log(Object.keys(damages).join('\n'))
  if (values.formats) {
    const names = select(Object.keys(PLAIN_DAMAGES), values.damages)
    const seeds = Array.from({ length: Number(values.seeds) }, (_, i) => Number(values.seed) + i)
    console.log(PLAIN_TITLE)
    for (const format of PLAIN_FORMATS.filter((each) => select([each], values.formats).length > 0))
      for (const line of await plainLines(format, seeds, names)) console.log(line)
    return
  }
  const photos = values.files
    ? photosIn(values.files, Number(values.every), Number(values.from))
    : drawnPhotos()
  const siblings = values.sample ? photosIn(values.sample, 1, 0) : []
  const results: CaseResult[] = []
  for (const { name, bytes } of photos) {
    const original = readPhoto(bytes)
    if (!original?.whole) {
      console.log(`${name}: no healthy photo, left out`)
      continue
    }
    const sample = siblingOf({ name, bytes }, siblings)
    if (values.sample && !sample) continue
    const healthy = await healthyPhoto(bytes)
    for (const damage of select(['none', ...Object.keys(damages)], values.damages)) {
      const result = await runCase({
        photo: name,
        bytes,
        original,
        healthy,
        damage,
        apply: damages[damage],
        seed: Number(values.seed),
        peer: !values['no-peer'],
        sample,
      })
      results.push(result)
      if (values.verbose) console.log(caseLine(result))
    }
  }
  for (const line of summaryLines(results)) console.log(line)
  if (values.json) writeFileSync(values.json, JSON.stringify(results, undefined, 1))
}
