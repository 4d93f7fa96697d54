import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { ByteReader } from '../../../src/bytes/reader.ts'
import { MemorySource } from '../../../src/bytes/source.ts'
import { guessLayout } from '../../../src/formats/mpegts/read/layout.ts'
import { LAYOUTS, type Layout, PACKET_BYTES } from '../../../src/formats/mpegts/read/packet.ts'
import { packetsOf, RECIPES } from '../../../src/formats/mpegts/recipes.ts'
import { FIXTURES } from '../../../testing/contract/fixtures.ts'
import { repairRecording } from '../../../testing/recordings/repair-recording.ts'

const SOURCE = new Uint8Array(readFileSync(`${FIXTURES}/mpegts/ts-hevc-two-aac.ts`))

/** The recording with bytes in front of each packet, or behind, that no other packet has. */
function laidOut({ size, lead }: Layout): Uint8Array {
  const packets = packetsOf(SOURCE)
  const bytes = new Uint8Array(packets.length * size)
  const view = new DataView(bytes.buffer)
  for (const [i, { at }] of packets.entries()) {
    bytes.set(SOURCE.subarray(at, at + PACKET_BYTES), i * size + lead)
    if (lead > 0) view.setUint32(i * size, 5000 * (i + 1))
    for (let k = PACKET_BYTES + lead; k < size; k++) bytes[i * size + k] = (i * 7 + k * 31) & 0xff
  }
  return bytes
}

/** Packets with all that belongs to them. */
function packetsWith(bytes: Uint8Array, { size, lead }: Layout): string[] {
  return packetsOf(bytes).map(({ at }) =>
    Buffer.from(bytes.subarray(at - lead, at - lead + size)).toString('hex'),
  )
}

/** Packets that a damage of `RECIPES` may make the repair write anew. */
const MOST_NEW = 40

it('a file of three packets or four is one where it is nothing else', () => {
  const guess = (bytes: Uint8Array) => guessLayout(new ByteReader(new MemorySource(bytes)))
  for (const count of [3, 4])
    expect(guess(SOURCE.subarray(0, count * PACKET_BYTES))).toEqual({
      layout: LAYOUTS[0],
      share: 1,
      longest: count,
    })
  expect(guess(SOURCE.subarray(0, 2 * PACKET_BYTES))).toBeUndefined()
  const behind = new Uint8Array(2 * PACKET_BYTES + 3 * PACKET_BYTES)
  behind.set(SOURCE.subarray(0, 3 * PACKET_BYTES), 2 * PACKET_BYTES)
  expect(guess(behind)).toBeUndefined()
})

describe.each(LAYOUTS)('packets of $size bytes', (layout) => {
  const whole = laidOut(layout)
  const own = new Set(packetsWith(whole, layout))

  it('are healthy as they are', async () => {
    expect((await repairRecording(whole, 'ts')).report.verdict).toBe('healthy')
  })

  it.each(RECIPES.filter(({ name }) => name !== 'bits flipped'))(
    '$name: what is whole stays with all its bytes, what comes out is healthy',
    async ({ apply }) => {
      const { report, bytes } = await repairRecording(apply(whole, 5), 'ts')
      expect(['repaired', 'partial']).toContain(report.verdict)
      expect(bytes.length % layout.size).toBe(0)
      const strange = packetsWith(bytes, layout).filter((packet) => !own.has(packet))
      expect(strange.length).toBeLessThan(MOST_NEW)
      expect((await repairRecording(bytes, 'ts')).report.verdict).toBe('healthy')
    },
  )
})
