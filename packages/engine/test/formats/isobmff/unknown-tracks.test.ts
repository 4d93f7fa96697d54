import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { blocksLost, randomNumbers } from '../../../src/bytes/damage.ts'
import { indexZeroed, payload } from '../../../src/formats/isobmff/recipes.ts'
import { DOUBT } from '../../../src/model/doubt.ts'
import { movieOf, repaired } from './support/engine.ts'
import { recovered, seen } from './support/packets.ts'

/** A recording of the contract suite. */
function stored(name: string): Uint8Array {
  const path = new URL(`../../../testing/fixtures/isobmff/${name}`, import.meta.url)
  return new Uint8Array(readFileSync(path))
}

/** Packets of each stream that are missing, and that are there at another time. */
async function faults(original: Uint8Array, bytes: Uint8Array) {
  const found = await seen(bytes)
  return (await seen(original)).map((stream) => {
    const twin = found.find(({ kind, codec }) => kind === stream.kind && codec === stream.codec)
    const { packets, timed } = recovered(stream, twin)
    return { kind: stream.kind, missing: stream.packets.length - packets, mistimed: packets - timed }
  })
}

/** A recording whose sound holds bytes that nobody knows. */
async function unknownSound(name: string): Promise<Uint8Array> {
  const bytes = stored(name)
  const next = randomNumbers(9)
  for (const { description, samples } of (await movieOf(bytes)).tracks) {
    if (description.kind !== 'audio') continue
    for (let row = 0; row < samples.length; row++)
      for (let i = 0; i < samples.size[row]; i++) bytes[samples.offset[row] + i] = next() * 256
  }
  return bytes
}

describe('a phone’s recording without an index and without a sample', () => {
  it('whose pictures carry no headers (MPEG-4) and whose sound is speech comes back whole, with the doubt that they were assumed', async () => {
    const original = stored('3gp-mpeg4-amr.3gp')
    const { report, bytes } = await repaired(indexZeroed(original))
    expect(report.doubts).toEqual([DOUBT.assumed])
    expect(report.tracks.map(({ times }) => times)).toEqual(['estimated', 'estimated'])
    expect(report.findings.some(({ message }) => message.includes('video object layer of MPEG-4'))).toBe(true)
    for (const { missing, mistimed } of await faults(original, bytes)) {
      expect(missing).toBeLessThanOrEqual(1)
      expect(mistimed).toBe(0)
    }
  })

  it('the same with blocks lost behind its only key picture', async () => {
    const original = stored('3gp-mpeg4-amr.3gp')
    const { report, bytes } = await repaired(
      indexZeroed(blocksLost(original, 2, 512, true, 5, payload(original))),
    )
    expect(report.verdict).not.toBe('unrepairable')
    const [pictures] = (await faults(original, bytes)).filter(({ kind }) => kind === 'video')
    expect(pictures.missing).toBeLessThanOrEqual(6)
  })
})

describe('pictures beside sound that nobody knows', () => {
  it.each(['h264-camera-aac.mov', 'h264-pcm-chunks.mov'])(
    '%s: come back without index and sample, and the repair is called partial',
    async (name) => {
      const original = await unknownSound(name)
      const { report, bytes } = await repaired(indexZeroed(original))
      expect(report.verdict).toBe('partial')
      const [pictures] = (await faults(original, bytes)).filter(({ kind }) => kind === 'video')
      expect(pictures.missing).toBeLessThanOrEqual(1)
      expect(pictures.mistimed).toBeLessThanOrEqual(1)
    },
  )
})
