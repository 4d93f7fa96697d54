import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { noise } from '../../../src/bytes/damage.ts'
import { bitFlipped, inSectors } from '../../../src/formats/mpegps/recipes.ts'
import { edc, turnedBit } from '../../../src/syntax/cdxa/edc.ts'
import { RIFF_HEAD_BYTES, riffHead } from '../../../src/syntax/cdxa/riff-head.ts'
import { isIntact, SECTOR_BYTES, sectorNumber } from '../../../src/syntax/cdxa/sector.ts'
import { FIXTURES } from '../../../testing/contract/fixtures.ts'
import { repairRecording } from '../../../testing/recordings/repair-recording.ts'

const SUBHEADER = 16
const PAYLOAD = 24
const SUBMODE = 18
const EMPTY = 0

const film = inSectors(new Uint8Array(readFileSync(`${FIXTURES}/mpegps/vob-mpeg2-ac3.mpg`)))
const COUNT = (film.length - RIFF_HEAD_BYTES) / SECTOR_BYTES

const repaired = (damaged: Uint8Array) => repairRecording(damaged, 'dat')
const placeOf = (sector: number): number => RIFF_HEAD_BYTES + sector * SECTOR_BYTES
const sectorOf = (bytes: Uint8Array, sector: number): Uint8Array =>
  bytes.subarray(placeOf(sector), placeOf(sector + 1))

/** The film with so many sectors from one on replaced; its head still tells of as many as it had. */
function spliced(sector: number, count: number, put: Uint8Array = new Uint8Array(0)): Uint8Array {
  return new Uint8Array(
    Buffer.concat([film.subarray(0, placeOf(sector)), put, film.subarray(placeOf(sector + count))]),
  )
}

/** A sector of form 1 with so many bytes of data, CD-ROM XA: its code is right behind them. */
function formOne(number: number, data: Uint8Array): Uint8Array {
  const bytes = sectorOf(film, number).slice()
  bytes.set([1, 0, 0x08, 0, 1, 0, 0x08, 0], SUBHEADER)
  bytes.fill(EMPTY, PAYLOAD)
  bytes.set(data, PAYLOAD)
  new DataView(bytes.buffer).setUint32(2072, edc(bytes, SUBHEADER, 2072), true)
  bytes.set(noise(276, 3), 2076)
  return bytes
}

it('every turned bit of a sector leaves a remainder of its own', () => {
  const bytes = sectorOf(film, 7).slice(SUBHEADER)
  const covered = bytes.length - 4
  const code = new DataView(bytes.buffer)
  for (const bit of [0, 1, 77, 8_000, covered * 8 - 1, covered * 8, bytes.length * 8 - 1]) {
    bytes[bit >> 3] ^= 1 << (bit & 7)
    const error = (code.getUint32(covered, true) ^ edc(bytes, 0, covered)) >>> 0
    expect(turnedBit(error, bytes.length)).toBe(bit)
    bytes[bit >> 3] ^= 1 << (bit & 7)
  }
  expect(turnedBit(0x12345678, bytes.length)).toBe(-1)
})

describe('a sector of a Video CD', () => {
  it.each([
    ['what it holds', PAYLOAD + 1_000, 3],
    ['its sync pattern', 4, 0],
    ['its address', 14, 1],
    ['its mode', 15, 1],
    ['its file number', SUBHEADER, 1],
    ['its form, in one copy', SUBMODE, 5],
    ['its code', SECTOR_BYTES - 2, 6],
  ])('gets back the bit that was turned in %s', async (_, byte, bit) => {
    for (const sector of [0, COUNT >> 1, COUNT - 1]) {
      // the last one's address has none behind it that shows it wrong, the first one's none in front
      const { report, bytes } = await repaired(bitFlipped(film, placeOf(sector), byte, bit))
      expect(report.findings.map(({ code }) => code)).toEqual(['mpegps.sector'])
      expect(Buffer.compare(bytes, film)).toBe(0)
      expect(report.verdict).toBe('repaired')
      expect(report.tracks.reduce((sum, track) => sum + track.damaged, 0)).toBe(0)
    }
  })

  it('with two turned bits is called damaged', async () => {
    const at = placeOf(COUNT >> 1)
    const damaged = bitFlipped(bitFlipped(film, at, PAYLOAD + 900, 3), at, PAYLOAD + 1_700, 1)
    const { report, bytes } = await repaired(damaged)
    expect(report.tracks.reduce((sum, track) => sum + track.damaged, 0)).toBeGreaterThan(0)
    expect(isIntact(sectorOf(bytes, COUNT >> 1))).toBe(true)
  })

  it('of form 1 stays as it is', async () => {
    const from = COUNT - 3
    const tail = Array.from({ length: 3 }, (_, i) => formOne(from + i, new Uint8Array(2048)))
    const whole = spliced(from, 3, new Uint8Array(Buffer.concat(tail)))
    expect((await repaired(whole)).report.findings.map(({ code }) => code)).not.toContain('mpegps.sector')
    const { bytes } = await repaired(bitFlipped(whole, placeOf(from + 1), PAYLOAD + 5, 2))
    expect(Buffer.compare(sectorOf(bytes, from + 1), sectorOf(whole, from + 1))).toBe(0)
  })

  it('that takes another’s place has no mark of a file’s end', async () => {
    const sector = COUNT >> 1
    const damaged = bitFlipped(film, placeOf(sector - 1), PAYLOAD, 0)
    // marks the end of a record and a file, both copies, with the code that goes with them
    const marked = sectorOf(damaged, sector - 1)
    marked[SUBMODE] |= 0x81
    marked[SUBMODE + 4] |= 0x81
    marked[PAYLOAD] ^= 1
    const code = new DataView(marked.buffer, marked.byteOffset)
    code.setUint32(SECTOR_BYTES - 4, edc(marked, SUBHEADER, SECTOR_BYTES - 4), true)
    damaged.fill(0, placeOf(sector), placeOf(sector + 1))
    const { bytes } = await repaired(damaged)
    expect(sectorOf(bytes, sector)[SUBMODE] & 0x81).toBe(0)
    expect(Buffer.compare(sectorOf(bytes, sector - 1), marked)).toBe(0)
  })
})

describe('sectors of a Video CD', () => {
  const sector = COUNT >> 1

  it.each([1, 5])('of which %i are missing get their places back, and are told', async (count) => {
    const { report, bytes, findings } = await repaired(spliced(sector, count))
    expect(findings).toContain('mpegps.sectors-missing')
    expect(bytes.length).toBe(film.length)
    expect(sectorNumber(sectorOf(bytes, sector))).toBe(sectorNumber(sectorOf(film, sector)))
    expect(
      Buffer.compare(bytes.subarray(placeOf(sector + count)), film.subarray(placeOf(sector + count))),
    ).toBe(0)
    expect(report.tracks.reduce((sum, track) => sum + track.damaged + track.lost, 0)).toBeGreaterThan(0)
    expect((await repaired(bytes)).report.verdict).toBe('healthy')
  })

  it.each([1, 4])('of which %i stand there twice stand there once', async (count) => {
    const twice = film.subarray(placeOf(sector), placeOf(sector + count))
    const { report, bytes, findings } = await repaired(spliced(sector + count, 0, twice))
    expect(findings).toContain('mpegps.sector-doubled')
    expect(report.verdict).toBe('repaired')
    expect(Buffer.compare(bytes, film)).toBe(0)
  })

  it('lose what was put between them, be it as long as some', async () => {
    const { report, bytes } = await repaired(spliced(sector, 0, noise(3 * SECTOR_BYTES, 7)))
    expect(report.verdict).toBe('repaired')
    expect(Buffer.compare(bytes, film)).toBe(0)
  })

  it('that are not numbered one behind the other are not missing', async () => {
    const joined = new Uint8Array(
      Buffer.concat([film.subarray(0, placeOf(sector)), film.subarray(placeOf(sector + 9))]),
    )
    joined.set(riffHead(COUNT - 9, film.subarray(0, RIFF_HEAD_BYTES)))
    expect((await repaired(joined)).findings).not.toContain('mpegps.sectors-missing')
    const plain = film.slice()
    for (let i = 0; i < COUNT; i++) plain.fill(0, placeOf(i) + 12, placeOf(i) + 15)
    expect((await repaired(plain)).report.verdict).toBe('healthy')
  })
})
