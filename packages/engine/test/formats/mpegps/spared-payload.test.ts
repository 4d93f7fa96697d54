import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { randomNumbers } from '../../../src/bytes/damage.ts'
import { MemorySink } from '../../../src/bytes/sink.ts'
import { MemorySource } from '../../../src/bytes/source.ts'
import { SliceReader } from '../../../src/codecs/mpeg12/slice-reading.ts'
import { repair } from '../../../src/engine.ts'
import { bitFlipped, itemsOf } from '../../../src/formats/mpegps/recipes.ts'
import { DOUBT, type Doubt } from '../../../src/model/doubt.ts'
import { FIXTURES } from '../../../testing/contract/fixtures.ts'

const FILES = ['mpg-mpeg2-mp2.mpg', 'vob-mpeg2-ac3.mpg'] as const

function fixture(name: string): Uint8Array {
  return new Uint8Array(readFileSync(`${FIXTURES}/mpegps/${name}`))
}

function picturesOf(bytes: Uint8Array): Uint8Array {
  const packets = itemsOf(bytes).filter(({ code }) => code >> 4 === 0xe)
  return Buffer.concat(
    packets.map(({ offset, length, header }) =>
      bytes.subarray(offset + (header?.headerLength ?? 0), offset + length),
    ),
  )
}

describe.each(FILES)('the slices of %s', (name) => {
  const whole = fixture(name)
  const pictures = picturesOf(whole)

  it('are all read to their ends', () => {
    const { whole: read, torn } = new SliceReader().read(pictures)
    expect(torn).toBe(0)
    expect(read).toBeGreaterThan(pictures.length * 0.98)
  })

  it('are torn by most bits that are turned', () => {
    const random = randomNumbers(3)
    const tries = 60
    let seen = 0
    for (let i = 0; i < tries; i++) {
      const at = Math.floor(pictures.length * (0.05 + 0.9 * random()))
      if (new SliceReader().read(bitFlipped(pictures, at, 0, i % 8)).torn > 0) seen++
    }
    expect(seen / tries).toBeGreaterThan(0.5)
  })

  async function doubtsOf(damaged: Uint8Array): Promise<readonly Doubt[]> {
    const source = new MemorySource(damaged)
    const report = await repair({ damaged: { source, name: 'a.mpg' }, sink: new MemorySink() })
    return (report.kind === 'recording' && report.doubts) || []
  }

  const packs = itemsOf(whole).filter(({ code }) => code === 0xba)
  const inHeaders = [0.2, 0.4, 0.6, 0.8].reduce(
    (bytes, share) => bitFlipped(bytes, packs[Math.floor(packs.length * share)].offset, 3, 1),
    whole,
  )

  it('settle that hits in headers came alone', async () => {
    expect(await doubtsOf(inHeaders)).toEqual([])
  })

  it('leave the doubt where some are torn, too', async () => {
    const random = randomNumbers(4)
    const all = Array.from({ length: 12 }).reduce<Uint8Array>(
      (bytes) => bitFlipped(bytes, Math.floor(bytes.length * (0.1 + 0.8 * random())), 0, 5),
      inHeaders,
    )
    expect(await doubtsOf(all)).toContainEqual(DOUBT.hits)
  })
})
