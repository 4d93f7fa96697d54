import { describe, expect, it } from 'vitest'
import type { SeekableSink } from '../../../src/bytes/sink.ts'
import type { ByteSource } from '../../../src/bytes/source.ts'
import { EarlyCopy } from '../../../src/formats/isobmff/write/copy-ahead.ts'
import { writeMovie } from '../../../src/formats/isobmff/write/write.ts'
import { SILENT } from '../../../src/model/monitor.ts'
import { SampleTable } from '../../../src/model/sample-table.ts'
import { bodyOf, readChildren } from '../../../src/syntax/iso-boxes/box.ts'
import { movieOf, readerOf, wholePlan, write } from './support/engine.ts'
import { fixture } from './support/fixtures.ts'
import { contents, seen } from './support/packets.ts'

/** Takes bytes anywhere, as a file does. */
class RandomAccessSink implements SeekableSink {
  position = 0
  readonly pending = 0
  readonly lead?: number
  held = false
  copied = 0
  #bytes = new Uint8Array(4 << 20)

  /** With a lead it holds the source there already. */
  constructor(ahead?: { readonly lead: number; readonly source: Uint8Array }) {
    if (!ahead) return
    this.lead = ahead.lead
    this.#bytes.set(ahead.source, ahead.lead)
  }

  write(bytes: Uint8Array): void {
    expect(this.held).toBe(true)
    this.#bytes.set(bytes, this.position)
    this.position += bytes.length
  }

  copy(source: ByteSource, offset: number, length: number): boolean {
    source.read(offset, this.#bytes.subarray(this.position, this.position + length))
    this.position += length
    this.copied += length
    return true
  }

  async settled(): Promise<void> {}
  async hold(): Promise<void> {
    this.held = true
  }

  async seek(position: number): Promise<void> {
    this.position = position
  }

  bytes(): Uint8Array {
    return this.#bytes.slice(0, this.position)
  }
}

const SOURCE = fixture('h264-aac.mp4')

function mediaData(bytes: Uint8Array): { offset: number; length: number; end: number } {
  const box = readChildren(readerOf(bytes), 0, bytes.length).boxes.find(({ type }) => type === 'mdat')
  if (!box) throw new Error('no media data')
  return { offset: bodyOf(box), length: box.end - bodyOf(box), end: box.end }
}

/** The file written with its payload copied early, in two steps; a hole says what of it is left out. */
async function writtenEarly(
  plan: Awaited<ReturnType<typeof wholePlan>>,
  hole?: { offset: number; length: number },
  sink = new RandomAccessSink(),
): Promise<{ bytes: Uint8Array; sink: RandomAccessSink }> {
  const reader = readerOf(SOURCE)
  const region = mediaData(SOURCE)
  const early = new EarlyCopy(sink, reader, [region], true, { payload: 1, carved: 1000 })
  const tables = plan.tracks.map(({ table }) => table)
  const holes = hole ? [{ ...hole, rows: tables.map(() => 0) }] : []
  await early.advance({ until: region.offset + 500, holes: [], tables })
  expect(sink.copied).toBe(0)
  await early.advance({ until: region.offset + 8_000, holes: [], tables })
  expect(sink.copied).toBe(8_000)
  await early.advance({ until: region.end, holes, tables })
  await writeMovie(plan, reader, sink, SILENT, early)
  return { bytes: sink.bytes(), sink }
}

describe('copying payload before its index is known', () => {
  it('gives the packets that writing afterwards gives, and reads nothing twice', async () => {
    const plan = wholePlan(await movieOf(SOURCE))
    const { bytes, sink } = await writtenEarly(plan)
    expect(await packets(bytes)).toEqual(await packets(await write(plan, SOURCE)))
    expect(sink.copied).toBe(mediaData(SOURCE).length)
  })

  it('puts the payload where it is copied ahead, and clears what was copied with it', async () => {
    const plan = wholePlan(await movieOf(SOURCE))
    const lead = 1 << 20
    const { bytes } = await writtenEarly(plan, undefined, new RandomAccessSink({ lead, source: SOURCE }))
    const { offset } = mediaData(SOURCE)
    expect(mediaData(bytes).offset).toBe(lead + offset)
    expect(bytes.subarray(lead, lead + offset - 16)).toEqual(new Uint8Array(offset - 16))
    expect(await packets(bytes)).toEqual(await packets(await write(plan, SOURCE)))
  })

  it('chooses a place of its own where the index has no room in front of what is copied ahead', async () => {
    const plan = wholePlan(await movieOf(SOURCE))
    const lead = 4096
    const { bytes } = await writtenEarly(plan, undefined, new RandomAccessSink({ lead, source: SOURCE }))
    const { offset } = mediaData(bytes)
    expect(offset).toBeGreaterThan(lead + mediaData(SOURCE).offset)
    // free space is zeros there, too
    const free = readChildren(readerOf(bytes), 0, bytes.length).boxes.find(({ type }) => type === 'free')
    const { size = 0 } = free ?? {}
    expect(size).toBeGreaterThan(lead)
    expect(bytes.subarray(offset - size + 8, offset - 16).every((byte) => byte === 0)).toBe(true)
    expect(await packets(bytes)).toEqual(await packets(await write(plan, SOURCE)))
  })

  it('leaves out what lies in a hole', async () => {
    const movie = await movieOf(SOURCE)
    const whole = wholePlan(movie)
    const [track] = whole.tracks
    const row = 100
    const kept = without(track.table, row)
    const plan = { ...whole, tracks: [{ ...track, table: kept }, ...whole.tracks.slice(1)] }
    const hole = { offset: track.table.offset[row], length: track.table.size[row] }
    const { bytes, sink } = await writtenEarly(plan, hole)
    expect(await packets(bytes)).toEqual(await packets(await write(plan, SOURCE)))
    expect(sink.copied).toBe(mediaData(SOURCE).length - hole.length)
  })

  it('writes anew what the plan wants otherwise', async () => {
    const whole = wholePlan(await movieOf(SOURCE))
    const [track] = whole.tracks
    const plan = {
      ...whole,
      tracks: [{ ...track, table: without(track.table, 60) }, ...whole.tracks.slice(1)],
    }
    const { bytes } = await writtenEarly(plan)
    expect(await packets(bytes)).toEqual(await packets(await write(plan, SOURCE)))
    expect(mediaData(bytes).length).toBe(mediaData(SOURCE).length - track.table.size[60])
  })
})

async function packets(bytes: Uint8Array): Promise<ReturnType<typeof contents>[]> {
  return (await seen(bytes)).map(contents)
}

function without(table: SampleTable, row: number): SampleTable {
  const kept = new SampleTable()
  for (let i = 0; i < table.length; i++) {
    if (i === row) continue
    const at = kept.push(
      table.offset[i],
      table.size[i],
      table.count[i],
      table.duration[i],
      table.order[i],
      table.flags[i],
    )
    kept.dts[at] = table.dts[i]
    kept.cts[at] = table.cts[i]
  }
  return kept
}
