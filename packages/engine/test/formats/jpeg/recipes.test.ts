import { describe, expect, it } from 'vitest'
import { MemorySink } from '../../../src/bytes/sink.ts'
import { MemorySource } from '../../../src/bytes/source.ts'
import { repair } from '../../../src/engine.ts'
import { jpeg } from '../../../src/formats/jpeg/index.ts'
import { RECIPES } from '../../../src/formats/jpeg/recipes.ts'
import { fixturesOf } from '../../../testing/contract/fixtures.ts'
import { contradictions } from '../../../testing/photos/own-word.ts'
import { readPhoto } from '../../../testing/photos/read-photo.ts'

const SEEDS = [1, 2, 3]

async function mend(bytes: Uint8Array) {
  const sink = new MemorySink()
  const report = await repair({ damaged: { source: new MemorySource(bytes), name: 'photo.jpg' }, sink })
  if (report.kind !== 'photo') throw new Error('the file was taken for a recording')
  return { report, output: Uint8Array.from(sink.bytes()) }
}

describe.each(fixturesOf(jpeg))('the photo $name', ({ bytes }) => {
  it.each(RECIPES)(
    'with $name: what is called repaired is the original, and every result is whole',
    async ({ apply }) => {
      const original = readPhoto(bytes)
      for (const seed of SEEDS) {
        const { report, output } = await mend(apply(bytes, seed))
        expect(contradictions(report, output), `seed ${seed}`).toEqual([])
        if (output.length === 0) continue
        expect(readPhoto(output)?.whole, `seed ${seed}`).toBe(true)
        if (report.verdict === 'repaired')
          expect(readPhoto(output)?.coefficients, `seed ${seed}`).toEqual(original?.coefficients)
      }
    },
  )
})
