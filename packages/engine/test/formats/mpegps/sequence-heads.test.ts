import { describe, expect, it } from 'vitest'
import { BitWriter } from '../../../src/bytes/bit-writer.ts'
import { MemorySink } from '../../../src/bytes/sink.ts'
import { MemorySource } from '../../../src/bytes/source.ts'
import {
  readSequenceHead,
  sequenceHeadAt,
  writeSequenceHead,
} from '../../../src/codecs/mpeg12/sequence-head.ts'
import { nextCode } from '../../../src/codecs/mpeg12/start-codes.ts'
import { repair } from '../../../src/engine.ts'
import type { RecordingReport } from '../../../src/model/report.ts'
import { mpeg1PacketHeader } from '../../../src/syntax/pes/packet-header.ts'

const PICTURES = 16
/** 90 kHz of a picture, 24 a second. */
const STEP = 3750
const PACK = [0, 0, 1, 0xba, 0x21, 0, 1, 0, 1, 0x80, 0x22, 0xd5]

/** An intra picture of MPEG-1 without any detail, or one called predicted: `rows` slices of as many macroblocks each. */
function picture(number: number, rows: number, macroblocks: number, type = 1): number[] {
  const bits = new BitWriter()
  bits.bits(number, 10)
  bits.bits(type, 3)
  bits.bits(0xffff, 16)
  const bytes = [0, 0, 1, 0, ...bits.bytes()]
  for (let row = 1; row <= rows; row++) {
    const slice = new BitWriter()
    slice.bits(8, 5)
    slice.bit(0)
    for (let i = 0; i < macroblocks; i++) {
      slice.bits(0b11, 2)
      for (let block = 0; block < 4; block++) slice.bits(0b10010, 5)
      for (let block = 0; block < 2; block++) slice.bits(0b0010, 4)
    }
    bytes.push(0, 0, 1, row, ...slice.bytes())
  }
  return bytes
}

/** A program stream with a picture a packet; `head` stands in front of the picture `at`. */
function film(
  head: Uint8Array | undefined,
  at: number,
  rows: number,
  macroblocks: number,
  type = 1,
): Uint8Array {
  const bytes: number[] = []
  for (let i = 0; i < PICTURES; i++) {
    const payload = [...(i === at && head ? head : []), ...picture(i, rows, macroblocks, type)]
    bytes.push(...PACK, ...mpeg1PacketHeader(0xe0, payload.length, i * STEP, i * STEP), ...payload)
  }
  return Uint8Array.from(bytes)
}

async function repaired(bytes: Uint8Array, sample?: Uint8Array) {
  const sink = new MemorySink()
  const file = (of: Uint8Array) => ({ source: new MemorySource(of), name: 'film.mpg' })
  const report = await repair({ damaged: file(bytes), ...(sample ? { sample: file(sample) } : {}), sink })
  const result = sink.bytes().slice()
  let head: Uint8Array | undefined
  for (let at = 0; at < result.length && !head; at = nextCode(result, at + 3))
    head = sequenceHeadAt(result, at)
  return { report: report as RecordingReport, head, size: result.length }
}

describe('pictures in front of any sequence header', () => {
  const own = writeSequenceHead(80, 60, 2)

  it('are no damage where one comes first', async () => {
    expect((await repaired(film(own, 0, 4, 5))).report.verdict).toBe('healthy')
  })

  it('get one that stands farther behind', async () => {
    const { report, head } = await repaired(film(own, 9, 4, 5))
    expect(report).toMatchObject({ verdict: 'repaired' })
    expect(head).toEqual(own)
  })

  it.each([
    ['slices of a row', 4, 5],
    ['a slice each', 1, 20],
  ])('get the sample’s where they are as large, %s', async (_, rows, macroblocks) => {
    const bytes = film(undefined, 0, rows, macroblocks)
    const { report, head, size } = await repaired(bytes, film(own, 0, rows, macroblocks))
    expect(report).toMatchObject({ verdict: 'repaired', sample: { used: ['sequence header'] } })
    expect(report.findings.map(({ code }) => code)).toEqual(['mpegps.sequence-missing'])
    expect(head).toEqual(own)
    // right in front of the first picture, in its packet
    expect(size).toBe(bytes.length + own.length)
  })

  it('get one made of what they tell where the sample’s are larger, or there is none', async () => {
    const larger = film(writeSequenceHead(96, 64, 3), 0, 4, 6)
    for (const sample of [larger, undefined]) {
      const { report, head } = await repaired(film(undefined, 0, 1, 20), sample)
      expect(report).toMatchObject({ verdict: 'partial', doubts: [{ code: 'assumed' }] })
      expect(head && readSequenceHead(head)).toMatchObject({ width: 80, height: 64, frameRateCode: 2 })
    }
  })

  it('leave a doubt where their size is not to be told', async () => {
    const bytes = film(undefined, 0, 4, 5)
    // every other slice goes over two rows
    for (let at = nextCode(bytes, 0); at < bytes.length; at = nextCode(bytes, at + 3))
      if (bytes[at + 3] === 3) bytes[at + 3] = 4
    const { report, head } = await repaired(bytes)
    expect(report).toMatchObject({ verdict: 'partial', doubts: [{ code: 'missing' }] })
    expect(head).toBeUndefined()
  })

  it('are not called repaired where nothing tells how they are coded', async () => {
    const bytes = new Array<number>(100).fill(0x55)
    for (let i = 0; i < PICTURES; i++)
      bytes.push(
        ...PACK,
        ...mpeg1PacketHeader(0xe0, 64, i * STEP, i * STEP),
        ...new Array<number>(64).fill(0x55),
      )
    const { report } = await repaired(Uint8Array.from(bytes))
    expect(report.tracks.map(({ codec }) => codec)).toEqual(['unknown'])
    expect(report.doubts?.map(({ code }) => code)).toContain('missing')
  })

  it('are not called repaired where the key picture is gone with it, though a sample has one', async () => {
    const sample = film(own, 0, 4, 5)
    for (const like of [undefined, sample]) {
      const { report } = await repaired(film(undefined, 0, 4, 5, 2), like)
      expect(report.verdict).toBe('partial')
      expect(report.doubts?.map(({ code }) => code)).toContain('missing')
    }
  })
})
