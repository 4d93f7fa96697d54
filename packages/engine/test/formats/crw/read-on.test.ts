import { describe, expect, it } from 'vitest'
import { headCut, headZeroed, noise } from '../../../src/bytes/damage.ts'
import { ByteReader } from '../../../src/bytes/reader.ts'
import { MemorySource } from '../../../src/bytes/source.ts'
import { BLOCK, BlockReader } from '../../../src/formats/crw/code/block-reader.ts'
import { BlockWriter } from '../../../src/formats/crw/code/block-writer.ts'
import { plainBytes } from '../../../src/formats/crw/code/plain-bytes.ts'
import { blocksOf, resynchronise } from '../../../src/formats/crw/code/resynchronise.ts'
import { blockCodes } from '../../../src/formats/crw/code/trees.ts'
import { SILENT } from '../../../src/model/monitor.ts'
import { repairPhoto } from '../../../testing/photos/repair-photo.ts'

const [WIDTH, HEIGHT] = [200, 96]
const CODES = blockCodes(1)
const FRONT = 514
const HEADER = 26

/** Sensor values: a slope with noise, and brighter in the middle. */
const VALUES = Uint16Array.from(noise(WIDTH * HEIGHT, 9), (byte, i) => {
  const [x, y] = [i % WIDTH, Math.floor(i / WIDTH)]
  return 300 + Math.round(90 * Math.sin(x / 30) + 60 * Math.cos(y / 20)) + (byte & 15)
})

/** A block as cameras code it: runs of zeros go along with the value behind them. */
function block(writer: BlockWriter, values: readonly number[]): void {
  let zeros = 0
  for (const [i, value] of values.entries()) {
    if (i > 0 && value === 0) {
      zeros++
      continue
    }
    for (; zeros > 15; zeros -= 16) word(writer, i, 0xf0)
    const length = 32 - Math.clz32(Math.abs(value))
    word(writer, i, (zeros << 4) | length)
    if (length > 0) writer.put(value < 0 ? value + (1 << length) - 1 : value, length)
    zeros = 0
  }
  if (zeros > 0) word(writer, 1, 0)
}

function word(writer: BlockWriter, place: number, symbol: number): void {
  const found = (place === 0 ? CODES.first : CODES.further).wordOf(symbol)
  if (!found) throw new Error(`no word for ${symbol}`)
  writer.put(found.word, found.length)
}

function coded(sensor: ArrayLike<number>): Uint8Array {
  const writer = new BlockWriter(CODES, 1)
  const base = [0, 0]
  let carried = 0
  for (let at = 0; at < sensor.length; at += BLOCK) {
    const differences = Array.from({ length: BLOCK }, (_, i) => {
      const value = sensor[at + i] ?? 0
      if ((at + i) % WIDTH === 0) base.fill(512)
      const difference = value - (base[i & 1] ?? 0)
      base[i & 1] = value
      return difference
    })
    const [first = 0] = differences
    block(writer, [first - carried, ...differences.slice(1)])
    carried = first
  }
  return writer.end()
}

function heap(records: readonly (readonly [number, Uint8Array])[]): Uint8Array {
  const parts = records.map(([, value]) => value)
  const entries = new DataView(new ArrayBuffer(2 + 10 * records.length + 4))
  entries.setUint16(0, records.length, true)
  let at = 0
  for (const [i, [tag, value]] of records.entries()) {
    entries.setUint16(2 + 10 * i, tag, true)
    entries.setUint32(4 + 10 * i, value.length, true)
    entries.setUint32(8 + 10 * i, at, true)
    at += value.length
  }
  entries.setUint32(entries.byteLength - 4, at, true)
  return Uint8Array.from(Buffer.concat([...parts, new Uint8Array(entries.buffer)]))
}

const bytesOf = (values: Uint16Array | Uint32Array): Uint8Array => new Uint8Array(values.buffer)

function photo(raw: Uint8Array = coded(VALUES), lowBits: Uint8Array = new Uint8Array(0)): Uint8Array {
  const properties = heap([
    [0x1810, bytesOf(new Uint32Array([WIDTH, HEIGHT, 0, 0]))],
    [0x1031, bytesOf(new Uint16Array([16, WIDTH, HEIGHT, 0]))],
    [0x1835, bytesOf(new Uint32Array([1, 0, 0, 0]))],
  ])
  const header = new Uint8Array(HEADER)
  header.set(new TextEncoder().encode('II'))
  header[2] = HEADER
  header.set(new TextEncoder().encode('HEAPCCDR'), 6)
  header.set([2, 0, 1], 14)
  const body = heap([
    [0x2005, Uint8Array.from(Buffer.concat([lowBits, new Uint8Array(FRONT), raw]))],
    [0x300a, properties],
  ])
  return Uint8Array.from(Buffer.concat([header, body]))
}

/** The values that the code of a file has. */
function valuesOf(bytes: Uint8Array): Uint16Array {
  const plain: number[] = []
  for (let i = HEADER + FRONT; bytes[i] !== 0xff || bytes[i + 1] === 0; i++) {
    plain.push(bytes[i] ?? 0)
    if (bytes[i] === 0xff) i++
  }
  const reader = new BlockReader(Uint8Array.from(plain), CODES, 0)
  const values = new Uint16Array(WIDTH * HEIGHT)
  const base = [0, 0]
  for (let at = 0, carried = 0; at < values.length; at += BLOCK) {
    if (!reader.read()) throw new Error('the code breaks off')
    carried += reader.values[0] ?? 0
    reader.values[0] = carried
    for (const [i, difference] of reader.values.entries()) {
      if ((at + i) % WIDTH === 0) base.fill(512)
      base[i & 1] = (base[i & 1] ?? 0) + difference
      values[at + i] = base[i & 1] ?? 0
    }
  }
  return values
}

const PHOTO = photo()

it('a header that was overwritten is in doubt where that may go on in the lowest bits, which carry no check', async () => {
  const lowBits = noise((WIDTH * HEIGHT) / 4, 4)
  lowBits[0] = 1
  const file = photo(coded(VALUES), lowBits)
  expect(await repairPhoto(headZeroed(file, HEADER), 'crw')).toMatchObject({ doubts: [], bytes: file })
  expect((await repairPhoto(headZeroed(file, HEADER + 20), 'crw')).doubts).toEqual(['beginning-hit'])
  const overwritten = file.slice()
  overwritten.set(noise(HEADER + 20, 5))
  expect((await repairPhoto(overwritten, 'crw')).doubts).toEqual(['beginning-hit'])
})

describe('the code of a CRW photo behind a hole', () => {
  it('is written for these tests as it is read', () => {
    expect(valuesOf(PHOTO)).toEqual(VALUES)
    expect(blocksOf(WIDTH, HEIGHT)).toBe((WIDTH * HEIGHT) / BLOCK)
  })

  it.each([
    ['zeroed', headZeroed(PHOTO, HEADER + FRONT + 4_000)],
    ['cut away', headCut(PHOTO, HEADER + FRONT + 4_000)],
  ] as const)('is read on, value for value, where its beginning was %s', async (_, damaged) => {
    const { report, bytes, doubts } = await repairPhoto(damaged, 'crw')
    expect(report.strategies[0]?.name).toBe('read-on')
    expect(doubts).toEqual(['areas-lost', 'colour'])
    const [{ lost, recovered }] = report.pictures
    expect(recovered).toBeGreaterThan(HEIGHT / 2)
    expect(valuesOf(bytes).subarray(lost * WIDTH)).toEqual(VALUES.subarray(lost * WIDTH))
    expect((await repairPhoto(bytes, 'crw')).report.verdict).toBe('healthy')
  })

  it('keeps what is in front of the hole', async () => {
    const at = HEADER + FRONT + 5_000
    const { report, bytes } = await repairPhoto(Uint8Array.from(PHOTO).fill(0, at, at + 900), 'crw')
    const [{ y, height }] = report.pictures[0].areas
    const values = valuesOf(bytes)
    expect(values.subarray(0, y * WIDTH)).toEqual(VALUES.subarray(0, y * WIDTH))
    expect(values.subarray((y + height) * WIDTH)).toEqual(VALUES.subarray((y + height) * WIDTH))
    expect([y > 10, height < 30]).toEqual([true, true])
  })

  it.each([
    ['at its beginning, with the header', 0, HEADER + FRONT + 3_000],
    ['in its midst', HEADER + FRONT + 6_000, 800],
  ])('is told from other bytes that nothing else tells of, %s', async (_, at, length) => {
    const damaged = Uint8Array.from(PHOTO)
    damaged.set(noise(length, 4), at)
    const { report, bytes, findings } = await repairPhoto(damaged, 'crw')
    expect(findings).toContain('crw.code-hit')
    expect(report.verdict).toBe('partial')
    const [{ areas, lost }] = report.pictures
    const [{ y, height }] = areas
    expect([areas.length, lost < HEIGHT]).toEqual([1, true])
    const values = valuesOf(bytes)
    expect(values.subarray(0, y * WIDTH)).toEqual(VALUES.subarray(0, y * WIDTH))
    expect(values.subarray((y + height) * WIDTH)).toEqual(VALUES.subarray((y + height) * WIDTH))
  })

  it.each([
    ['above', 1_030],
    ['below', -3],
  ])('is told to be hit by one value %s those of a sensor', async (_, value) => {
    const sensor = Array.from(VALUES)
    sensor[Math.floor(0.6 * sensor.length)] = value
    expect((await repairPhoto(photo(coded(sensor)), 'crw')).findings).toContain('crw.code-hit')
  })

  it('is told to be hit where more than a few bytes are left behind the last block', async () => {
    const code = coded(VALUES)
    const longer = (count: number): Uint8Array =>
      photo(Uint8Array.from(Buffer.concat([code.subarray(0, -3), new Uint8Array(count).fill(0x55)])))
    expect((await repairPhoto(longer(2), 'crw')).report.verdict).toBe('healthy')
    expect((await repairPhoto(longer(40), 'crw')).findings).toContain('crw.code-hit')
  })

  it('is not told to be hit where it goes wrong at once, as that of an unknown kind does', async () => {
    const { findings } = await repairPhoto(photo(noise(20_000, 8)), 'crw')
    expect(findings).not.toContain('crw.code-hit')
  })

  it('is read on behind the file’s own header', async () => {
    const own = Uint8Array.from(PHOTO)
    own[20] = 7
    const at = HEADER + FRONT + 5_000
    const { bytes } = await repairPhoto(Uint8Array.from(own).fill(0, at, at + 900), 'crw')
    expect(bytes.subarray(0, HEADER)).toEqual(own.subarray(0, HEADER))
  })

  it.each([
    ['a few blocks are left', 400],
    ['no byte is left', 0],
  ])('is not read on where %s', async (_, left) => {
    const end = HEADER + FRONT + coded(VALUES).length
    const { report } = await repairPhoto(Uint8Array.from(PHOTO).fill(0, 9_000, end - left), 'crw')
    expect(report.strategies[0]?.name).not.toBe('read-on')
  })

  it('is not read on where more blocks stand in front of a hole and behind it than there are', async () => {
    const whole = plainBytes(
      new ByteReader(new MemorySource(PHOTO)),
      HEADER + FRONT,
      HEADER + FRONT + coded(VALUES).length,
    )
    const size = { codes: CODES, width: WIDTH, height: HEIGHT }
    const behind = { ...size, front: new Uint8Array(0), behind: whole }
    expect(await resynchronise(behind, SILENT)).toMatchObject({ kept: 0, first: 25 })
    expect(await resynchronise({ ...behind, front: whole.subarray(0, 2_000) }, SILENT)).toBeUndefined()
  })

  it('has an even length', () => {
    for (const bits of [1, 9, 17]) {
      const writer = new BlockWriter(CODES, 4)
      writer.put(0, bits % 16)
      expect(writer.end().length % 2).toBe(0)
    }
  })

  it('is not where its end is gone', async () => {
    const damaged = headZeroed(PHOTO, HEADER + FRONT + 4_000)
    const { report } = await repairPhoto(damaged.fill(0x55, 14_000, 16_000), 'crw')
    expect(report.strategies[0]?.name).not.toBe('read-on')
  })
})
