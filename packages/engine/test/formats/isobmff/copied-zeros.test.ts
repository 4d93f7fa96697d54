import { expect, it } from 'vitest'
import type { SeekableSink } from '../../../src/bytes/sink.ts'
import { type ByteSource, MemorySource } from '../../../src/bytes/source.ts'
import { repair } from '../../../src/engine.ts'
import { SampleTable } from '../../../src/model/sample-table.ts'
import { movieOf, wholePlan, write } from './support/engine.ts'
import { fixture } from './support/fixtures.ts'

/** Bytes of filler data in each picture, ITU-T H.264 §7.3.2.7: films from 128 MiB on are copied while they are carved. */
const FILLER = 30_000
const TIMES = 92
const HEADER = 8

/** Pictures, each with its filler, end to end; and a recording of them. */
const { payload, sample } = await filled(fixture('h264-aac.mp4'))
/** Zeros in the filler of a picture. */
const HIT = { offset: HEADER + 3 * payload.length + 10_000, length: 600 }

async function filled(bytes: Uint8Array): Promise<{ payload: Uint8Array; sample: Uint8Array }> {
  const plan = wholePlan(await movieOf(bytes))
  const [{ table, ...track }] = plan.tracks
  const filler = new Uint8Array(4 + FILLER).fill(0xff)
  new DataView(filler.buffer).setUint32(0, FILLER)
  filler[4] = 12
  filler[filler.length - 1] = 0x80
  const parts: Uint8Array[] = []
  const longer = new SampleTable()
  let end = 0
  for (let row = 0; row < table.length; row++) {
    const picture = bytes.subarray(table.offset[row], table.offset[row] + table.size[row])
    parts.push(picture, filler)
    const size = picture.length + filler.length
    longer.push(end, size, 1, table.duration[row], table.order[row], table.flags[row])
    longer.dts[row] = table.dts[row]
    longer.cts[row] = table.cts[row]
    end += size
  }
  const payload = Uint8Array.from(Buffer.concat(parts))
  return { payload, sample: await write({ ...plan, tracks: [{ ...track, table: longer }] }, payload) }
}

/** The pictures so many times over without an index, zeros where they were hit. */
const damaged: ByteSource = {
  size: HEADER + TIMES * payload.length,
  read(offset, target) {
    const length = Math.max(0, Math.min(target.length, this.size - offset))
    const header = Uint8Array.of(0, 0, 0, 0, ...Buffer.from('mdat'))
    for (let done = 0; done < length; ) {
      const at = offset + done
      const from = at < HEADER ? header : payload
      const start = at < HEADER ? at : (at - HEADER) % payload.length
      const part = from.subarray(start, start + length - done)
      target.set(part, done)
      done += part.length
    }
    const hit = HIT.offset - offset
    target.subarray(0, length).fill(0, Math.max(0, hit), Math.max(0, hit + HIT.length))
    return length
  },
}

/** Takes what comes, and tells of zeros what it is told to. */
class SeeingSink implements SeekableSink {
  position = 0
  readonly pending = 0
  copied = 0
  readonly zeros: SeekableSink['zeros']

  constructor(zeros: SeekableSink['zeros']) {
    this.zeros = zeros
  }

  write(bytes: Uint8Array): void {
    this.position += bytes.length
  }

  copy(_source: ByteSource, _offset: number, length: number): boolean {
    this.position += length
    this.copied += length
    return true
  }

  async hold(): Promise<void> {}
  async settled(): Promise<void> {}
  async seek(position: number): Promise<void> {
    this.position = position
  }
}

it.each([
  ['are damaged by the zeros that were copied', [HIT], 1],
  ['are looked at where nobody did when they were copied', undefined, 1],
  ['are taken for whole where no zeros were copied', [], 0],
])('pictures that are copied while a film is carved %s', async (_what, zeros, expected) => {
  const sink = new SeeingSink(zeros)
  const report = await repair({
    damaged: { source: damaged, name: 'damaged.mp4' },
    sample: { source: new MemorySource(sample), name: 'sample.mp4' },
    sink,
  })
  if (report.kind !== 'recording') throw new Error('the file was taken for a photo')
  expect(sink.copied).toBeGreaterThan(0.99 * damaged.size)
  expect(report.tracks.map((track) => track.damaged)).toEqual([expected])
  expect(report.strategies.map(({ name }) => name).includes('zeros')).toBe(expected > 0)
  const [hit] = report.tracks[0].ranges.filter(({ state }) => state === 'damaged')
  if (expected > 0) {
    expect(hit.offset).toBeLessThan(HIT.offset)
    expect((hit.offset ?? 0) + (hit.length ?? 0)).toBeGreaterThan(HIT.offset + HIT.length)
  } else expect(hit).toBeUndefined()
})
