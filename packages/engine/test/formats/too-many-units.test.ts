import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { limitsFor } from '../../src/bytes/limits.ts'
import { MemorySink, MemorySource, repair } from '../../src/index.ts'
import { FIXTURES } from '../../testing/contract/fixtures.ts'

/** Units of one track that a recording may have here. */
const UNITS = 20

it.each([
  ['asf/wmv-wmv1-wma1.wmv'],
  ['mpegts/mts-h264-ac3.mts'],
  ['mpegps/mpg-mpeg2-mp2.mpg'],
  ['mpegvideo/mpg-bare-mpeg1.mpg'],
])('a file in which more units begin than one of its length can have is answered: %s', async (name) => {
  const damaged = new Uint8Array(readFileSync(`${FIXTURES}/${name}`)).slice(0, -100)
  const sink = new MemorySink()
  const { verdict, reason } = await repair({
    damaged: { source: new MemorySource(damaged), name },
    limits: { ...limitsFor(damaged.length), samplesPerTrack: UNITS },
    sink,
  })
  expect(verdict).toBe('unrepairable')
  expect(reason).toContain('more pictures or pieces of sound')
  expect(sink.position).toBe(0)
})
