import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parseAvcC } from '../../../src/codecs/h264/avcc.ts'
import { mpeg1PacketHeader } from '../../../src/syntax/pes/packet-header.ts'
import { FIXTURES } from '../../../testing/contract/fixtures.ts'
import { readRecording } from '../../../testing/recordings/read-recording.ts'
import { repairRecording } from '../../../testing/recordings/repair-recording.ts'

const PACK = [0, 0, 1, 0xba, 0x21, 0, 1, 0, 1, 0x80, 0x22, 0xd5]
const START = [0, 0, 0, 1]
const CLOCK = 90_000
const CHUNK = 2_000

/** A packet of pictures in a pack of its own. */
function packed(payload: Uint8Array, pts: number, dts: number): Uint8Array {
  return Uint8Array.of(...PACK, ...mpeg1PacketHeader(0xe0, payload.length, pts, dts), ...payload)
}

/** A film of H.264 as a program stream: its parameter sets in the first packet, pictures in the others. */
async function film(name: string): Promise<{ sets: Uint8Array; head: Uint8Array; pictures: Uint8Array }> {
  const bytes = new Uint8Array(readFileSync(`${FIXTURES}/isobmff/${name}`))
  const at = Buffer.from(bytes).indexOf('avcC') + 4
  const config = parseAvcC(bytes.subarray(at))
  const track = (await readRecording(bytes)).find(({ kind }) => kind === 'video')
  if (!config || !track) throw new Error(`${name} has no pictures`)
  const sets = Uint8Array.from([...config.sps, ...config.pps].flatMap((set) => [...START, ...set.bytes]))
  const parts: Uint8Array[] = []
  for (const [i, { position, size, pts, duration }] of track.samples.entries()) {
    const unit = bytes.slice(position, position + size)
    // lengths of four bytes become start codes
    for (let next = 0; next < size; ) {
      const length = new DataView(unit.buffer).getUint32(next)
      unit.set(START, next)
      next += 4 + length
    }
    const shown = Math.round((pts + 1) * CLOCK)
    const dts = Math.round((i * duration + 0.5) * CLOCK)
    for (let from = 0; from < size; from += CHUNK)
      parts.push(packed(unit.subarray(from, from + CHUNK), from === 0 ? shown : -1, from === 0 ? dts : -1))
  }
  return { sets, head: packed(sets, -1, -1), pictures: new Uint8Array(Buffer.concat(parts)) }
}

describe('pictures of H.264 in a program stream', async () => {
  const { sets, head, pictures } = await film('h264-silent.m4v')
  const whole = new Uint8Array(Buffer.concat([head, pictures]))
  const zeroed = whole.slice().fill(0, 0, head.length)
  const other = await film('h264-pcm-chunks.mov')

  it('are healthy with their parameter sets', async () => {
    expect((await repairRecording(whole, 'mpg')).report.verdict).toBe('healthy')
  })

  it('get those of a sample with which they read to their ends', async () => {
    const { report, bytes } = await repairRecording(zeroed, 'mpg', whole)
    expect(report).toMatchObject({ verdict: 'repaired', sample: { used: ['parameter sets'] } })
    expect(report.tracks.map(({ codec }) => codec)).toEqual(['h264'])
    const place = Buffer.from(bytes).indexOf(Buffer.from(sets))
    expect(place).toBeGreaterThan(0)
    expect(place).toBeLessThan(100)
    expect((await repairRecording(bytes, 'mpg')).report.verdict).toBe('healthy')
  })

  it('get none without a sample, nor from another film’s, and are not called repaired', async () => {
    const foreign = new Uint8Array(Buffer.concat([other.head, other.pictures]))
    for (const sample of [undefined, foreign]) {
      const { report, bytes, doubts } = await repairRecording(zeroed, 'mpg', sample)
      expect(report.verdict).toBe('partial')
      expect(doubts).toContain('missing')
      expect(Buffer.from(bytes).indexOf(Buffer.from(other.sets))).toBe(-1)
    }
  })

  it('get their own that stand farther behind', async () => {
    const twice = new Uint8Array(Buffer.concat([zeroed, whole]))
    const { report, bytes } = await repairRecording(twice, 'mpg')
    expect(report.sample?.used ?? []).toEqual([])
    expect(Buffer.from(bytes).indexOf(Buffer.from(sets))).toBeLessThan(100)
  })
})
