import { describe, expect, it } from 'vitest'
import { kindOfHandler, writeHandler } from '../../../src/formats/isobmff/boxes/hdlr.ts'
import {
  elementaryStream,
  pictureEntry,
  plainEntry,
  soundEntry,
} from '../../../src/formats/isobmff/boxes/sample-entries.ts'
import { codingEntry } from '../../../src/formats/isobmff/write/coding-entry.ts'
import type { DraftTrack } from '../../../src/recording/draft.ts'
import { BoxWriter } from '../../../src/syntax/iso-boxes/box-writer.ts'

/** Bytes in hexadecimal; runs of zeros are told by their number, four-character codes and the like as text. */
function told(bytes: Uint8Array): string {
  const text = Buffer.from(bytes).toString('latin1')
  return text
    .replace(/\0{4,}/g, (zeros) => `<${zeros.length}>`)
    .replace(/[^ -~]/g, (byte) => `\\${byte.charCodeAt(0).toString(16)}`)
}

const CHILD = [['test', Uint8Array.of(1, 2)]] as const

// ISO/IEC 14496-12:2022 §12.1.3, §12.2.3 and §8.5.2
it('sample entries are laid out as the standard has them', () => {
  const pictures = pictureEntry({ format: 'avc1', width: 0x123, height: 0x45, boxes: CHILD })
  const sound = soundEntry({ format: 'mp4a', channels: 2, rate: 44_100, boxes: CHILD })
  expect([pictures, sound, plainEntry('camm', Uint8Array.of(7))].map(told)).toMatchInlineSnapshot(`
    [
      "\\0\\0\\0\`avc1<7>\\1<16>\\1#\\0E\\0H\\0\\0\\0H<7>\\1<33>\\18\\ff\\ff\\0\\0\\0\\atest\\1\\2",
      "\\0\\0\\0.mp4a<7>\\1<9>\\2\\0\\10<4>\\acD<5>\\atest\\1\\2",
      "\\0\\0\\0\\11camm<7>\\1\\7",
    ]
  `)
  expect(told(soundEntry({ format: 'twos', channels: 1, bits: 24, rate: 65_536 }))).toMatchInlineSnapshot(
    `"\\0\\0\\0$twos<7>\\1<9>\\1\\0\\18<8>"`,
  )
  expect(told(soundEntry({ format: 'twos', channels: 1, rate: 65_535 }))).toMatchInlineSnapshot(
    `"\\0\\0\\0$twos<7>\\1<9>\\1\\0\\10<4>\\ff\\ff\\0\\0"`,
  )
})

// ISO/IEC 14496-1:2010 §7.2.6
it('elementary streams are described as the standard has it', () => {
  const long = new Uint8Array(130).fill(3)
  expect(
    [
      elementaryStream(0x40, 5, Uint8Array.of(0x12, 0x10)),
      elementaryStream(0x20, 4, new Uint8Array(0)),
      elementaryStream(0x40, 5, long),
    ].map((bytes) => Buffer.from(bytes.subarray(0, 44)).toString('hex')),
  ).toMatchInlineSnapshot(`
    [
      "00000000038080802200000004808080144015000000000000000000000005808080021210068080800102",
      "00000000038080801b000000048080800d20110000000000000000000000068080800102",
      "0000000003808081220000000480808114401500000000000000000000000580808102030303030303030303",
    ]
  `)
})

it('a handler has an empty name, and tells what its track carries', () => {
  const writer = new BoxWriter()
  writeHandler(writer, 'soun')
  expect(told(writer.bytes())).toBe('\\0\\0\\0!hdlr<8>soun<13>')
  const types = ['vide', 'auxv', 'pict', 'soun', 'text', 'sbtl', 'subt', 'clcp', 'meta']
  expect(types.map(kindOfHandler).join(' ')).toBe('video video video audio text text text text data')
})

describe('the entry of a track that keeps none', () => {
  /** Its format, and what stands behind its first `fixed` bytes. */
  const entry = (kind: DraftTrack['kind'], coding: object, fixed = 16): string => {
    const track = { kind, coding: { config: Uint8Array.of(9), ...coding }, width: 2, height: 1 }
    const bytes = codingEntry(track as unknown as DraftTrack)
    return `${told(bytes.subarray(4, 8))} ${told(bytes.subarray(fixed))}`
  }

  it('of pictures has the format and the configuration of its codec', () => {
    const codecs = ['h264', 'hevc', 'av1', 'vp9', 'vp8', 'mpeg4', 'mpeg2video', 'h263', 'mjpeg', 'dnxhd']
    const entries = codecs.map((codec) => entry('video', { codec }, 86))
    expect([...entries, entry('video', { codec: 'prores', variant: 'apcn' }, 86)]).toMatchInlineSnapshot(`
      [
        "avc1 \\0\\0\\0\\9avcC\\9",
        "hvc1 \\0\\0\\0\\9hvcC\\9",
        "av01 \\0\\0\\0\\9av1C\\9",
        "vp09 ",
        "vp08 ",
        "mp4v \\0\\0\\02esds<4>\\3\\80\\80\\80!\\0\\0\\0\\4\\80\\80\\80\\13 \\11<11>\\5\\80\\80\\80\\1\\9\\6\\80\\80\\80\\1\\2",
        "mp4v \\0\\0\\0,esds<4>\\3\\80\\80\\80\\1b\\0\\0\\0\\4\\80\\80\\80\\da\\11<11>\\6\\80\\80\\80\\1\\2",
        "s263 \\0\\0\\0\\9d263\\9",
        "jpeg ",
        "AVdn ",
        "apcn ",
      ]
    `)
  })

  it('of sound has the same, by its rate, its bits and their order', () => {
    const little = { endian: 'little' }
    const codings = [
      { codec: 'aac' },
      { codec: 'mp3', sampleRate: 32_000 },
      { codec: 'mp3', sampleRate: 24_000 },
      { codec: 'alac' },
      { codec: 'amr', sampleRate: 8000 },
      { codec: 'amr', sampleRate: 16_000 },
      { codec: 'ac3' },
      { codec: 'eac3', channels: 6 },
      ...[8, 16, 24, 32].map((bits) => ({ codec: 'pcm', bits })),
      ...[8, 16, 24, 32].map((bits) => ({ codec: 'pcm', bits, facts: little })),
      { codec: 'other', variant: 'abcd' },
    ]
    expect(codings.map((coding) => entry('audio', coding))).toMatchInlineSnapshot(`
      [
        "mp4a <9>\\2\\0\\10<11>2esds<4>\\3\\80\\80\\80!\\0\\0\\0\\4\\80\\80\\80\\13@\\15<11>\\5\\80\\80\\80\\1\\9\\6\\80\\80\\80\\1\\2",
        "mp4a <9>\\2\\0\\10<4>}<6>,esds<4>\\3\\80\\80\\80\\1b\\0\\0\\0\\4\\80\\80\\80\\dk\\15<11>\\6\\80\\80\\80\\1\\2",
        "mp4a <9>\\2\\0\\10<4>]\\c0<5>,esds<4>\\3\\80\\80\\80\\1b\\0\\0\\0\\4\\80\\80\\80\\di\\15<11>\\6\\80\\80\\80\\1\\2",
        "alac <9>\\2\\0\\10<11>\\dalac<4>\\9",
        "samr <9>\\2\\0\\10<4>\\1f@<5>\\9damr\\9",
        "sawb <9>\\2\\0\\10<4>>\\80<5>\\9damr\\9",
        "ac-3 <9>\\2\\0\\10<11>\\9dac3\\9",
        "ec-3 <9>\\6\\0\\10<11>\\9dec3\\9",
        "raw  <9>\\2\\0\\8<8>",
        "twos <9>\\2\\0\\10<8>",
        "in24 <9>\\2\\0\\18<8>",
        "fl32 <9>\\2\\0 <8>",
        "raw  <9>\\2\\0\\8<8>",
        "sowt <9>\\2\\0\\10<8>",
        "in24 <9>\\2\\0\\18<11>\\aenda\\0\\1",
        "fl32 <9>\\2\\0 <11>\\aenda\\0\\1",
        "abcd <9>\\2\\0\\10<8>",
      ]
    `)
  })

  it('of data is that of its kind, and without a coding there is none', () => {
    const kinds = ['fdsc', 'gpmd', 'camm', 'mebx']
    expect(kinds.map((codec) => entry('data', { codec, variant: 'abcd' }, 8))).toMatchInlineSnapshot(`
      [
        "fdsc <7>\\1\\0\\1",
        "gpmd <7>\\1<4>",
        "camm <7>\\1",
        "abcd <7>\\1",
      ]
    `)
    expect(codingEntry({ kind: 'video' } as DraftTrack).length).toBe(0)
  })
})
