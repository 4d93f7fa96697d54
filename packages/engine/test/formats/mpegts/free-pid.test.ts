import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { MemorySink } from '../../../src/bytes/sink.ts'
import { MemorySource } from '../../../src/bytes/source.ts'
import { repair } from '../../../src/engine.ts'
import { PACKET_BYTES } from '../../../src/formats/mpegts/read/packet.ts'
import { packetsOf, tablesLost } from '../../../src/formats/mpegts/recipes.ts'
import { FIXTURES } from '../../../testing/contract/fixtures.ts'

/** A stream without its tables, and one packet of every PID from `from` to `to` behind it. */
function crowded(from: number, to: number): Uint8Array {
  const lost = tablesLost(readFileSync(`${FIXTURES}/mpegts/ts-hevc-two-aac.ts`))
  const others = new Uint8Array((to - from + 1) * PACKET_BYTES).fill(0x55)
  for (let pid = from; pid <= to; pid++)
    others.set([0x47, pid >> 8, pid & 255, 0x10], (pid - from) * PACKET_BYTES)
  return new Uint8Array(Buffer.concat([lost, others]))
}

it('where every PID from the usual one on is taken, the map of a program has the lowest that is free', async () => {
  const sink = new MemorySink()
  const report = await repair({
    damaged: { source: new MemorySource(crowded(0x1000, 0x1ffe)), name: 'damaged.ts' },
    sink,
  })
  expect(report).toHaveProperty('tracks.length', 3)
  const [association, map] = packetsOf(sink.bytes())
  expect([association.pid, map.pid]).toEqual([0, 0x20])
})

it('where every PID is taken nothing is written, and the report says why', async () => {
  const sink = new MemorySink()
  const report = await repair({
    damaged: { source: new MemorySource(crowded(0x10, 0x1ffe)), name: 'damaged.ts' },
    sink,
  })
  expect(report.verdict).toBe('unrepairable')
  expect(report.reason).toContain('packet number')
  expect(sink.bytes()).toHaveLength(0)
})
