import { expect, test } from 'vitest'
import { Edits } from '../../src/bytes/edits.ts'
import { Foresight, PlannedPlaces } from '../../src/bytes/foresight.ts'
import { RangeWriter, type ResultWriter } from '../../src/bytes/range-writer.ts'
import { ByteReader } from '../../src/bytes/reader.ts'
import { endAhead, MemorySink, type SeekableSink } from '../../src/bytes/sink.ts'
import { type ByteSource, MemorySource } from '../../src/bytes/source.ts'
import { SILENT } from '../../src/model/monitor.ts'

const MIB = 1 << 20

/** Keeps what is foretold and what is ordered: offset, place, length. */
class NotingSink extends MemorySink implements SeekableSink {
  readonly pending = 0
  readonly told: number[][] = []
  readonly ordered: number[][] = []
  #copied = 0

  override get position(): number {
    return super.position + this.#copied
  }

  expect(_source: ByteSource, offset: number, at: number, length: number): void {
    this.told.push([offset, at, length])
  }

  copy(_source: ByteSource, offset: number, length: number): boolean {
    if (length > 0) this.ordered.push([offset, this.position, length])
    this.#copied += length
    return true
  }

  async hold(): Promise<void> {}
  async settled(): Promise<void> {}
  async seek(): Promise<void> {}
}

const SOURCE = new MemorySource(new Uint8Array(0))

test('a walk tells stretches where they come to lie, but for those in which that changed', () => {
  const sink = new NotingSink()
  const edits = new Edits(new Foresight(sink, SOURCE))
  for (let at = 0; at <= 40 * MIB; at += MIB) {
    if (at === 20 * MIB) edits.drop(at - 100, 30)
    if (at === 20 * MIB) edits.drop(at - 70, 30)
    if (at === 30 * MIB) edits.replace(at - 5, 5, new Uint8Array(5))
    edits.reached(at)
  }
  expect(sink.told).toEqual([
    [0, 0, 8 * MIB],
    [8 * MIB, 8 * MIB, 8 * MIB],
    [16 * MIB, 16 * MIB, 3 * MIB],
    [20 * MIB, 20 * MIB - 60, 8 * MIB],
    [28 * MIB, 28 * MIB - 60, 8 * MIB],
  ])
})

test('where it is known between which places the result grew, all in front is told', () => {
  const sink = new NotingSink()
  const foresight = new Foresight(sink, SOURCE)
  foresight.changed(3 * MIB, 5 * MIB, -7)
  foresight.changed(5 * MIB, 6 * MIB, 9)
  foresight.reached(14 * MIB, 9)
  expect(sink.told).toEqual([
    [0, 0, 3 * MIB],
    [6 * MIB, 6 * MIB + 9, 8 * MIB],
  ])
})

test('a sink that cares for no places is told none', () => {
  new Foresight(new MemorySink(), SOURCE).reached(100 * MIB, 0)
  expect(PlannedPlaces.of(new MemorySink(), SOURCE)).toBeUndefined()
})

test('planned places are those of what is ordered when it is written', async () => {
  const write = async (writer: ResultWriter): Promise<void> => {
    writer.write(new Uint8Array(1000))
    await writer.copy(50, 3 * MIB)
    await writer.copy(7, 100)
    await writer.fill(0, 3)
    await writer.copy(5 * MIB, 70_000)
    await writer.end()
  }
  const planned = new NotingSink()
  const places = PlannedPlaces.of(planned, SOURCE)
  if (!places) throw new Error('the sink cares for places')
  await write(places)
  const written = new NotingSink()
  await write(new RangeWriter(new ByteReader(SOURCE), written, SILENT, 4 * MIB))
  expect(planned.told).toEqual(written.ordered)
  expect(planned.told).toHaveLength(2)
  expect(places.position).toBe(written.position)
})

test('copying ahead has ended when its end has been waited for', async () => {
  let held = false
  const sink = new NotingSink()
  sink.hold = async () => {
    await new Promise((resolve) => setImmediate(resolve))
    held = true
  }
  await endAhead(sink)
  expect(held).toBe(true)
})
