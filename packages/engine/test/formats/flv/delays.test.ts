import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { MemorySink } from '../../../src/bytes/sink.ts'
import { MemorySource } from '../../../src/bytes/source.ts'
import { repair } from '../../../src/engine.ts'
import { FIXTURES } from '../../../testing/contract/fixtures.ts'

async function repaired(bytes: Uint8Array) {
  const sink = new MemorySink()
  const report = await repair({ damaged: { source: new MemorySource(bytes), name: 'damaged.flv' }, sink })
  return { report, bytes: sink.bytes() }
}

/** Where the delays of H.264 pictures stand, CompositionTime of Annex E.4.3.1, behind the type of a packet with a picture. */
function delayPlaces(bytes: Uint8Array): number[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const places: number[] = []
  for (let at = 13; at + 15 < bytes.length; at += (view.getUint32(at) & 0xffffff) + 15)
    if (bytes[at] === 9 && bytes[at + 12] === 1) places.push(at + 13)
  return places
}

const delaysOf = (bytes: Uint8Array): number[] =>
  delayPlaces(bytes).map((at) => (bytes[at] << 16) | (bytes[at + 1] << 8) | bytes[at + 2])

const whole = new Uint8Array(readFileSync(`${FIXTURES}/flv/flv-h264-aac.flv`))
const middle = delayPlaces(whole).length >> 1

it.each([0, 1, 5])(
  'a delay of which a bit of its highest byte was hit (picture %i from the middle) is put right',
  async (ahead) => {
    const damaged = whole.slice()
    damaged[delayPlaces(whole)[middle + ahead]] ^= 8
    const { report, bytes } = await repaired(damaged)
    expect(report.verdict).toBe('repaired')
    expect(report.findings.map(({ code }) => code)).toContain('flv.time-wrong')
    const off = delaysOf(bytes).map((delay, i) => Math.abs(delay - delaysOf(whole)[i]))
    // half a step is rounded
    expect(Math.max(...off)).toBeLessThan(2)
  },
)

it('two delays hit side by side leave a doubt of when their pictures are shown', async () => {
  const damaged = whole.slice()
  for (const ahead of [0, 1]) damaged[delayPlaces(whole)[middle + ahead]] ^= 8
  const { report } = await repaired(damaged)
  expect(report.verdict).toBe('partial')
})

it("delays most of which are far off are the recording's own", async () => {
  const far = whole.slice()
  for (const [i, at] of delayPlaces(whole).entries()) if (i % 2 === 1) far[at] ^= 8
  const { report } = await repaired(far)
  expect(report.findings.map(({ code }) => code)).not.toContain('flv.time-wrong')
})
