import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { randomNumbers } from '../../../src/bytes/damage.ts'
import { indexNeverWritten, RECIPES } from '../../../src/formats/isobmff/recipes.ts'
import type { Verdict } from '../../../src/model/report.ts'
import { diagnosed, read, repaired } from './support/engine.ts'
import { FIXTURES, type FixtureName, fixture } from './support/fixtures.ts'

/** Where the structures of a fixture lie, so that mutations hit them and not the media. */
function structures(bytes: Uint8Array): { from: number; to: number }[] {
  const text = Buffer.from(bytes).toString('latin1')
  return [...text.matchAll(/moov|moof/g)].map(({ index }) => {
    const from = index - 4
    return { from, to: from + new DataView(bytes.buffer).getUint32(from) }
  })
}

/** Bytes of the structures changed at random: one, a 32-bit number, or a stretch. */
function mutated(name: FixtureName, seed: number): Uint8Array {
  const bytes = fixture(name)
  const next = randomNumbers(seed)
  const places = structures(bytes)
  for (let i = 0; i < 1 + Math.floor(next() * 6); i++) {
    const place = places[Math.floor(next() * places.length)]
    const at = place.from + Math.floor(next() * (place.to - place.from))
    const kind = next()
    if (kind < 0.5) bytes[at] = Math.floor(next() * 256)
    else if (kind < 0.8) bytes.set([0xff, 0xff, 0xff, 0xff].slice(0, Math.max(0, bytes.length - at)), at)
    else bytes.fill(next() < 0.5 ? 0 : 0x7f, at, Math.min(place.to, at + Math.floor(next() * 64)))
  }
  return bytes
}

describe('structures with any bytes in them', () => {
  it.each(FIXTURES)(
    '%s never fails to be read, and reading stays in proportion to its bytes',
    async (name) => {
      await fc.assert(
        fc.asyncProperty(fc.nat(), async (seed) => {
          const bytes = mutated(name, seed)
          const { movie } = await read(bytes)
          for (const track of movie?.tracks ?? []) {
            // rows that no table states are allowed a million and one for every few bytes
            expect(track.samples.length).toBeLessThan(1_000_000 + bytes.length)
          }
        }),
        { numRuns: 60 },
      )
    },
  )

  it.each(['h264-aac.mp4', 'h264-aac-fragmented.mp4', 'h264-pcm.mov'] as const)(
    '%s is repaired or refused, and a repaired file never outgrows its source by much',
    async (name) => {
      await fc.assert(
        fc.asyncProperty(fc.nat(), async (seed) => {
          const bytes = mutated(name, seed)
          const { report, bytes: output } = await repaired(bytes)
          const wrote = report.verdict === 'repaired' || report.verdict === 'partial'
          expect(output.length > 0).toBe(wrote)
          expect(output.length).toBeLessThan(bytes.length * 4 + 100_000)
          if (wrote) expect((await read(output)).movie).toBeDefined()
        }),
        { numRuns: 25 },
      )
    },
  )

  it('bytes that are no film at all are refused', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 4_000 }), async (bytes) => {
        const { report } = await repaired(bytes)
        expect(report.verdict).toBe('unrepairable')
      }),
      { numRuns: 50 },
    )
  })

  it('a movie box nested in itself or claiming the world is read in time', async () => {
    const bytes = fixture('h264-aac.mp4')
    const { movie } = await read(bytes)
    const at = movie?.box.offset ?? 0
    for (const size of [0, 1, 8, 9, 0x7fff_ffff, 0xffff_ffff]) {
      const copy = bytes.slice()
      new DataView(copy.buffer).setUint32(at, size)
      expect((await diagnosed(copy)).healthy).toBe(size === 0)
    }
  })
})

/** What comes of a recipe where the recording is not repaired without a doubt. */
const OTHERWISE: Partial<Record<FixtureName, Readonly<Record<string, Verdict>>>> = {
  'h264-aac-faststart.mp4': {
    'index cut off': 'unrepairable',
    'media data size 0': 'healthy',
  },
  'h264-aac-fragmented.mp4': {
    'index cut off': 'unrepairable',
    'head zeroed': 'partial',
    'head cut away': 'partial',
    'eight bits of the index flipped': 'partial',
  },
}

describe('every recipe on every recording', () => {
  it.each(FIXTURES)('%s: comes out as it should, and healthy to its own diagnosis', async (name) => {
    for (const recipe of RECIPES) {
      const damaged = recipe.apply(fixture(name), 11)
      const { report, bytes } = await repaired(damaged, fixture(name))
      expect(report.verdict, recipe.name).toBe(OTHERWISE[name]?.[recipe.name] ?? 'repaired')
      if (bytes.length === 0) continue
      const diagnosis = await diagnosed(bytes)
      const structural = diagnosis.findings.filter(
        ({ severity, code }) => severity !== 'info' && !/sample-(damaged|mismatch)/.test(code),
      )
      expect(structural, recipe.name).toEqual([])
    }
  })

  it('recipes leave their input as it is', () => {
    const bytes = fixture('h264-aac.mp4')
    for (const recipe of RECIPES) recipe.apply(bytes, 3)
    expect(bytes).toEqual(fixture('h264-aac.mp4'))
    expect(indexNeverWritten(bytes).length).toBeLessThan(bytes.length)
  })
})

describe('a channel count that was hit', () => {
  it('does not make sound claim the file many times over', async () => {
    const bytes = fixture('h264-pcm.mov')
    const entry = Buffer.from(bytes).indexOf('sowt')
    expect(entry).toBeGreaterThan(0)
    bytes[entry + 21] = 120
    const { report, bytes: output } = await repaired(bytes)
    expect(output.length).toBeLessThan(bytes.length * 2)
    expect(report.findings.map(({ message }) => message).join()).toContain('claim several times')
    expect(report.tracks.find(({ codec }) => codec === 'h264')?.lost).toBe(0)
    expect(report.verdict).not.toBe('repaired')
  })
})
