import { describe, expect, it } from 'vitest'
import { DOUBT } from '../../../src/model/doubt.ts'
import { readChildren } from '../../../src/syntax/iso-boxes/box.ts'
import { readerOf, repaired } from './support/engine.ts'
import { fixture } from './support/fixtures.ts'
import { recovered, seen } from './support/packets.ts'

/** A recording in fragments that do not say when they start. */
function untold(): Uint8Array {
  const bytes = fixture('h264-aac-fragmented.mp4')
  for (let at = -1; ; ) {
    at = Buffer.from(bytes.buffer).indexOf('tfdt', at + 1, 'latin1')
    if (at < 0) return bytes
    bytes.set(Buffer.from('free', 'latin1'), at)
  }
}

/** Its fragments: where each one's index begins and ends, and its payload. */
function fragments(bytes: Uint8Array) {
  const { boxes } = readChildren(readerOf(bytes), 0, bytes.length)
  return boxes.flatMap((box, i) =>
    box.type === 'moof' ? [{ start: box.offset, index: box.end, end: boxes[i + 1].end }] : [],
  )
}

async function kept(bytes: Uint8Array) {
  const found = await seen(bytes)
  const whole = await seen(untold())
  return whole.map((stream, i) => ({ all: stream.packets.length, ...recovered(stream, found[i]) }))
}

describe('fragments that do not say when they start', () => {
  it('start behind what is found of one whose index is lost', async () => {
    const damaged = untold()
    const { start, index } = fragments(damaged)[2]
    damaged.fill(0, start, index)
    const { report, bytes } = await repaired(damaged)
    for (const { all, packets, timed } of await kept(bytes)) {
      expect(packets).toBe(all)
      expect(timed).toBe(all)
    }
    expect(report.doubts ?? []).not.toContain(DOUBT.times)
  })

  it('start later by as much as others last where one is missing, which is a doubt', async () => {
    const whole = untold()
    const [, , { start, end }] = fragments(whole)
    const { report, bytes } = await repaired(Buffer.concat([whole.subarray(0, start), whole.subarray(end)]))
    expect(report.verdict).toBe('partial')
    expect(report.doubts).toContain(DOUBT.times)
    const [film, before] = [await seen(bytes), await seen(whole)].map((streams) => streams[0].packets)
    const behind = (packets: typeof film): number => (packets.at(-1)?.pts ?? 0) - (packets[0].pts ?? 0)
    expect(Math.abs(behind(film) - behind(before))).toBeLessThan(0.3)
  })
})
