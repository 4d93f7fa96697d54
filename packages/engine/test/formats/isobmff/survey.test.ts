import { describe, expect, it } from 'vitest'
import { type Box, bodyOf, readChildren } from '../../../src/syntax/iso-boxes/box.ts'
import { box, fullBox, joined, repeated, text, words } from '../../../testing/adversaries/bytes.ts'
import { read, readerOf } from './support/engine.ts'
import { fixture } from './support/fixtures.ts'

function zeroed(bytes: Uint8Array, type: string): { bytes: Uint8Array; mdat: Box; hit: Box } {
  const { boxes } = readChildren(readerOf(bytes), 0, bytes.length)
  const mdat = boxes.find((box) => box.type === 'mdat')
  const hit = boxes.find((box) => box.type === type)
  if (!mdat || !hit) throw new Error('a box is missing')
  return { bytes: bytes.slice().fill(0, hit.offset, hit.end), mdat, hit }
}

describe('the survey of the top level', () => {
  it('takes zeros before the first media data for no loss of samples: an index stood there', async () => {
    const { bytes, mdat } = zeroed(fixture('h264-aac-faststart.mp4'), 'moov')
    const { survey } = await read(bytes)
    expect(survey.payload).toEqual([{ offset: bodyOf(mdat), length: mdat.end - bodyOf(mdat) }])
    expect(survey.gaps).toHaveLength(1)
  })

  it('takes zeros from where media data say they end for an index as well', async () => {
    const { bytes, mdat, hit } = zeroed(fixture('h264-aac.mp4'), 'moov')
    expect(hit.offset).toBe(mdat.end)
    const { survey } = await read(bytes)
    expect(survey.payload).toEqual([{ offset: bodyOf(mdat), length: mdat.end - bodyOf(mdat) }])
    bytes[mdat.end + 64] = 1
    expect((await read(bytes)).survey.payload).toEqual([
      { offset: bodyOf(mdat), length: bytes.length - bodyOf(mdat) },
    ])
  })

  it('takes a size in front of such zeros for theirs where it is', async () => {
    const film = fixture('mjpeg-pcm.mov')
    const { bytes, mdat, hit } = zeroed(film, 'moov')
    bytes.set(film.subarray(hit.offset, hit.offset + 4), hit.offset)
    expect((await read(bytes)).survey.payload).toEqual([
      { offset: bodyOf(mdat), length: mdat.end - bodyOf(mdat) },
    ])
    bytes[hit.offset + 3] ^= 4
    expect((await read(bytes)).survey.payload[0].length).toBeGreaterThan(mdat.end - bodyOf(mdat))
  })

  it('looks for samples in other bytes there, and between fragments even where they are zero', async () => {
    const { bytes, hit } = zeroed(fixture('h264-aac-faststart.mp4'), 'moov')
    bytes.fill(0x5a, hit.offset + 64, hit.end)
    expect((await read(bytes)).survey.payload[0].offset).toBe(hit.offset)
    const fragmented = zeroed(fixture('h264-aac-fragmented.mp4'), 'moof')
    expect((await read(fragmented.bytes)).survey.payload[0].offset).toBe(fragmented.hit.offset)
  })

  it('has no more stretches to look into than a plain recording of so many bytes', async () => {
    const body = Uint8Array.of(0, 0, 0, 12, 0x6d, 0x64, 0x61, 0x74, 1, 2, 3, 4)
    const bytes = repeated(body, body.length * 5000)
    const { survey } = await read(bytes)
    expect(survey.boxes).toHaveLength(5000)
    expect(survey.payload).toHaveLength(2000)
    expect(survey.payload.at(-1)).toEqual({ offset: bytes.length - 4, length: 4 })
  })

  it('looks for the next header only so often: what is hit everywhere is one stretch from there on', async () => {
    const head = joined([box('ftyp', text('isomisom')), words([0x26cbe]), text('mdat'), words([1, 2])])
    const bytes = repeated(head, head.length * 30_000)
    const { survey, findings } = await read(bytes)
    expect(survey.boxes.length).toBeLessThan(10_000)
    expect(survey.payload.at(-1)?.length).toBeGreaterThan(bytes.length / 2)
    expect(findings.list.length + findings.omitted).toBeLessThan(10_000)
  })

  it('has no more boxes than a recording of so many bytes, be they within media data', async () => {
    const moof = box('moof', fullBox('mfhd', 0, words([1])))
    const { fragments } = await read(repeated(moof, moof.length * 150_000))
    expect(fragments.length).toBeLessThan(130_000)
  })

  it('takes no box for a fragment that has no room for its header', async () => {
    const bytes = repeated(box('moof'), 8 * 1000)
    expect((await read(bytes)).fragments).toHaveLength(0)
  })
})
