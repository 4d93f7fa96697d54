import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { bytesInserted, noise } from '../../../src/bytes/damage.ts'
import { parseHeader } from '../../../src/codecs/mp3/header.ts'
import { type Item, PACK, SYSTEM_HEADER } from '../../../src/formats/mpegps/read/item.ts'
import { padding } from '../../../src/formats/mpegps/read/padding.ts'
import { bitFlipped, inSectors, itemsOf, pictureAt, RECIPES } from '../../../src/formats/mpegps/recipes.ts'
import { DOUBT } from '../../../src/model/doubt.ts'
import { firstStamp } from '../../../src/recording/header-habits.ts'
import { LONGEST_HEADER } from '../../../src/syntax/pes/packet-header.ts'
import { PADDING } from '../../../src/syntax/pes/stream-ids.ts'
import { FIXTURES } from '../../../testing/contract/fixtures.ts'
import { repairRecording } from '../../../testing/recordings/repair-recording.ts'
import { packet } from './packets.ts'

const SECTOR = 2048
const FILES = ['mpg-mpeg2-mp2.mpg', 'vob-mpeg2-ac3.mpg'] as const

function fixture(name: string): Uint8Array {
  return new Uint8Array(readFileSync(`${FIXTURES}/mpegps/${name}`))
}

const repaired = (damaged: Uint8Array) => repairRecording(damaged, 'mpg')

/** Bytes of sound end to end. */
function soundOf(bytes: Uint8Array): Uint8Array {
  const packets = itemsOf(bytes).filter(({ code }) => code >> 5 === 6)
  const payloads = packets.map(({ offset, length, header }) =>
    bytes.subarray(offset + (header?.headerLength ?? 0), offset + length),
  )
  return new Uint8Array(Buffer.concat(payloads))
}

it.each([0, 3])('where packet %i of MPEG sound is lost, whole frames stay on both sides', async (number) => {
  const whole = fixture('mpg-mpeg2-mp2.mpg')
  const { offset, length } = itemsOf(whole).filter(({ code }) => code >> 5 === 6)[number]
  const damaged = new Uint8Array(whole)
  damaged.set(noise(length, 4), offset)
  const sound = soundOf((await repaired(damaged)).bytes)
  const view = new DataView(sound.buffer)
  let frames = 0
  let at = 0
  for (; at + 4 <= sound.length; frames++) {
    const header = parseHeader(view.getUint32(at))
    if (!header) break
    at += header.length
  }
  expect(sound.length - at).toBeLessThanOrEqual(0)
  expect(frames).toBeGreaterThan(20)
})

it('times of pictures that not all packets tell are turned back by the length of a picture', async () => {
  const whole = fixture('mpg-mpeg2-mp2.mpg')
  const stamped = itemsOf(whole).filter(({ code, header }) => code === 0xe0 && (header?.dts ?? -1) >= 0)
  for (const [i, { offset, header }] of stamped.entries()) {
    if (i % 3 !== 1) continue
    // stuffing and no stamp, ISO/IEC 11172-1:1993 §2.4.3.3
    const end = offset + (header?.headerLength ?? 0)
    whole.fill(0xff, end - (header?.pts === header?.dts ? 5 : 10), end - 1)
    whole[end - 1] = 0x0f
  }
  const told = itemsOf(whole).filter(({ code, header }) => code === 0xe0 && (header?.dts ?? -1) >= 0)
  const stampOf = ({ offset, header }: Item): number => offset + (header?.headerLength ?? 0) - 5
  const damaged = new Uint8Array(whole)
  damaged[stampOf(told[18]) + 2] ^= 4
  damaged[stampOf(told[20]) + 1] ^= 0x80
  expect(Buffer.compare((await repaired(damaged)).bytes, whole)).toBe(0)
})

it.each(FILES)('the first time of each stream is turned back by the others, %s', async (name) => {
  const whole = fixture(name)
  const stamped = itemsOf(whole).filter(({ header }) => (header?.dts ?? -1) >= 0)
  for (const id of new Set(stamped.map(({ code }) => code))) {
    const own = stamped.filter(({ code }) => code === id)
    // the highest bit, whose half turn leads other times either way round; of another one the second highest
    const damaged = [own[0], own[2]].reduce((bytes, { offset }, i) => {
      const stamp = firstStamp(bytes.subarray(offset, offset + LONGEST_HEADER), 0)
      return bitFlipped(bytes, offset, stamp, 3 - i)
    }, whole)
    const { bytes, report } = await repaired(damaged)
    expect(Buffer.compare(bytes, whole)).toBe(0)
    expect(Math.max(...report.tracks.flatMap(({ ranges }) => ranges.map(({ end }) => end)))).toBeLessThan(60)
  }
})

it('a bit that made data a time stamp is turned back where nothing else is odd about it', async () => {
  const whole = fixture('mpg-mpeg2-mp2.mpg')
  const plain = itemsOf(whole).filter(({ code, offset }) => code === 0xe0 && whole[offset + 6] === 0x0f)
  const { offset } = plain[plain.length >> 1]
  // data with the marker bits of a time stamp
  for (const byte of [8, 10]) whole[offset + byte] |= 1
  const { bytes } = await repaired(bitFlipped(whole, offset, 6, 5))
  expect(Buffer.compare(bytes, whole)).toBe(0)
})

it('what is packets by its headers alone, over and over, is no recording', async () => {
  const first = fixture('mpg-mpeg2-mp2.mpg').subarray(0, 48)
  const { report, bytes } = await repaired(new Uint8Array(48 * 500).map((_, at) => first[at % 48]))
  expect(report.verdict).toBe('unrepairable')
  expect(bytes.length).toBe(0)
})

it.each([
  [32, 'healthy'],
  [1_000, 'repaired'],
] as const)('of %i foreign bytes behind the end of the pictures a file is %s', async (count, verdict) => {
  const whole = fixture('mpg-mpeg2-mp2.mpg')
  const filling = padding(20, true)
  const end = packet(0xe0, Uint8Array.of(0, 0, 1, 0xb7))
  const healthy = Buffer.concat([whole, end, filling])
  const { report, bytes } = await repaired(new Uint8Array(Buffer.concat([healthy, noise(count, 8)])))
  expect(report.verdict).toBe(verdict)
  if (verdict === 'repaired') expect(Buffer.compare(bytes, healthy)).toBe(0)
})

it('the same few bytes are foreign where the pictures are not at their end', async () => {
  const whole = fixture('mpg-mpeg2-mp2.mpg')
  const { report, bytes } = await repaired(new Uint8Array([...whole, ...noise(32, 8)]))
  expect(report.verdict).toBe('repaired')
  expect(Buffer.compare(bytes, whole)).toBe(0)
})

it('a stretch of zeros is called so, and what is left of the packet that it ends in foreign', async () => {
  const whole = fixture('mpg-mpeg2-mp2.mpg')
  const items = itemsOf(whole)
  const first = items.findIndex(({ offset }) => offset > whole.length / 2)
  const from = items[first].offset
  const { offset, length } = items.slice(first + 4).find((item) => item.length > 1_000) as Item
  const damaged = new Uint8Array(whole).fill(0, from, offset + 500)
  damaged[offset + 500] = 1
  const { report } = await repaired(damaged)
  const told = report.findings.map((finding) => [finding.code, finding.offset, finding.length])
  expect(told).toContainEqual(['mpegps.zeros', from, offset + 500 - from])
  expect(told).toContainEqual(['mpegps.foreign-bytes', offset + 500, length - 500])
})

it('some zeros that a packet ends with are its own, also in front of a hole', async () => {
  const whole = fixture('mpg-mpeg2-mp2.mpg')
  const items = itemsOf(whole)
  const index = items.findIndex(
    ({ code, length, offset }, i) =>
      i > items.length / 2 &&
      code === 0xe0 &&
      length === SECTOR &&
      items[i + 1].code === 0xe0 &&
      offset % SECTOR === 0,
  )
  const { offset } = items[index]
  const lengthBehind = async (zeros: number): Promise<number> => {
    const damaged = new Uint8Array(whole)
    damaged.fill(0x55, offset + 1000, offset + SECTOR - zeros)
    damaged.fill(0, offset + SECTOR - zeros, offset + SECTOR + 1500)
    const after = itemsOf((await repaired(damaged)).bytes).find((item) => item.offset === offset)
    return after?.length ?? 0
  }
  expect(await lengthBehind(31)).toBe(SECTOR)
  expect(await lengthBehind(200)).toBe(SECTOR - 200)
})

it.each([0, 1])('a bit %i that made a packet of padding one of maps or data is turned back', async (bit) => {
  const whole = fixture('vob-mpeg2-ac3.mpg')
  const pads = itemsOf(whole).filter(({ code }) => code === PADDING)
  const { bytes } = await repaired(bitFlipped(whole, pads[pads.length >> 1].offset, 3, bit))
  expect(Buffer.compare(bytes, whole)).toBe(0)
})

it.each([0, 1, 4])('a bit %i turned in the length of a system header is turned back', async (bit) => {
  const whole = fixture('vob-mpeg2-ac3.mpg')
  const { offset } = itemsOf(whole).filter(({ code }) => code === SYSTEM_HEADER)[0]
  const damaged = new Uint8Array(whole)
  damaged[offset + 5] ^= 1 << bit
  const { report, bytes } = await repaired(damaged)
  expect(report.verdict).toBe('repaired')
  expect(Buffer.compare(bytes, whole)).toBe(0)
})

it('a lone packet that says it is scrambled is not', async () => {
  const whole = fixture('vob-mpeg2-ac3.mpg')
  const { bytes } = await repaired(bitFlipped(whole, pictureAt(whole, 0.5).offset, 6, 5))
  expect(Buffer.compare(bytes, whole)).toBe(0)
})

describe('headers of MPEG-1 in which a bit was flipped', () => {
  const whole = fixture('mpg-mpeg2-mp2.mpg')
  const pictures = itemsOf(whole).filter(({ code }) => code >> 4 === 0xe)
  const sounds = itemsOf(whole).filter(({ code }) => code >> 5 === 6)
  const plain = pictures.filter(({ offset, length }) => whole[offset + 6] === 0x0f && length === SECTOR)
  const begins = ({ offset }: Item): boolean => whole[offset + 6] >> 4 === 3

  it.each([
    ['the id of pictures that of sound', pictures.filter(begins).at(-2), 3, 5],
    ['the id of sound that of pictures', sounds.at(-4), 3, 5],
    ['the id of pictures that of others', plain.at(-9), 3, 0],
    ['data a time stamp', plain.at(-5), 6, 5],
    ['the lack of a time stamp nothing', plain[0], 6, 3],
    ['a header of MPEG-1 one of MPEG-2', plain.at(-5), 6, 7],
    ['a pack a packet of padding', itemsOf(whole).findLast(({ code }) => code === 0xba), 3, 2],
  ])('which made %s are turned back', async (_, item, byte, bit) => {
    const { bytes } = await repaired(bitFlipped(whole, item?.offset ?? 0, byte, bit))
    expect(Buffer.compare(bytes, whole)).toBe(0)
  })
})

describe.each(FILES)('a damaged program stream, %s', (name) => {
  const whole = fixture(name)

  it.each(RECIPES)('$name: what comes out is healthy', async (recipe) => {
    const { report, bytes } = await repaired(recipe.apply(whole, 5))
    expect(['repaired', 'partial']).toContain(report.verdict)
    const again = await repaired(bytes)
    expect(again.report.findings.filter(({ severity }) => severity !== 'info')).toEqual([])
    expect(again.report.verdict).toBe('healthy')
  })

  it.each([
    ['start code', 2, 0],
    ['stream id', 3, 1],
    ['length, longer', 4, 4],
    ['length, shorter', 5, 6],
  ])('a flipped bit in the %s of a packet is turned back', async (_, byte, bit) => {
    const { offset } = pictureAt(whole, 0.5)
    const { report, bytes } = await repaired(bitFlipped(whole, offset, byte, bit))
    expect(report.verdict).not.toBe('healthy')
    expect(Buffer.compare(bytes, whole)).toBe(0)
  })

  it.each(['pictures', 'sound'])(
    'a bit in the length of a packet of %s costs nothing, also where one in the next pack was hit',
    async (kind) => {
      const items = itemsOf(whole)
      const isKind = ({ code }: Item): boolean =>
        kind === 'pictures' ? code >> 4 === 14 : code === 0xbd || code >> 5 === 6
      const place = items.findIndex((item, i) => i > 40 && isKind(item) && items[i + 1]?.code === PACK)
      const [packet, pack] = items.slice(place)
      // shorter by one bit than it is, and the start code behind it gone
      const damaged = new Uint8Array(whole)
      damaged[packet.offset + 4] ^= 1
      expect(damaged[packet.offset + 4]).toBeLessThan(whole[packet.offset + 4])
      for (const start of [whole[pack.offset], 0x40]) {
        damaged[pack.offset] = start
        const { report, bytes } = await repaired(damaged)
        expect(report.findings.map(({ code }) => code)).not.toContain('mpegps.foreign-bytes')
        expect(Buffer.compare(bytes, whole)).toBe(0)
      }
    },
  )

  it('a flipped bit in the start code of the second pack is turned back', async () => {
    const [, second] = itemsOf(whole).filter(({ code }) => code === 0xba)
    const { bytes } = await repaired(bitFlipped(whole, second.offset, 0, 3))
    expect(Buffer.compare(bytes, whole)).toBe(0)
  })

  it('a flipped bit each in the headers of a pack and of the packet behind it are turned back', async () => {
    const items = itemsOf(whole)
    const pack = items.findIndex(({ code }, i) => i > items.length / 2 && code === 0xba)
    const both = bitFlipped(bitFlipped(whole, items[pack].offset, 2, 5), items[pack + 1].offset, 3, 5)
    expect(Buffer.compare((await repaired(both)).bytes, whole)).toBe(0)
  })

  it('bytes put into a packet are a doubt: nothing tells which they are', async () => {
    const { report } = await repaired(bytesInserted(whole, 27, 0.5, 3))
    expect(report.doubts).toContainEqual(DOUBT.unexplained)
  })

  it('a sector whose head is gone is none of the packet in front, also inside a pack', async () => {
    const inside = itemsOf(whole).filter(({ code, offset }) => code >> 4 === 0xe && offset % SECTOR === 0)
    const from = inside.length > 0 ? inside[inside.length >> 1].offset : SECTOR * 20
    const damaged = new Uint8Array(whole)
    damaged.set(noise(64, 3), from)
    const { bytes } = await repaired(damaged)
    expect(
      Buffer.compare(bytes, Buffer.concat([whole.subarray(0, from), whole.subarray(from + SECTOR)])),
    ).toBe(0)
  })

  it('bytes missing inside a packet cost no other packet', async () => {
    const { offset, length } = pictureAt(whole, 0.5)
    const from = offset + Math.floor(length / 2)
    const damaged = new Uint8Array([...whole.subarray(0, from), ...whole.subarray(from + 300)])
    const { report, bytes } = await repaired(damaged)
    expect(report.verdict).toBe('repaired')
    expect(itemsOf(bytes).length).toBe(itemsOf(whole).length)
    expect(bytes.length).toBe(damaged.length)
  })
})

describe('a film of a Video CD in its sectors', () => {
  const whole = inSectors(fixture('vob-mpeg2-ac3.mpg'))

  it('is healthy', async () => {
    const { report } = await repaired(whole)
    expect(report.findings).toEqual([])
    expect(report.verdict).toBe('healthy')
  })

  it.each(RECIPES)('$name: what comes out is healthy', async (recipe) => {
    const { report, bytes } = await repaired(recipe.apply(whole, 5))
    expect(['repaired', 'partial']).toContain(report.verdict)
    const again = await repaired(bytes)
    expect(again.report.findings.filter(({ severity }) => severity !== 'info')).toEqual([])
    expect(again.report.verdict).toBe('healthy')
  })

  it('two flipped bits are told by the code of their sector, and the picture is called damaged', async () => {
    const damaged = bitFlipped(
      bitFlipped(whole, Math.floor(whole.length / 2), 0, 3),
      Math.floor(whole.length / 2),
      90,
      4,
    )
    const { report, bytes } = await repaired(damaged)
    expect(report.findings.map(({ code }) => code)).toEqual(['mpegps.sector'])
    expect(report.tracks.reduce((sum, track) => sum + track.damaged, 0)).toBeGreaterThan(0)
    expect(bytes.length).toBe(whole.length)
  })

  it('sectors behind a hole keep their places', async () => {
    const damaged = new Uint8Array(whole)
    damaged.fill(0, 100_000, 104_096)
    const { bytes } = await repaired(damaged)
    expect(bytes.length).toBe(whole.length)
    expect(Buffer.compare(bytes.subarray(110_000), whole.subarray(110_000))).toBe(0)
  })
})
