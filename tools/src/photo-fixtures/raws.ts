import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { drawPicture, noise, writePhoto } from '@mendframe/engine/testing'
import { type FieldValue, tiffDirectory } from './directory.ts'

/**
 * `node tools/src/photo-fixtures/raws.ts`: makes the contract suite's raw photos of Fujifilm, Canon's heaps, Minolta and Sigma
 * anew, the same every time: the structure that cameras write around drawn or noisy pixels; another photo of the same camera as a
 * sample.
 */
const FIXTURES = fileURLToPath(new URL('../../../packages/engine/testing/fixtures', import.meta.url))
const WIDTH = 128
const HEIGHT = 96

function join_(parts: readonly Uint8Array[]): Uint8Array {
  const result = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    result.set(part, at)
    at += part.length
  }
  return result
}

function text(value: string, length = value.length): Uint8Array {
  return new TextEncoder().encode(value.padEnd(length, '\0')).subarray(0, length)
}

function words(little: boolean, width: 2 | 4, ...values: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(width * values.length)
  const view = new DataView(bytes.buffer)
  for (const [i, value] of values.entries())
    if (width === 2) view.setUint16(2 * i, value, little)
    else view.setUint32(4 * i, value, little)
  return bytes
}

function jpeg(number: number, width: number, height: number): Uint8Array {
  return writePhoto(drawPicture(width, height, number), {
    sampling: [2, 1],
    quality: 75,
    interval: 0,
    orientation: 1,
  })
}

/** Sensor values of 16 bits: a drawn picture with noise in its lowest bits. */
function pixels(number: number, little: boolean): Uint8Array {
  const { luma } = lumaOf(number)
  const low = noise(WIDTH * HEIGHT, number + 60)
  return words(little, 2, ...luma.map((value, i) => value * 16 + (low[i] & 15)))
}

function lumaOf(number: number): { readonly luma: readonly number[] } {
  const grain = noise(WIDTH * HEIGHT, number + 90)
  return {
    luma: Array.from(grain, (value, i) => 20 + (i % WIDTH) + (value & 7) + Math.floor(i / WIDTH / 2)),
  }
}

/** Fujifilm: header, JPEG picture, facts, pixels behind a directory of their own (or, older, without one). */
function raf(number: number, directory: boolean): Uint8Array {
  const picture = jpeg(number, 96, 64)
  const padded = join_([picture, new Uint8Array((4 - (picture.length % 4)) % 4)])
  const record = (tag: number, bytes: Uint8Array): Uint8Array =>
    join_([words(false, 2, tag, bytes.length), bytes])
  const records = [
    record(0x0100, words(false, 2, HEIGHT, WIDTH)),
    record(0x0110, words(false, 2, 4, 8)),
    record(0x0111, words(false, 2, HEIGHT - 8, WIDTH - 16)),
    record(0x0115, words(false, 2, 3, 2)),
    record(0x0121, words(false, 2, HEIGHT, WIDTH)),
    record(0x2ff0, words(false, 2, 302, 560, 302, 480 + number)),
    record(0x9650, words(false, 2, 0, 100)),
  ]
  const facts = join_([words(false, 4, records.length), ...records])
  const values = pixels(number, true)
  const data = directory ? join_([fujiDirectory(values.length), values]) : values
  const start = 148
  const factsAt = start + padded.length
  const dataAt = Math.ceil((factsAt + facts.length) / 512) * 512
  const header = join_([
    text('FUJIFILMCCD-RAW '),
    text('0201'),
    text('FF129502'),
    text('X-T1', 32),
    text('0100'),
    new Uint8Array(20),
    words(false, 4, start, picture.length, factsAt, facts.length, dataAt, data.length),
  ])
  const front = join_([header, new Uint8Array(start - header.length), padded, facts])
  return join_([front, new Uint8Array(dataAt - front.length), data])
}

/** The directory in front of the pixels of newer cameras. */
function fujiDirectory(bytes: number): Uint8Array {
  const inner = tiffDirectory(
    new Map<number, FieldValue>([
      ...([
        [0xf001, { long: [WIDTH] }],
        [0xf002, { long: [HEIGHT] }],
        [0xf003, { long: [16] }],
      ] as const),
      ...([
        [0xf007, { long: [FUJI_DATA] }],
        [0xf008, { long: [bytes] }],
      ] as const),
    ]),
  ).subarray(8)
  const outer = tiffDirectory(new Map<number, FieldValue>([[0xf000, { long: [FUJI_INNER] }]]))
  const result = new Uint8Array(FUJI_DATA)
  result.set(outer)
  result.set(inner, FUJI_INNER)
  return result
}
const FUJI_INNER = 32
const FUJI_DATA = 256

/** Bytes as an entropy coder of JPEG leaves them: behind each 0xff stands a zero. */
function stuffed(bytes: Uint8Array): Uint8Array {
  return bytes.map((byte, i) => (bytes[i - 1] === 0xff ? 0 : byte))
}

/** Canon's heaps: raw data first, a JPEG picture, a heap of what was recorded with them. */
function crw(number: number): Uint8Array {
  const raw = stuffed(noise(14_000 + 500 * number, number + 7))
  const picture = jpeg(number, 96, 64)
  const heap = (records: readonly (readonly [number, Uint8Array])[]): Uint8Array => {
    const values: Uint8Array[] = []
    const entries: Uint8Array[] = []
    let at = 0
    for (const [tag, bytes] of records) {
      if (tag & 0x4000) {
        entries.push(join_([words(true, 2, tag), bytes]))
        continue
      }
      entries.push(join_([words(true, 2, tag), words(true, 4, bytes.length, at)]))
      const even = bytes.length % 2 === 0 ? bytes : join_([bytes, new Uint8Array(1)])
      values.push(even)
      at += even.length
    }
    return join_([...values, words(true, 2, records.length), ...entries, words(true, 4, at)])
  }
  const camera = heap([[0x080a, text('Canon\0Canon PowerShot G2\0')]])
  const properties = heap([
    [0x2807, camera],
    [0x1810, join_([words(true, 4, WIDTH, HEIGHT, 0x3f80_0000, 90), words(true, 4, 12, 1)])],
    [0x180e, words(true, 4, 1_700_000_000 + number, 0, 0)],
    [0x5817, words(true, 4, number, 0)],
  ])
  const header = join_([
    words(true, 2, 0x4949),
    words(true, 4, 26),
    text('HEAPCCDR'),
    words(true, 4, 0x0001_0002, 0, 0),
  ])
  return join_([
    header,
    heap([
      [0x2005, raw],
      [0x2007, picture],
      [0x300a, properties],
    ]),
  ])
}

/** Minolta: blocks of facts, then values of 16 bits. */
function mrw(number: number): Uint8Array {
  const block = (type: string, bytes: Uint8Array): Uint8Array =>
    join_([text(`\0${type}`), words(false, 4, bytes.length), bytes])
  const directory = tiffDirectory(
    new Map<number, FieldValue>([
      ...([
        [256, { long: [WIDTH - 8] }],
        [257, { long: [HEIGHT - 8] }],
      ] as const),
      ...([
        [271, 'Minolta Co., Ltd.'],
        [272, 'DiMAGE 7Hi'],
        [274, { short: [1] }],
      ] as const),
      [306, `2026:01:0${number + 1} 10:00:00`],
    ]),
    false,
  )
  const blocks = join_([
    block(
      'PRD',
      join_([
        text('27730001'),
        words(false, 2, HEIGHT, WIDTH, HEIGHT - 8, WIDTH - 8),
        Uint8Array.of(16, 12, 0x52, 0, 0, 0, 0, 1),
      ]),
    ),
    block('TTW', join_([directory, jpeg(number, 64, 48).subarray(0, 900)])),
    block('WBG', words(false, 2, 0x0404, 0x0404, 480, 256, 256, 400 + number)),
    block('RIF', new Uint8Array(24)),
    block('PAD', new Uint8Array(40)),
  ])
  return join_([text('\0MRM'), words(false, 4, blocks.length), blocks, pixels(number, false)])
}

/** Sigma: header, a JPEG picture, noise as the sensor's data, calibration, properties, the directory. */
function x3f(number: number): Uint8Array {
  const section = (sign: string, ...parts: readonly Uint8Array[]): Uint8Array =>
    join_([text(sign), words(true, 4, 0x0002_0000), ...parts])
  const image = (kind: number, format: number, width: number, height: number, data: Uint8Array): Uint8Array =>
    section('SECi', words(true, 4, kind, format, width, height, 0), data)
  const sections = [
    ['IMAG', image(2, 18, 96, 64, jpeg(number, 96, 64))],
    ['IMAG', image(1, 6, WIDTH, HEIGHT, noise(16_000 + 400 * number, number + 13))],
    ['CAMF', section('SECc', words(true, 4, 2, 0, 0, 0, 0), noise(600, number))],
    ['PROP', section('SECp', words(true, 4, 0, 0, 0, 0), text(`owner ${number}`, 40))],
  ] as const
  const header = join_([
    text('FOVb'),
    words(true, 4, 0x0002_0000),
    noise(16, number + 1),
    words(true, 4, 0, WIDTH, HEIGHT, 0),
  ])
  const entries: Uint8Array[] = []
  let at = header.length
  for (const [type, bytes] of sections) {
    entries.push(join_([words(true, 4, at, bytes.length), text(type)]))
    at += bytes.length
  }
  const directory = section('SECd', words(true, 4, sections.length), ...entries, words(true, 4, at))
  return join_([header, ...sections.map(([, bytes]) => bytes), directory])
}

const FILES: Readonly<Record<string, (number: number) => Uint8Array>> = {
  'raf/directory.raf': (number) => raf(number, true),
  'raf/plain.raf': (number) => raf(number, false),
  'crw/powershot.crw': crw,
  'mrw/dimage.mrw': mrw,
  'x3f/foveon.x3f': x3f,
}
for (const [path, make] of Object.entries(FILES)) {
  const file = join(FIXTURES, path)
  mkdirSync(join(file, '..'), { recursive: true })
  writeFileSync(file, make(0))
  writeFileSync(file.replace(/\.(\w+)$/, '.sample.$1'), make(1))
}
