import { createDecipheriv } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { bytesInserted, truncated } from '../../../src/bytes/damage.ts'
import { SampleKeys } from '../../../src/formats/isobmff/boxes/sample-encryption.ts'
import type { MovieTrack } from '../../../src/formats/isobmff/read/movie.ts'
import { indexZeroed, payload } from '../../../src/formats/isobmff/recipes.ts'
import {
  fitsAuxiliaryBoxes,
  planKeys,
  writeKeyGroups,
} from '../../../src/formats/isobmff/write/write-keys.ts'
import { SampleTable } from '../../../src/model/sample-table.ts'
import { BoxWriter } from '../../../src/syntax/iso-boxes/box-writer.ts'
import { movieOf, repaired } from './support/engine.ts'
import { type EncryptedName, fixture } from './support/fixtures.ts'

const KEY = Buffer.from('00112233445566778899aabbccddeeff', 'hex')
const IV_BYTES = 8
const RECORDINGS: readonly EncryptedName[] = ['h264-aac-encrypted.mp4', 'h264-aac-encrypted-fragmented.mp4']

/** A sample in the clear, ISO/IEC 23001-7 §9.5: one key stream over all encrypted stretches. */
function decrypted(sample: Uint8Array, key: Uint8Array): Uint8Array {
  const decipher = createDecipheriv(
    'aes-128-ctr',
    KEY,
    Buffer.concat([key.subarray(0, IV_BYTES), Buffer.alloc(8)]),
  )
  if (key.length === IV_BYTES) return new Uint8Array(decipher.update(sample))
  const parts: Uint8Array[] = []
  const view = new DataView(key.buffer, key.byteOffset, key.length)
  let at = 0
  for (let entry = IV_BYTES + 2; entry < key.length; entry += 6) {
    const clear = view.getUint16(entry)
    const hidden = view.getUint32(entry + 2)
    parts.push(
      sample.subarray(at, at + clear),
      decipher.update(sample.subarray(at + clear, at + clear + hidden)),
    )
    at += clear + hidden
  }
  return new Uint8Array(Buffer.concat(parts))
}

/** Every sample of a kind of track in the clear, in hexadecimal. */
async function samplesOf(bytes: Uint8Array, kind: string): Promise<string[]> {
  const track = (await movieOf(bytes)).tracks.find(({ description }) => description.kind === kind)
  if (!track) throw new Error(`no ${kind}`)
  const { samples, keys } = track
  return Array.from({ length: samples.length }, (_, row) => {
    const sample = bytes.subarray(samples.offset[row], samples.offset[row] + samples.size[row])
    return Buffer.from(keys ? decrypted(sample, keys.of(row)) : sample).toString('hex')
  })
}

describe.each(RECORDINGS)('%s', (name) => {
  it('is healthy, and its samples are decrypted by what lies beside them', async () => {
    const bytes = fixture(name)
    expect((await repaired(bytes)).report.verdict).toBe('healthy')
    const [film] = (await movieOf(bytes)).tracks
    expect(film.description).toMatchObject({ framing: 'length', facts: { protected: 'h264' } })
    for (const kind of ['video', 'audio'])
      expect(await samplesOf(bytes, kind)).toEqual(await samplesOf(fixture('h264-aac.mp4'), kind))
  })

  it('cut off keeps every whole sample with what decrypts it', async () => {
    const damaged = truncated(fixture(name), 0.7)
    const { report, bytes } = await repaired(damaged)
    expect(report.verdict).toBe('repaired')
    for (const kind of ['video', 'audio']) {
      const all = await samplesOf(fixture('h264-aac.mp4'), kind)
      const left = await samplesOf(bytes, kind)
      expect(left.length).toBeGreaterThan(all.length * 0.4)
      expect(left).toEqual(all.slice(0, left.length))
    }
  })

  it('with its index lost is refused with the reason that it is encrypted', async () => {
    const lost = indexZeroed(fixture(name))
    const text = Buffer.from(lost).toString('latin1')
    for (let at = text.indexOf('moof'); at > 0; at = text.indexOf('moof', at + 4)) lost.fill(0x33, at, at + 4)
    const { report, bytes } = await repaired(lost, fixture(name))
    expect(report.verdict).toBe('unrepairable')
    expect(report.reason).toContain('encrypted')
    expect(bytes.length).toBe(0)
  })
})

describe('an encrypted recording with its index', () => {
  it('whose payload moved and lost samples keeps the others with what decrypts them', async () => {
    const name = 'h264-aac-encrypted.mp4'
    const { report, bytes } = await repaired(
      bytesInserted(fixture(name), 700, 0.4, 3, payload(fixture(name))),
    )
    expect(report.verdict).toBe('repaired')
    const all = await samplesOf(fixture('h264-aac.mp4'), 'video')
    const left = await samplesOf(bytes, 'video')
    expect(left.length).toBeGreaterThanOrEqual(all.length - 2)
    expect(left.filter((sample) => !all.includes(sample)).length).toBeLessThanOrEqual(1)
  })

  it('in fragments whose movie box is lost takes the sample’s', async () => {
    const name = 'h264-aac-encrypted-fragmented.mp4'
    const { bytes } = await repaired(indexZeroed(fixture(name)), fixture(name))
    for (const kind of ['video', 'audio'])
      expect(await samplesOf(bytes, kind)).toEqual(await samplesOf(fixture('h264-aac.mp4'), kind))
  })
})

it('a fragment whose offsets of auxiliary information count from elsewhere is decrypted by its own box', async () => {
  const bytes = fixture('h264-aac-encrypted-fragmented.mp4').slice()
  const boxes = Buffer.from(bytes.buffer)
  for (let at = boxes.indexOf('saio'); at > 0; at = boxes.indexOf('saio', at + 4))
    boxes.writeUInt32BE(boxes.readUInt32BE(at + 12) + 700, at + 12)
  for (const kind of ['video', 'audio'])
    expect(await samplesOf(bytes, kind)).toEqual(await samplesOf(fixture('h264-aac.mp4'), kind))
})

it('samples of an encrypted fragment whose index is lost are not said to be there', async () => {
  const damaged = fixture('h264-aac-encrypted-fragmented.mp4').slice()
  const boxes = Buffer.from(damaged.buffer)
  const fragments: number[] = []
  for (let at = boxes.indexOf('moof'); at > 0; at = boxes.indexOf('moof', at + 4)) fragments.push(at - 4)
  const lost = fragments[fragments.length >> 1]
  damaged.fill(0, lost, lost + boxes.readUInt32BE(lost))
  const { report } = await repaired(damaged)
  expect(report.verdict).toBe('partial')
  expect(report.doubts?.map(({ code }) => code)).toContain('unexplained')
})

describe('groups of samples that choose keys', () => {
  it('are counted anew for the samples that are left', () => {
    const source = new BoxWriter()
    source.fullBox('sbgp', 0, 0, () => {
      source.fourcc('seig')
      for (const number of [3, 4, 1, 2, 0, 3, 2]) source.u32(number)
    })
    const writer = new BoxWriter()
    writeKeyGroups(writer, [source.bytes().slice()], Uint32Array.of(0, 3, 4, 6, 8, 11))
    const view = new DataView(writer.bytes().slice().buffer)
    const numbers = Array.from({ length: 9 }, (_, i) => view.getUint32(16 + 4 * i))
    // runs: samples 0 and 3 of the first, 4 of none, 6 and 8 of the second, 11 behind the last run
    expect(numbers).toEqual([4, 2, 1, 1, 0, 2, 2, 1, 0])
  })

  it('are not written for rows whose samples are not known', () => {
    const template = { keys: new SampleKeys(), protection: { ivBytes: 8 }, samples: new SampleTable() }
    const table = new SampleTable()
    table.push(0, 1, 1, 1, 0, 0)
    const track = { template: template as unknown as MovieTrack, table, times: 'index' } as const
    expect(planKeys(track)).toBeUndefined()
    expect(planKeys({ ...track, rows: Uint32Array.of(0) })?.entries).toHaveLength(1)
  })
})

it('keys whose lengths take a byte have boxes that tell them', () => {
  const fits = (bytes: number) =>
    fitsAuxiliaryBoxes({
      entries: [new Uint8Array(8), new Uint8Array(bytes)],
      ivBytes: 8,
      rows: Uint32Array.of(0, 1),
    })
  expect([fits(255), fits(256)]).toEqual([true, false])
})
