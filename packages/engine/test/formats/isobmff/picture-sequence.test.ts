import { describe, expect, it } from 'vitest'
import { smallRecording } from '../../../testing/recordings/catalogue.ts'
import { movieOf, repaired, wholePlan, write } from './support/engine.ts'

/** A recording whose index lies in front, its first track of pictures under a handler. */
async function recording(handler: string): Promise<Uint8Array> {
  const plain = smallRecording('h264-pcm', 45, 1)
  const bytes = await write(wholePlan(await movieOf(plain)), plain)
  bytes.set(new TextEncoder().encode(handler), Buffer.from(bytes).indexOf('vide'))
  return bytes
}

/** Codes of the doubts that a repair of a part of a file has. */
async function doubts(bytes: Uint8Array): Promise<string[]> {
  const { report } = await repaired(bytes)
  expect(report.verdict).toBe((report.doubts ?? []).length === 0 ? 'repaired' : 'partial')
  return (report.doubts ?? []).map(({ code }) => code)
}

describe('a sequence of pictures that are a photo', () => {
  it('is healthy where it is whole', async () => {
    expect((await repaired(await recording('pict'))).report.verdict).toBe('healthy')
  })

  it('is not repaired while pictures of it are gone, where a film is', async () => {
    const cut = async (handler: string): Promise<string[]> => {
      const bytes = await recording(handler)
      return doubts(bytes.subarray(0, bytes.length * 0.7))
    }
    expect(await cut('vide')).toEqual([])
    expect(await cut('pict')).toEqual(['frames'])
  })

  it('tells of pictures that are hit', async () => {
    const bytes = await recording('pict')
    const { samples } = (await movieOf(bytes)).tracks[0]
    // the first picture is the largest: zeros in its second half are none that an encoder writes
    bytes.fill(0, samples.offset[0] + (samples.size[0] >> 1), samples.offset[0] + samples.size[0])
    expect(await doubts(bytes)).toContain('areas-lost')
  })

  it('is not repaired where its index is gone: nothing else tells how many pictures it had', async () => {
    const bytes = await recording('pict')
    const index = Buffer.from(bytes).indexOf('moov')
    const lost = Uint8Array.from(bytes).fill(0, index - 4, Buffer.from(bytes).indexOf('mdat') - 4)
    const { report } = await repaired(lost, bytes)
    expect((report.doubts ?? []).map(({ code }) => code)).toContain('frames')
  })
})
