import { expect, it } from 'vitest'
import type { SampleSizes } from '../../../../src/formats/isobmff/boxes/stsz.ts'
import { mendLayout } from '../../../../src/formats/isobmff/mend/chunks/layout.ts'
import type { TrackTables } from '../../../../src/formats/isobmff/read/movie.ts'
import { Allowance } from '../../../../src/model/allowance.ts'
import { Findings } from '../../../../src/model/finding.ts'
import { SILENT } from '../../../../src/model/monitor.ts'
import type { TrackDescription } from '../../../../src/model/track.ts'
import { concat } from '../../../../testing/video/bit-writer.ts'
import { trackOf } from '../../../../testing/video/replay.ts'
import { streamFixture } from '../../../../testing/video/stream-fixture.ts'
import { readerOf } from '../support/engine.ts'

/** Tables of a track with one sample a chunk. */
function tables(offsets: readonly number[], sizes: SampleSizes): TrackTables {
  return {
    sizes,
    chunkOffsets: Float64Array.from(offsets),
    sampleToChunk: {
      length: 1,
      firstChunk: Uint32Array.of(1),
      samples: Uint32Array.of(1),
      description: Uint32Array.of(1),
    },
  }
}

const plain = (codec: string, id: number): TrackDescription => ({
  id,
  kind: 'data',
  codec,
  timescale: 1000,
  config: new Uint8Array(0),
  framing: 'raw',
})

it('a chunk that starts too late behind the only sample of a track is moved, and the sample not made larger', async () => {
  const sizes = [700, 650, 810, 600]
  const starts = [40, 740, 1390, 2200]
  const given = [
    {
      description: plain('tmcd', 1),
      layout: { rows: 'samples' as const },
      tables: tables([36], { constant: 4, count: 1, sizes: new Uint32Array(0) }),
    },
    {
      description: plain('data', 2),
      layout: { rows: 'samples' as const },
      tables: tables(starts.with(0, 40 + 128), { constant: 0, count: 4, sizes: Uint32Array.from(sizes) }),
    },
  ]
  const reader = readerOf(new Uint8Array(2800))
  const hit = new Findings()
  hit.add({ code: 'isobmff.box-size', severity: 'error', message: 'hit elsewhere' })
  const payload = [{ offset: 36, length: 2764 }]
  const [timeCode, pictures] = await mendLayout(
    reader,
    given,
    payload,
    false,
    hit,
    new Allowance(1e6),
    SILENT,
  )
  expect(timeCode.sizes?.constant).toBe(4)
  expect([...(pictures.chunkOffsets ?? [])]).toEqual(starts)
})

it('chunks of which each has a media data box of its own are not laid end to end where the file is hit elsewhere', async () => {
  const sizes = Array.from({ length: 16 }, (_, i) => 2000 + ((i * 677) % 200))
  const starts: number[] = []
  let at = 40
  for (const [i, size] of sizes.entries()) {
    starts.push(at)
    at += size + 70 + 2 * i
  }
  const given = {
    description: plain('data', 1),
    layout: { rows: 'samples' as const },
    tables: tables(starts, { constant: 0, count: sizes.length, sizes: Uint32Array.from(sizes) }),
  }
  const hit = new Findings()
  hit.add({ code: 'isobmff.box-size', severity: 'error', message: 'hit elsewhere' })
  const [track] = await mendLayout(
    readerOf(new Uint8Array(at)),
    [given],
    [{ offset: 40, length: at - 40 }],
    ...([false, hit, new Allowance(1e7), SILENT] as const),
  )
  expect([...(track.chunkOffsets ?? [])]).toEqual(starts)
  expect([...(track.sizes?.sizes ?? [])]).toEqual(sizes)
})

it('zeros that fill up a constant rate behind a picture are no fault of its size', async () => {
  const fixture = streamFixture('mpeg2-b')
  const parts: Uint8Array[] = []
  const starts: number[] = []
  let at = 0
  for (const { offset, size } of fixture.packets) {
    starts.push(at)
    parts.push(fixture.bytes.subarray(offset, offset + size), new Uint8Array(starts.length === 5 ? 354 : 0))
    at += size + parts[parts.length - 1].length
  }
  const sizes = fixture.packets.map(({ size }) => size)
  const given = {
    description: trackOf(fixture, 'startcode'),
    layout: { rows: 'samples' as const },
    tables: tables(starts, { constant: 0, count: sizes.length, sizes: Uint32Array.from(sizes) }),
  }
  const findings = new Findings()
  const [track] = await mendLayout(
    readerOf(concat(parts)),
    [given],
    [{ offset: 0, length: at }],
    ...([false, findings, new Allowance(1e7), SILENT] as const),
  )
  expect([...(track.sizes?.sizes ?? [])]).toEqual(sizes)
  expect(findings.healthy).toBe(true)
})

it('sizes of several samples of a chunk that nothing but their sum tells are a guess, that of one is not', async () => {
  const sizes = [700, 650, 810, 600, 720]
  const guessed = async (...hits: readonly number[]): Promise<true | undefined> => {
    const hit = new Findings()
    hit.add({ code: 'isobmff.box-size', severity: 'error', message: 'hit elsewhere' })
    const given = {
      description: plain('unread', 1),
      layout: { rows: 'samples' as const },
      tables: {
        ...tables([36, 36 + 3480], {
          constant: 0,
          count: 10,
          sizes: Uint32Array.from([...sizes, ...sizes], (size, i) =>
            hits.includes(i) ? size ^ (1 << (20 + (i % 2))) : size,
          ),
        }),
        sampleToChunk: {
          length: 1,
          firstChunk: Uint32Array.of(1),
          samples: Uint32Array.of(5),
          description: Uint32Array.of(1),
        },
      },
    }
    const reader = readerOf(new Uint8Array(36 + 2 * 3480))
    const payload = [{ offset: 36, length: 2 * 3480 }]
    const work = new Allowance(1e6)
    const [found] = await mendLayout(reader, [given], payload, false, hit, work, SILENT)
    expect([...(found.sizes?.sizes ?? [])]).toEqual([...sizes, ...sizes])
    return found.sizesGuessed
  }
  expect(await guessed()).toBeUndefined()
  expect(await guessed(1)).toBeUndefined()
  expect(await guessed(1, 6)).toBeUndefined()
  expect(await guessed(1, 2)).toBe(true)
})
