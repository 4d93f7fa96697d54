import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { DEFAULT_LIMITS } from '../../../src/bytes/limits.ts'
import { ByteReader } from '../../../src/bytes/reader.ts'
import { MemorySource } from '../../../src/bytes/source.ts'
import { sampleMaps } from '../../../src/formats/mpegts/mend/program-maps.ts'
import { CLOCK_AT, CLOCK_BYTES, hasClock } from '../../../src/formats/mpegts/read/clock.ts'
import { PidStream } from '../../../src/formats/mpegts/read/stream.ts'
import { packetsOf, tablesLost } from '../../../src/formats/mpegts/recipes.ts'
import { survey } from '../../../src/formats/mpegts/survey.ts'
import { SILENT } from '../../../src/model/monitor.ts'
import { SampleTable } from '../../../src/model/sample-table.ts'
import { ClockTable } from '../../../src/recording/clock-table.ts'
import type { ProgramMap } from '../../../src/syntax/psi/program-map.ts'
import { FIXTURES } from '../../../testing/contract/fixtures.ts'

function map(
  pcrPid: number,
  ...streams: readonly (readonly [pid: number, streamType: number])[]
): ProgramMap {
  const descriptors = new Uint8Array(0)
  return {
    program: 1,
    pcrPid,
    descriptors,
    streams: streams.map(([pid, streamType]) => ({ pid, streamType, descriptors })),
  }
}

function tableOf(rows: number): SampleTable {
  const table = new SampleTable()
  for (let row = 0; row < rows; row++) table.push(row, 1, 1, 0, 0, 0)
  return table
}

it('a program map comes from a sample only with the same clock, and every stream of the same type', () => {
  const own = map(256, [256, 0x1b], [257, 0x0f])
  const like = map(256, [256, 0x1b], [257, 0x0f], [258, 0x06])
  const others = [
    map(257, [256, 0x1b], [257, 0x0f]),
    map(256, [256, 0x1b]),
    map(256, [256, 0x1b], [257, 0x03]),
    map(256, [256, 0x1b], [259, 0x0f]),
  ]
  expect(sampleMaps(others, own, [])).toEqual([])
  expect(sampleMaps([...others, like], own, [])).toEqual([like])
})

it('streams that tell no type have the map of a sample with the same PIDs and the same clock, or none', () => {
  const carrying = (pid: number, rows: number, clocks: number): PidStream => {
    const stream = new PidStream(pid)
    stream.table = tableOf(rows)
    if (clocks > 0) stream.clocks = new ClockTable(clocks)
    for (let row = 0; row < clocks; row++) stream.clocks?.push(row, 0)
    return stream
  }
  const maps = [map(256, [256, 0x2d], [257, 0x88])]
  expect(sampleMaps(maps, undefined, [carrying(256, 9, 9), carrying(257, 9, 0)])).toEqual(maps)
  expect(sampleMaps(maps, undefined, [carrying(257, 9, 0)])).toEqual(maps)
  expect(sampleMaps(maps, undefined, [carrying(257, 9, 9)])).toEqual([])
  expect(sampleMaps(maps, undefined, [carrying(256, 9, 9), carrying(258, 9, 0)])).toEqual([])
  expect(sampleMaps(maps, undefined, [carrying(256, 0, 9)])).toEqual([])
})

/** A stream without tables whose clock references stand in packets of a PID of their own, as in those of disc cameras. */
function withOwnClock(bytes: Uint8Array, pid: number): Uint8Array {
  const lost = tablesLost(bytes)
  const packets: Uint8Array[] = []
  for (const { at } of packetsOf(lost)) {
    const packet = lost.slice(at, at + 188)
    if (hasClock(packet, 0)) {
      const clock = new Uint8Array(188).fill(0xff)
      clock.set([0x47, pid >> 8, pid & 255, 0x20, 183, 0x10])
      clock.set(packet.subarray(CLOCK_AT, CLOCK_AT + CLOCK_BYTES), CLOCK_AT)
      packet[5] &= ~0x10
      packet.fill(0xff, CLOCK_AT, CLOCK_AT + CLOCK_BYTES)
      packets.push(clock)
    }
    packets.push(packet)
  }
  return new Uint8Array(Buffer.concat(packets))
}

it('a program map that is made names the PID with the clock, though that carries nothing else', async () => {
  const bytes = withOwnClock(readFileSync(`${FIXTURES}/mpegts/ts-hevc-two-aac.ts`), 0x1001)
  const found = await survey(new ByteReader(new MemorySource(bytes)), DEFAULT_LIMITS, SILENT)
  expect(found?.maps.map(({ pcrPid }) => pcrPid)).toEqual([0x1001])
  expect(found?.tracks).toHaveLength(3)
})
