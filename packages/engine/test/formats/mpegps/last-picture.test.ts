import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { MemorySink } from '../../../src/bytes/sink.ts'
import { MemorySource } from '../../../src/bytes/source.ts'
import { nextCode } from '../../../src/codecs/mpeg12/start-codes.ts'
import { repair } from '../../../src/engine.ts'
import { itemsOf } from '../../../src/formats/mpegps/recipes.ts'
import type { Report } from '../../../src/model/report.ts'
import { FIXTURES } from '../../../testing/contract/fixtures.ts'

const VIDEO = 0xe0
const LAST_SLICE = 0xaf
const PROGRAM_END = Uint8Array.of(0, 0, 1, 0xb9)

async function repaired(bytes: Uint8Array): Promise<{ report: Report; bytes: Uint8Array }> {
  const sink = new MemorySink()
  const report = await repair({ damaged: { source: new MemorySource(bytes), name: 'damaged.mpg' }, sink })
  return { report, bytes: sink.bytes().slice() }
}

function damagedPictures(report: Report): number | undefined {
  if (report.kind !== 'recording') return undefined
  return report.tracks.find(({ kind }) => kind === 'video')?.damaged
}

describe.each(['mpg-mpeg2-mp2.mpg', 'vob-mpeg2-ac3.mpg'])('of %s', (name) => {
  const whole = new Uint8Array(readFileSync(`${FIXTURES}/mpegps/${name}`))
  const pictures = itemsOf(whole).filter(({ code }) => code === VIDEO)
  /** The first byte of a packet of pictures behind its header. */
  const startOf = ({ offset, header }: (typeof pictures)[number]): number =>
    offset + (header?.headerLength ?? 0)
  /** Packets that another one of pictures follows, whose first bytes go on with a slice. */
  const torn = pictures.filter((_, i) => {
    const next = pictures[i + 1]
    if (!next || i < 8) return false
    const at = nextCode(whole, startOf(next))
    return at > startOf(next) + 4 && whole[at + 3] > 1 && whole[at + 3] <= LAST_SLICE
  })

  it('the beginning that ends inside a picture, though behind a whole packet, is told to', async () => {
    expect(torn.length).toBeGreaterThan(0)
    const { offset, length } = torn[0]
    const damaged = whole.slice(0, offset + length)
    const { report, bytes } = await repaired(damaged)
    expect(report.findings.map(({ code }) => code)).toEqual(['mpegps.last-picture'])
    expect(report.verdict).toBe('repaired')
    expect(damagedPictures(report)).toBe(1)
    expect(Buffer.compare(bytes, Buffer.concat([damaged, PROGRAM_END]))).toBe(0)
    expect((await repaired(bytes)).report.verdict).toBe('healthy')
  })

  it('the picture that a cut packet of sound leaves torn is called damaged, too', async () => {
    const items = itemsOf(whole)
    const sound = items.find(({ code, header }, i) => {
      const picture = items.slice(0, i).findLast((item) => item.code === VIDEO)
      return header && code !== VIDEO && torn.some(({ offset }) => offset === picture?.offset)
    })
    const { report, bytes } = await repaired(whole.slice(0, (sound?.offset ?? 0) + 60))
    expect(report.findings.map(({ code }) => code)).toContain('mpegps.last-picture')
    expect(damagedPictures(report)).toBe(1)
    expect((await repaired(bytes)).report.verdict).toBe('healthy')
  })

  it('the whole is healthy', async () => {
    expect((await repaired(whole)).report.verdict).toBe('healthy')
  })
})
