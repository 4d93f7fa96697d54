import { describe, expect, it } from 'vitest'
import { packetsOf } from '../../../src/formats/asf/recipes.ts'
import { repairRecording } from '../../../testing/recordings/repair-recording.ts'
import { filmOf } from './support/film.ts'
import { objectsOf } from './support/objects.ts'
import { payload, sizedPacket } from './support/packets.ts'

const PACKETS = 60
const packets = Array.from({ length: PACKETS }, (_, i) =>
  sizedPacket(payload(1, i, 40 + ((i * 37) % 120)), payload(2, i, 30 + ((i * 11) % 40))),
)
const whole = filmOf(packets, { least: 64, most: 400 }, PACKETS)
const { start } = packetsOf(whole)
/** Where a packet begins. */
const place = (number: number): number => start + packets.slice(0, number).flat().length

describe('packets of different sizes, each of which tells its own', () => {
  it('are healthy', async () => {
    expect((await repairRecording(whole, 'asf')).report.verdict).toBe('healthy')
    expect(await objectsOf(whole)).toHaveLength(PACKETS * 2)
  })

  it.each([
    ['behind zeros', whole.slice().fill(0, place(20) + 30, place(22) + 10), 6],
    [
      'behind bytes that are missing',
      Uint8Array.from([...whole.subarray(0, place(20) + 40), ...whole.subarray(place(20) + 90)]),
      2,
    ],
    [
      'behind bytes put in',
      Uint8Array.from([
        ...whole.subarray(0, place(20) + 40),
        ...new Uint8Array(77).fill(0xe7),
        ...whole.subarray(place(20) + 40),
      ]),
      2,
    ],
    ['where the file is cut off', whole.slice(0, place(40) + 50), (PACKETS - 40) * 2],
  ])('are found again %s', async (_, damaged, lost) => {
    const { report, bytes } = await repairRecording(damaged, 'asf')
    expect(report.verdict).toBe('repaired')
    const before = await objectsOf(whole)
    const after = await objectsOf(bytes)
    expect(after.filter((object) => !before.includes(object))).toEqual([])
    expect(after.length).toBeGreaterThanOrEqual(before.length - lost)
  })

  it('are found again behind a header that is gone, with a sample', async () => {
    const { bytes } = await repairRecording(whole.slice().fill(0, 0, place(2) + 20), 'asf', whole)
    const before = await objectsOf(whole)
    const after = await objectsOf(bytes)
    expect(after.filter((object) => !before.includes(object))).toEqual([])
    expect(after.length).toBeGreaterThanOrEqual(before.length - 8)
  })
})
