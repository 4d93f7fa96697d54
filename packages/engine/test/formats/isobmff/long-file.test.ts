import { describe, expect, it } from 'vitest'
import { ByteReader } from '../../../src/bytes/reader.ts'
import type { ByteSource } from '../../../src/bytes/source.ts'
import { EarlyCopy } from '../../../src/formats/isobmff/write/copy-ahead.ts'
import { draftMovie } from '../../../src/formats/isobmff/write/draft-movie.ts'
import { writeMovie } from '../../../src/formats/isobmff/write/write.ts'
import type { Monitor } from '../../../src/model/monitor.ts'
import { SAMPLE_KEY, SampleTable } from '../../../src/model/sample-table.ts'
import { NotingSink } from '../../../testing/contract/sinks.ts'

const MIB = 2 ** 20
const LARGEST = 2 ** 32 - 1

/** Keeps what is written near the start of the file; what is copied is pending until somebody waits for it. */
class FrontSink extends NotingSink {
  override pending = 0
  readonly front = Buffer.alloc(MIB)

  override write(bytes: Uint8Array): void {
    this.front.set(bytes.subarray(0, Math.max(0, MIB - this.position)), Math.min(this.position, MIB))
    super.write(bytes)
  }

  override copy(source: ByteSource, offset: number, length: number): boolean {
    this.pending += length
    return super.copy(source, offset, length)
  }

  override async settled(most = 0): Promise<void> {
    this.pending = Math.min(this.pending, most)
  }
}

/** A recording of so many bytes, written; what is told of the payload is as many bytes of chunks a gibibyte long at most. */
async function written(payload: number, isEarly: boolean) {
  const coding = { codec: 'vp9', config: new Uint8Array(0) }
  const { movie } =
    draftMovie({ tracks: [{ kind: 'video', timescale: 1, unit: 1, width: 64, height: 64, coding }] }) ?? {}
  if (!movie) throw new Error('the draft makes no movie')
  const table = new SampleTable()
  for (let at = 0; at < payload; at += 2 ** 30) {
    const row = table.push(at, Math.min(2 ** 30, payload - at), 1, 1, 0, SAMPLE_KEY)
    table.dts[row] = row
  }
  const source: ByteSource = { size: payload, read: (_, target) => target.length }
  const reader = new ByteReader(source)
  const sink = new FrontSink(source)
  const regions = [{ offset: 0, length: payload }]
  const early = isEarly ? new EarlyCopy(sink, reader, regions, false, { payload: 1, carved: 1 }) : undefined
  await early?.advance({ until: payload, holes: [], tables: [] })
  const told: number[] = []
  let pauses = 0
  const monitor: Monitor = {
    progress: (_, fraction) => told.push(fraction),
    pause: async () => void pauses++,
  }
  const tracks = [{ template: movie.tracks[0], table, times: 'index' as const }]
  const bytes = await writeMovie({ movie, tracks }, reader, sink, monitor, early)
  return {
    ...{ bytes, told, pauses, base: bytes - payload, position: sink.position },
    places: places(sink.front),
  }
}

/** Width of chunk offsets, the first and the last of them, and where the media data lie by their header. */
function places(front: Buffer): readonly number[] {
  const wide = front.indexOf('co64')
  const at = wide < 0 ? front.indexOf('stco') : wide
  const width = wide < 0 ? 4 : 8
  const offsetOf = (chunk: number): number => front.readUIntBE(at + 12 + chunk * width + (width - 4), 4)
  const high = (chunk: number): number => (width === 8 ? front.readUInt32BE(at + 12 + chunk * width) : 0)
  const last = front.readUInt32BE(at + 8) - 1
  return [width, offsetOf(0), high(last) * 2 ** 32 + offsetOf(last), front.indexOf('mdat') + 4]
}

describe('chunk offsets', () => {
  it.each([false, true])(
    'take 64 bits where the file needs them, and no sooner (copied early: %s)',
    async (early) => {
      const { base } = await written(3 * 2 ** 30 + 5, early)
      for (const [more, width] of [
        [0, 4],
        [1, 8],
      ] as const) {
        const payload = LARGEST - base + more
        const long = await written(payload, early)
        // the wider table of a file written in one go is longer by itself
        const start = early ? base : base + (width - 4) * 4
        expect([long.bytes, long.position]).toEqual([start + payload, start + payload])
        expect(long.places).toEqual([width, start, start + 3 * 2 ** 30, start])
      }
    },
  )

  it('and the header of the media data have room for more than four gibibytes', async () => {
    const long = await written(5 * 2 ** 30, false)
    expect(long.places).toEqual([8, long.base, long.base + 4 * 2 ** 30, long.base - 8])
  })
})

it('what was copied early is waited for in steps, which are told', async () => {
  const { told, pauses } = await written(10 * MIB, true)
  expect(told.slice(0, 3)).toEqual([0.4, 0.8, 1])
  expect(told.at(-1)).toBe(1)
  expect(pauses).toBeGreaterThanOrEqual(3)
})
