import { describe, expect, it } from 'vitest'
import { readChildren } from '../../../src/syntax/iso-boxes/box.ts'
import { readerOf, repaired } from './support/engine.ts'
import { fixture } from './support/fixtures.ts'
import { recovered, seen } from './support/packets.ts'

const healthy = fixture('h264-aac-fragmented.mp4')
const sample = fixture('h264-aac-twin.mp4')

function moov(): { offset: number; end: number } {
  const box = readChildren(readerOf(healthy), 0, healthy.length).boxes.find(({ type }) => type === 'moov')
  if (!box) throw new Error('no movie box')
  return box
}

async function expectAll(bytes: Uint8Array, of = healthy): Promise<void> {
  const found = await seen(bytes, true)
  for (const [i, stream] of (await seen(of, true)).entries()) {
    const all = stream.packets.length
    expect(recovered(stream, found[i])).toMatchObject({ packets: all, timed: all })
    expect(found[i].frames.map(({ md5 }) => md5)).toEqual(stream.frames.map(({ md5 }) => md5))
  }
}

describe('fragments whose movie box breaks off', () => {
  const { offset, end } = moov()

  it.each([0.9, 0.75, 0.6, 0.45, 0.35, 0.3])(
    '%d of its way get what it lost from the sample',
    async (share) => {
      const damaged = healthy.slice()
      damaged.fill(0, offset + Math.floor((end - offset) * share), end)
      await expectAll((await repaired(damaged, sample)).bytes)
    },
  )
})

it('a single fragment gets the track that its movie box lost from the sample, too', async () => {
  const { offset, end } = moov()
  const second = Buffer.from(healthy).indexOf('moof', Buffer.from(healthy).indexOf('moof') + 4) - 4
  const one = healthy.slice(0, second)
  const damaged = one.slice()
  damaged.fill(0, offset + Math.floor((end - offset) * 0.45), end)
  await expectAll((await repaired(damaged, sample)).bytes, one)
})

describe('fragments whose descriptors of sound were hit twice', () => {
  it('get them from the sample', async () => {
    const damaged = healthy.slice()
    const esds = Buffer.from(damaged).indexOf('esds')
    // the tags of ES_Descriptor and DecoderConfigDescriptor
    damaged[esds + 8] ^= 0x40
    damaged[esds + 8 + 5 + 3] ^= 0x20
    await expectAll((await repaired(damaged, sample)).bytes)
  })
})
