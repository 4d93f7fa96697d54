import { describe, expect, it } from 'vitest'
import { randomNumbers } from '../../../src/bytes/damage.ts'
import { CINEPAK_HEIGHT, CINEPAK_WIDTH, cinepakFrame } from '../../../testing/video/cinepak-frames.ts'
import { streamFixture } from '../../../testing/video/stream-fixture.ts'
import { bitmap, type MadeChunk, makeAvi, wave } from './support/make-avi.ts'
import { payloads, repaired } from './support/repaired.ts'

/** A film of pictures alone. */
function film(compression: string, format: Uint8Array, pictures: readonly Uint8Array[]): Uint8Array {
  return makeAvi(
    [{ type: 'vids', handler: compression, scale: 1, rate: 25, sampleSize: 0, format }],
    pictures.map((bytes, i) => ({ id: '00dc', bytes, key: i === 0 })),
  )
}

function headless(bytes: Uint8Array): Uint8Array {
  return bytes.slice().fill(0, 0, Buffer.from(bytes).indexOf('movi') - 8)
}

/** H.264 as QuickTime has it: the configuration in the header, and lengths in front of its units. */
function recorded(name: string): Uint8Array {
  const { width, height, config, bytes, packets } = streamFixture(name)
  const format = Buffer.concat([bitmap('avc1', width, height, 0), config])
  return film(
    'avc1',
    format,
    packets.map(({ offset, size }) => bytes.slice(offset, offset + size)),
  )
}

describe('a film whose head is lost', () => {
  it('of H.264 with lengths is described by a sample with its configuration, and by no other one', async () => {
    const bytes = recorded('h264-cavlc')
    const { report, bytes: after } = await repaired(headless(bytes), bytes)
    expect(report.verdict).toBe('repaired')
    expect(await payloads(after, 0)).toEqual(await payloads(bytes, 0))
    const other = await repaired(headless(bytes), recorded('h264-b-pyramid'))
    expect(other.report.verdict).not.toBe('repaired')
  })

  it('of Cinepak is described by no sample of another size', async () => {
    const pictures = Array.from({ length: 20 }, (_, i) => cinepakFrame(i === 0, i + 1))
    const sized = (width: number): Uint8Array =>
      film('cvid', bitmap('cvid', width, CINEPAK_HEIGHT - 2, 0), pictures)
    const damaged = headless(sized(CINEPAK_WIDTH))
    expect((await repaired(damaged, sized(CINEPAK_WIDTH))).report.verdict).toBe('repaired')
    const other = await repaired(damaged, sized(2 * CINEPAK_WIDTH))
    expect(other.report.sample?.used).toEqual([])
    expect(other.report.verdict).toBe('partial')
  })

  it('with silence is described by a sample that is silent, too', async () => {
    const random = randomNumbers(3)
    const picture = (): Uint8Array => Uint8Array.from({ length: 500 }, () => 1 + Math.floor(random() * 255))
    const chunks = Array.from({ length: 50 }, (): MadeChunk[] => [
      { id: '00dc', bytes: picture() },
      { id: '01wb', bytes: new Uint8Array(640) },
    ]).flat()
    const video = { type: 'vids', handler: 'IV50', scale: 1, rate: 25, sampleSize: 0 } as const
    const audio = { type: 'auds', handler: '\0\0\0\0', scale: 1, rate: 8000, sampleSize: 2 } as const
    const silent = makeAvi(
      [
        { ...video, format: bitmap('IV50', 64, 48, 0) },
        { ...audio, format: wave(1, 1, 8000, 2, 16) },
      ],
      chunks,
    )
    const { report, bytes } = await repaired(headless(silent), silent)
    expect(report.sample?.used).toEqual(['headers'])
    expect(await payloads(bytes, 1)).toEqual(await payloads(silent, 1))
  })
})
