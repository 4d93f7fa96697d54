import { describe, expect, it } from 'vitest'
import { DEFAULT_LIMITS } from '../../../src/bytes/limits.ts'
import { ByteReader } from '../../../src/bytes/reader.ts'
import { MemorySource } from '../../../src/bytes/source.ts'
import { COMPRESSED } from '../../../src/formats/asf/read/packet-table.ts'
import { scan } from '../../../src/formats/asf/read/scan.ts'
import { packetsOf } from '../../../src/formats/asf/recipes.ts'
import { SILENT } from '../../../src/model/monitor.ts'
import { repairRecording } from '../../../testing/recordings/repair-recording.ts'
import { filmOf } from './support/film.ts'
import { compressed, packet, payload } from './support/packets.ts'

const SIZE = 256
/** Of pictures, and of sound, as the header has them. */
const [PICTURES, SOUND] = [1, 2]
const PACKETS = 40

/** A file of packets in each of which a picture stands between two payloads of several sounds. */
function film(): Uint8Array {
  const packets = Array.from({ length: PACKETS }, (_, i) => {
    const [first, second] = [i * 2, i * 2 + 1]
    return packet(
      SIZE,
      compressed(SOUND, first, 1000 + first * 40),
      payload(PICTURES, i, 90),
      compressed(SOUND, second, 1000 + second * 40),
    )
  })
  return filmOf(packets, { least: SIZE, most: SIZE }, PACKETS * 80)
}

/** Payloads of several sounds as `time bytes`, and where each stands. */
async function soundsOf(bytes: Uint8Array): Promise<{ text: string; offset: number; data: number }[]> {
  const reader = new ByteReader(new MemorySource(bytes))
  const { start, size } = packetsOf(bytes)
  const all = [() => true, () => false, DEFAULT_LIMITS, SILENT] as const
  const { payloads } = await scan(reader, start, { least: size, most: size }, ...all)
  return [...payloads.flags.subarray(0, payloads.length).keys()]
    .filter((row) => payloads.flags[row] & COMPRESSED)
    .map((row) => {
      const offset = payloads.offset[row]
      const data = offset + payloads.header[row]
      const text = `${payloads.time[row]} ${bytes.subarray(data, data + payloads.size[row])}`
      return { text, offset, data }
    })
}

describe('payloads that hold several objects', () => {
  const whole = film()

  it('are all there in a file that is healthy', async () => {
    expect((await repairRecording(whole, 'asf')).report.verdict).toBe('healthy')
    expect(await soundsOf(whole)).toHaveLength(PACKETS * 2)
  })

  it('have their time back where a bit of it is turned, in the file, too', async () => {
    const before = await soundsOf(whole)
    const damaged = whole.slice()
    damaged[before[30].offset + 4] ^= 1
    const { report, bytes, findings } = await repairRecording(damaged, 'asf')
    expect(report.verdict).toBe('repaired')
    expect(findings).toContain('asf.time-wrong')
    expect((await soundsOf(bytes)).map(({ text }) => text)).toEqual(before.map(({ text }) => text))
    expect((await repairRecording(bytes, 'asf')).report.verdict).toBe('healthy')
  })

  it('are lost with the bytes that are missing from them, and no others are', async () => {
    const before = await soundsOf(whole)
    const { data } = before[30]
    const damaged = Uint8Array.from([...whole.subarray(0, data + 2), ...whole.subarray(data + 4)])
    const { bytes } = await repairRecording(damaged, 'asf')
    const known = new Set(before.map(({ text }) => text))
    const after = await soundsOf(bytes)
    expect(after.filter(({ text }) => !known.has(text))).toEqual([])
    expect(after.length).toBeGreaterThanOrEqual(before.length - 1)
  })

  it('are found again behind a header that is gone, with a sample', async () => {
    const damaged = whole.slice().fill(0, 0, packetsOf(whole).start + 300)
    const { bytes } = await repairRecording(damaged, 'asf', whole)
    const known = new Set((await soundsOf(whole)).map(({ text }) => text))
    const after = await soundsOf(bytes)
    expect(after.filter(({ text }) => !known.has(text))).toEqual([])
    expect(after.length).toBeGreaterThanOrEqual(known.size - 4)
  })
})
