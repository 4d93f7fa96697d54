import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { DEFAULT_LIMITS } from '../../../src/bytes/limits.ts'
import { ByteReader } from '../../../src/bytes/reader.ts'
import { MemorySource } from '../../../src/bytes/source.ts'
import { assess } from '../../../src/formats/asf/assess.ts'
import { GUID, guidBytes } from '../../../src/formats/asf/read/guids.ts'
import { readHeader } from '../../../src/formats/asf/read/header.ts'
import type { Scan } from '../../../src/formats/asf/read/scan.ts'
import {
  bitFlipped,
  indexCutAway,
  neverFinished,
  packetsOf,
  packetZeroed,
  RECIPES,
} from '../../../src/formats/asf/recipes.ts'
import { putLong } from '../../../src/formats/asf/write/header.ts'
import { DOUBT } from '../../../src/model/doubt.ts'
import { SILENT } from '../../../src/model/monitor.ts'
import { FIXTURES } from '../../../testing/contract/fixtures.ts'
import { repairRecording } from '../../../testing/recordings/repair-recording.ts'
import { objectsOf } from './support/objects.ts'

/** The stream of both. */
const PICTURES = 1
const FILES = ['wmv-wmv1-wma1.wmv', 'asf-msmpeg4-mp3.asf'] as const

function fixture(name: string): Uint8Array {
  return new Uint8Array(readFileSync(`${FIXTURES}/asf/${name}`))
}

const repaired = (damaged: Uint8Array, sample?: Uint8Array) => repairRecording(damaged, 'wmv', sample)

/** Columns and rows of macroblocks exchanged, in pixels. */
function turned(width: number, height: number): [width: number, height: number] {
  return [Math.ceil(height / 16) * 16, Math.ceil(width / 16) * 16]
}

describe('a header from whose extension bytes are missing', () => {
  const whole = fixture('wmv-wmv1-wma1.wmv')
  const PADDING = '74d40618dfca0945a4ba9aabcb96aae8'
  /** The file with so many bytes of padding in the extension. */
  function padded(length: number): Uint8Array {
    const header = readHeader(new ByteReader(new MemorySource(whole)))
    const extension = header.parts.find(({ guid }) => guid === GUID.headerExtension)
    if (!extension) throw new Error('the fixture has no extension')
    const end = extension.offset + extension.size
    const padding = new Uint8Array(length)
    padding.set(guidBytes(PADDING))
    padding[16] = length
    const head = whole.slice(0, end)
    const view = new DataView(head.buffer)
    putLong(view, 16, header.data + length)
    putLong(view, extension.offset + 16, extension.size + length)
    view.setUint32(extension.offset + 42, extension.size - 46 + length, true)
    return Uint8Array.from([...head, ...padding, ...whole.subarray(end)])
  }

  const headerOf = (bytes: Uint8Array) => {
    const { parts, streams, whole: isWhole } = readHeader(new ByteReader(new MemorySource(bytes)))
    return { parts, streams, isWhole }
  }

  it('is written with what is whole of it', async () => {
    expect((await repaired(padded(200))).report.verdict).toBe('healthy')
    for (const missing of [1, 40]) {
      const torn = padded(200)
      const at = Buffer.from(torn).indexOf(Buffer.from(PADDING, 'hex')) + 60
      const damaged = Uint8Array.from([...torn.subarray(0, at), ...torn.subarray(at + missing)])
      const { report, bytes } = await repaired(damaged)
      expect(report.verdict).toBe('repaired')
      expect(headerOf(bytes)).toEqual(headerOf(whole))
      expect(await objectsOf(bytes)).toEqual(await objectsOf(whole))
    }
  })
})

describe.each(FILES)('a damaged Windows Media file, %s', (name) => {
  const whole = fixture(name)
  const sample = fixture(name.replace('.', '.sample.'))

  it.each(RECIPES.filter(({ name }) => name !== 'bits flipped'))(
    '$name: nothing but the pictures hit is left to mend',
    async (recipe) => {
      const { report, bytes } = await repaired(recipe.apply(whole, 5), sample)
      expect(['repaired', 'partial']).toContain(report.verdict)
      // what zeros took of pictures that are kept can still be seen
      const { findings, verdict } = (await repaired(bytes)).report
      const faults = findings.filter(({ severity }) => severity !== 'info').map(({ code }) => code)
      expect(faults.filter((code) => code !== 'asf.media-damaged')).toEqual([])
      expect(report.findings.map(({ code }) => code)).toEqual(expect.arrayContaining(faults))
      expect(verdict === 'healthy').toBe(faults.length === 0)
      const known = new Set(await objectsOf(whole))
      const kept = await objectsOf(bytes)
      expect(kept.length).toBeGreaterThan(10)
      expect(kept.filter((object) => !known.has(object)).length).toBeLessThanOrEqual(6)
    },
  )

  it('an index that is gone is made anew, and nothing else changes', async () => {
    const { start, end } = packetsOf(whole)
    const cut = indexCutAway(whole)
    const view = new DataView(cut.buffer)
    // a count that is wrong, so that something is
    view.setUint32(start - 10, 1, true)
    const { bytes } = await repaired(truncatedBy(cut, 1))
    expect(bytes.subarray(start, start + 3_000)).toEqual(whole.subarray(start, start + 3_000))
    expect(bytes.length).toBeGreaterThan(end - 3 * packetsOf(whole).size)
  })

  it('an index that alone is gone is made anew, since the file says that it was longer', async () => {
    const { start, end } = packetsOf(whole)
    const { report, bytes, findings } = await repaired(indexCutAway(whole))
    expect(findings).toEqual(['asf.index-missing'])
    expect(report.verdict).toBe('repaired')
    expect(bytes.subarray(start, end)).toEqual(whole.subarray(start, end))
    expect(readHeader(new ByteReader(new MemorySource(bytes))).file?.fileSize).toBe(bytes.length)
    expect(bytes.subarray(end, end + 16)).toEqual(guidBytes(GUID.simpleIndex))
    expect((await repaired(bytes)).report.verdict).toBe('healthy')
  })

  it('a recording that was never finished gets its counts and its length', async () => {
    const { report, bytes } = await repaired(neverFinished(whole))
    expect(report.verdict).toBe('repaired')
    expect(await objectsOf(bytes)).toEqual(await objectsOf(whole))
    const { start, size, end } = packetsOf(bytes)
    const before = packetsOf(whole)
    expect({ start, size, end }).toEqual(before)
    expect(bytes.subarray(start, end)).toEqual(whole.subarray(start, end))
  })

  it.each([
    ['stream', 0, 5],
    ['position', 5, 6],
    ['replicated length', 6, 2],
    ['object size', 9, 3],
    ['time', 13, 7],
    ['payload length', 16, 4],
  ])('a flipped bit in the %s of a payload costs nothing', async (_, byte, bit) => {
    const { scan } = await assess(new ByteReader(new MemorySource(whole)), DEFAULT_LIMITS, SILENT)
    if (!scan) throw new Error('the fixture has packets')
    const { payloads } = scan
    // the second payload of a packet of several, in the middle
    const row = payloads.lengthField.findIndex(
      (field, i) => i > payloads.length / 2 && field > 0 && isSecond(scan, i),
    )
    const { report, bytes } = await repaired(bitFlipped(whole, payloads.offset[row], byte, bit))
    expect(report.verdict).toBe('repaired')
    const before = await objectsOf(whole)
    const after = await objectsOf(bytes)
    expect(after.length).toBe(before.length)
    expect(after.filter((object) => !before.includes(object)).length).toBeLessThanOrEqual(byte === 13 ? 1 : 0)
  })

  it('nor does the one without which a packet of one payload has no replicated data', async () => {
    const { scan } = await assess(new ByteReader(new MemorySource(whole)), DEFAULT_LIMITS, SILENT)
    if (!scan) throw new Error('the fixture has packets')
    const { payloads } = scan
    // others would give it as many data that no packet has, and the rest of the payload to the picture
    const row = payloads.lengthField.findIndex((field, i) => i > 0 && field === 0 && payloads.position[i] > 0)
    const { report, bytes } = await repaired(bitFlipped(whole, payloads.offset[row], 6, 3))
    expect(report.verdict).toBe('repaired')
    expect(await objectsOf(bytes)).toEqual(await objectsOf(whole))
  })

  it('two flipped bits, in the padding of a packet and the position of its first payload, cost nothing', async () => {
    const { scan } = await assess(new ByteReader(new MemorySource(whole)), DEFAULT_LIMITS, SILENT)
    if (!scan) throw new Error('the fixture has packets')
    const { payloads, packets } = scan
    const packet = packets.first.findIndex(
      (row, i) => i > packets.length / 3 && payloads.lengthField[row] > 0 && payloads.position[row] > 0,
    )
    const damaged = bitFlipped(whole, packets.offset[packet], 5, 4)
    const { report, bytes } = await repaired(
      bitFlipped(damaged, payloads.offset[packets.first[packet]], 4, 2),
    )
    expect(report.verdict).toBe('repaired')
    expect(report.findings.map(({ code }) => code)).toEqual(['asf.packet-header'])
    expect(await objectsOf(bytes)).toEqual(await objectsOf(whole))
  })

  it('a picture is hit where its last bytes are zeros, with which none ends', async () => {
    const { scan } = await assess(new ByteReader(new MemorySource(whole)), DEFAULT_LIMITS, SILENT)
    if (!scan) throw new Error('the fixture has packets')
    const { payloads } = scan
    const row = payloads.size.findIndex(
      (size, i) => i > payloads.length / 2 && size > 200 && payloads.stream[i] === PICTURES,
    )
    const end = payloads.offset[row] + payloads.header[row] + payloads.size[row]
    const { report } = await repaired(new Uint8Array(whole).fill(0, end - 100, end))
    expect(report.findings.map(({ code }) => code)).toEqual(['asf.media-damaged'])
    expect(report.tracks.map(({ damaged }) => damaged)).toEqual([1, 0])
  })

  it.each([
    ['one', 0],
    ['two', 0x20],
  ])('flipped bits in the error correction data of a packet cost nothing: %s', async (_, second) => {
    const { start, size, end } = packetsOf(whole)
    const at = start + Math.floor((end - start) / size / 2) * size
    const damaged = bitFlipped(whole, at, 1, 1)
    damaged[at + 2] ^= second
    const { report, bytes } = await repaired(damaged)
    expect(report.verdict).toBe('repaired')
    expect(report.findings.map(({ code }) => code)).toContain('asf.packet-header')
    expect(bytes.subarray(at, at + 3)).toEqual(whole.subarray(at, at + 3))
    expect(await objectsOf(bytes)).toEqual(await objectsOf(whole))
  })

  it('nor do they in front of a packet that no longer begins as one', async () => {
    const { start, size, end } = packetsOf(whole)
    const at = start + Math.floor((end - start) / size / 2) * size
    const damaged = bitFlipped(whole, at, 1, 5)
    damaged[at + size] ^= 8
    damaged[at + size + 4] ^= 0x40
    const { bytes } = await repaired(damaged)
    expect(bytes.subarray(at, at + 3)).toEqual(whole.subarray(at, at + 3))
    expect(await objectsOf(bytes)).toEqual(await objectsOf(whole))
  })

  it('packets some of which have error correction data are healthy', async () => {
    const { start, size, end } = packetsOf(whole)
    const corrected = new Uint8Array(whole)
    for (let at = start; at + size <= end; at += 2 * size) corrected[at + 1] = 0x5a
    const { report } = await repaired(corrected)
    expect(report.verdict).toBe('healthy')
    expect(report.findings).toEqual([])
  })

  it('a flipped bit in the object size of the last part of an object costs nothing', async () => {
    const { scan } = await assess(new ByteReader(new MemorySource(whole)), DEFAULT_LIMITS, SILENT)
    if (!scan) throw new Error('the fixture has packets')
    const { payloads } = scan
    const row = payloads.lengthField.findIndex(
      (field, i) =>
        field > 0 &&
        payloads.position[i] > 0 &&
        payloads.position[i] + payloads.size[i] === payloads.objectSize[i] &&
        payloads.position[payloads.stream.lastIndexOf(payloads.stream[i], i - 1)] === 0,
    )
    const { report, bytes } = await repaired(bitFlipped(whole, payloads.offset[row], 10, 5))
    expect(report.verdict).toBe('repaired')
    expect(await objectsOf(bytes)).toEqual(await objectsOf(whole))
  })

  it('a packet that is gone costs the objects in it and no others', async () => {
    const { bytes } = await repaired(packetZeroed(whole, 0.5))
    const before = await objectsOf(whole)
    const after = new Set(await objectsOf(bytes))
    const lost = before.filter((object) => !after.has(object))
    expect(lost.length).toBeGreaterThan(0)
    expect(lost.length).toBeLessThanOrEqual(16)
    expect(after.size).toBe(before.length - lost.length)
  })

  it('a header that is gone comes from the sample', async () => {
    const damaged = new Uint8Array(whole).fill(0, 0, 3_000)
    const { report, bytes } = await repaired(damaged, sample)
    // read to their ends, pictures show the size that the sample lends them
    expect(report.doubts ?? []).toEqual([])
    expect(report.sample?.used).toEqual(['header'])
    const known = new Set(await objectsOf(whole))
    const kept = await objectsOf(bytes)
    expect(kept.every((object) => known.has(object))).toBe(true)
    expect(kept.length).toBeGreaterThan(known.size - 16)
  })

  it.each([
    ['of other rows', (width: number, height: number) => [width + 16, height]],
    ['of more lines', (width: number, height: number) => [width, height + 16]],
    ['of as many macroblocks in another shape', (width: number, height: number) => turned(width, height)],
  ] as const)('a size %s that the sample lends is a doubt', async (_, other) => {
    const lent = new Uint8Array(sample)
    const { header } = await assess(new ByteReader(new MemorySource(lent)), DEFAULT_LIMITS, SILENT)
    const picture = header.streams.find(({ kind }) => kind === 'video')?.picture
    if (!picture) throw new Error('the sample has no pictures')
    const sizes = new Uint8Array(Uint32Array.of(picture.width, picture.height).buffer)
    const at = Buffer.from(lent).indexOf(sizes)
    lent.set(new Uint8Array(Uint32Array.from(other(picture.width, picture.height)).buffer), at)
    const { report } = await repaired(new Uint8Array(whole).fill(0, 0, 3_000), lent)
    expect(report.doubts).toEqual([DOUBT.assumed])
  })

  it('a header that is gone without a sample is refused in a sentence', async () => {
    const { report, bytes } = await repaired(new Uint8Array(whole).fill(0, 0, 5_000))
    expect(report.verdict).toBe('unrepairable')
    expect(report.reason).toMatch(/sample/)
    expect(bytes).toHaveLength(0)
  })

  it('a protected one is refused in a sentence', async () => {
    const damaged = new Uint8Array(whole)
    const text = String.fromCharCode(...whole.subarray(0, 2_000))
    // the codec list becomes a content encryption object
    const at = text.indexOf('\x40\x52\xd1\x86')
    damaged.set(
      [0xfb, 0xb3, 0x11, 0x22, 0x23, 0xbd, 0xd2, 0x11, 0xb4, 0xb7, 0, 0xa0, 0xc9, 0x55, 0xfc, 0x6e],
      at,
    )
    const { report, bytes } = await repaired(damaged)
    expect(report.verdict).toBe('unrepairable')
    expect(report.reason).toMatch(/DRM/)
    expect(bytes).toHaveLength(0)
  })

  it('nor does one come back whose header tells of that in its extension', async () => {
    const { parts, data } = readHeader(new ByteReader(new MemorySource(whole)))
    const extension = parts.find(({ guid }) => guid === GUID.headerExtension)
    if (!extension) throw new Error('the fixture has no extension')
    const end = extension.offset + extension.size
    const told = new Uint8Array(40)
    told.set(guidBytes(GUID.advancedContentEncryption))
    told[16] = told.length
    const damaged = Uint8Array.from([...whole.subarray(0, end), ...told, ...whole.subarray(end, -500)])
    const view = new DataView(damaged.buffer)
    putLong(view, 16, data + told.length)
    putLong(view, extension.offset + 16, extension.size + told.length)
    view.setUint32(extension.offset + 42, extension.size - 46 + told.length, true)
    const { report, bytes } = await repaired(damaged)
    expect(report.reason).toMatch(/DRM/)
    expect(bytes).toHaveLength(0)
  })
})

function isSecond({ packets }: Scan, row: number): boolean {
  return packets.first.subarray(0, packets.length).includes(row - 1)
}

function truncatedBy(bytes: Uint8Array, count: number): Uint8Array {
  return bytes.slice(0, bytes.length - count)
}

it.each([3, 6, 9])(
  'what bytes missing from packet %i cost is told, also between payloads that survive in it',
  async (number) => {
    const whole = fixture('asf-msmpeg4-mp3.asf')
    const { start, size } = packetsOf(whole)
    const from = start + size * number + 900
    const damaged = Uint8Array.from([...whole.subarray(0, from), ...whole.subarray(from + 700)])
    const { report, bytes } = await repaired(damaged)
    const pictures = async (file: Uint8Array): Promise<number> =>
      (await objectsOf(file)).filter((object) => object.startsWith('1 ')).length
    const [track] = report.tracks
    expect(track.recovered).toBe(await pictures(bytes))
    expect(track.recovered + track.lost).toBe(await pictures(whole))
  },
)

it('a picture that lacks more than a packet of the packets that are all there is in doubt: headers were hit', async () => {
  const bytes = fixture(FILES[0])
  const { scan } = await assess(new ByteReader(new MemorySource(bytes)), DEFAULT_LIMITS, SILENT)
  if (!scan) throw new Error('the fixture has no packets')
  const { stream, position, offset, size, length } = scan.payloads
  const isInner = (row: number): boolean => stream[row] === PICTURES && position[row] > 0 && size[row] > 2000
  const row = [...offset.subarray(0, length).keys()].find((at) => isInner(at) && isInner(at + 1))
  if (row === undefined) throw new Error('no picture has two such parts')
  const places = { position: 2, size: 7 }
  for (const part of [row, row + 1])
    for (const place of Object.values(places)) bytes[offset[part] + place + 1] ^= 2
  const { report } = await repaired(bytes)
  expect(report.verdict).toBe('partial')
  expect(report.doubts?.map(({ code }) => code)).toContain('hits')
})
