import { describe, expect, it } from 'vitest'
import { DOUBT } from '../../../src/model/doubt.ts'
import { childOf, readChildren } from '../../../src/syntax/iso-boxes/box.ts'
import { readerOf, repaired } from './support/engine.ts'
import { fixture } from './support/fixtures.ts'
import { recovered, seen } from './support/packets.ts'

/** The recording with its movie box zeroed from `keep` bytes into its second track on; less than 0 ends within the first. */
function broken(original: Uint8Array, keep: number): Uint8Array {
  const reader = readerOf(original)
  const moov = childOf(readChildren(reader, 0, original.length).boxes, 'moov')
  if (!moov) throw new Error('no movie box')
  const tracks = readChildren(reader, moov.offset + 8, moov.end).boxes.filter(({ type }) => type === 'trak')
  return original.slice().fill(0, tracks[1].offset + keep, moov.end)
}

async function shares(original: Uint8Array, bytes: Uint8Array) {
  const found = await seen(bytes)
  const kinds = new Map<string, number>()
  return (await seen(original)).map((stream) => {
    const nth = kinds.get(stream.kind) ?? 0
    kinds.set(stream.kind, nth + 1)
    const twin = found.filter(({ kind }) => kind === stream.kind)[nth]
    return recovered(stream, twin).packets / stream.packets.length
  })
}

describe('sound of which a broken index names nothing', () => {
  it.each(['h264-aac.mp4', 'hevc-aac.mp4', 'prores-pcm.mov'] as const)(
    'is found without a sample: %s',
    async (name) => {
      const original = fixture(name)
      const { report, bytes } = await repaired(broken(original, 0))
      expect(await shares(original, bytes)).toEqual([1, 1])
      expect(report.doubts ?? []).not.toContainEqual(DOUBT.indexCut)
    },
  )

  it('is found beside pictures whose own table breaks off, and those are completed', async () => {
    const original = fixture('h264-aac.mp4')
    const { bytes } = await repaired(broken(original, -80))
    expect(await shares(original, bytes)).toEqual([1, 1])
  })

  it('leaves the doubt that one of the tracks announced was not found', async () => {
    const original = fixture('h264-two-aac.mov')
    const { report } = await repaired(broken(original, 0))
    expect(report.verdict).toBe('partial')
  })
})

/** The recording with its sound named before its pictures. */
function soundFirst(original: Uint8Array): Uint8Array {
  const reader = readerOf(original)
  const moov = childOf(readChildren(reader, 0, original.length).boxes, 'moov')
  if (!moov) throw new Error('no movie box')
  const [pictures, sound] = readChildren(reader, moov.offset + 8, moov.end).boxes.filter(
    ({ type }) => type === 'trak',
  )
  const turned = original.slice()
  turned.set(original.subarray(sound.offset, sound.end), pictures.offset)
  turned.set(original.subarray(pictures.offset, pictures.end), pictures.offset + sound.size)
  return turned
}

describe('pictures of which a broken index names nothing', () => {
  it.each(['h264-aac.mp4', 'hevc-aac.mp4'] as const)(
    'are found without a sample beside the sound that it names: %s',
    async (name) => {
      const original = soundFirst(fixture(name))
      const { report, bytes } = await repaired(broken(original, 0))
      const byKind = async (of: Uint8Array) =>
        (await seen(of)).toSorted((a, b) => a.kind.localeCompare(b.kind))
      const found = await byKind(bytes)
      for (const [i, stream] of (await byKind(original)).entries()) {
        const all = stream.packets.length
        expect(recovered(stream, found[i])).toEqual({ packets: all, timed: all })
      }
      expect(report.verdict).toBe('repaired')
    },
  )
})
