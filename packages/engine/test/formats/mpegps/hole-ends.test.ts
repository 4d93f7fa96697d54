import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { noise } from '../../../src/bytes/damage.ts'
import type { Item } from '../../../src/formats/mpegps/read/item.ts'
import { inSectors, itemsOf } from '../../../src/formats/mpegps/recipes.ts'
import { frameBytes } from '../../../src/recording/sound-frames.ts'
import { FIXTURES } from '../../../testing/contract/fixtures.ts'
import { repairRecording } from '../../../testing/recordings/repair-recording.ts'

const PACK = 0xba
/** Bytes of noise over the heads of a pack and its packet. */
const HIT = 40
/** Bytes that fill up behind a packet. */
const FILL = 20
const FILES = [
  { name: 'mpg-mpeg2-mp2.mpg', sound: 0xc0, codec: 'mp2', about: 0 },
  { name: 'vob-mpeg2-ac3.mpg', sound: 0xbd, codec: 'ac3', about: 4 },
] as const

function fixture(name: string): Uint8Array {
  return new Uint8Array(readFileSync(`${FIXTURES}/mpegps/${name}`))
}

const repaired = (damaged: Uint8Array) => repairRecording(damaged, 'mpg')

/** The payloads of a stream's packets end to end; `about` bytes in front of each are left out. */
function payloadOf(bytes: Uint8Array, id: number, about = 0): Uint8Array {
  const parts = itemsOf(bytes)
    .filter(({ code }) => code === id)
    .map(({ offset, length, header }) =>
      bytes.subarray(offset + (header?.headerLength ?? 0) + about, offset + length),
    )
  return new Uint8Array(Buffer.concat(parts))
}

/** Frames that fill a stream of sound from its first byte to its last. */
function framesOf(codec: string, sound: Uint8Array): Uint8Array[] {
  const frames: Uint8Array[] = []
  for (let at = 0; at < sound.length; ) {
    const length = frameBytes(codec, sound, at)
    if (length === 0) throw new Error(`no frame begins at ${at} of ${sound.length}`)
    frames.push(sound.subarray(at, at + length))
    at += length
  }
  return frames
}

/** Where pictures begin in a stream of them. */
function picturesOf(bytes: Uint8Array): number {
  const stream = Buffer.from(payloadOf(bytes, 0xe0))
  let count = 0
  for (let at = stream.indexOf('00000100', 0, 'hex'); at >= 0; count++)
    at = stream.indexOf('00000100', at + 4, 'hex')
  return count
}

/** The pack that a packet lies in and begins, hit by noise together with the packet's header. */
function headsHit(bytes: Uint8Array, packets: readonly Item[]): Uint8Array {
  const damaged = new Uint8Array(bytes)
  const packs = itemsOf(bytes).filter(({ code }) => code === PACK)
  for (const { offset, header } of packets) {
    const from = packs.findLast((pack) => pack.offset < offset)?.offset ?? 0
    damaged.set(noise(offset + (header?.headerLength ?? 0) + HIT - from, 5), from)
  }
  return damaged
}

describe.each(FILES)('where the heads of packets of $name are gone', ({ name, sound, codec, about }) => {
  const whole = fixture(name)
  const sounds = itemsOf(whole).filter(({ code }) => code === sound)
  /** Packets in whose middle a picture begins whose header has all bytes there. */
  const begins = itemsOf(whole).filter(({ code, offset, length, header }) => {
    const from = offset + (header?.headerLength ?? 0)
    const place = Buffer.from(whole.subarray(from + HIT, offset + length)).indexOf('00000100', 0, 'hex')
    return code === 0xe0 && place >= 0 && place + 300 < offset + length - from - HIT
  })

  it('frames of sound that go on in the next packet come back, at their times', async () => {
    const [first, second] = sounds.slice(2, 4)
    const { report, bytes } = await repaired(headsHit(whole, [first]))
    const before = framesOf(codec, payloadOf(whole, sound, about))
    const after = Buffer.from(payloadOf(bytes, sound, about))
    expect(before.filter((frame) => !after.includes(frame)).length).toBeLessThanOrEqual(2)
    expect(report.tracks.find(({ kind }) => kind === 'audio')?.lost).toBeLessThanOrEqual(1)
    const stamps = itemsOf(bytes).flatMap(({ code, header }) => (code === sound ? (header?.pts ?? []) : []))
    expect(stamps).toContain(second.header?.pts)
    expect([...stamps].sort((a, b) => a - b)).toEqual(stamps)
    expect((await repaired(bytes)).report.verdict).toBe('healthy')
  })

  it('pictures that begin behind come back, at their times, and sectors keep their places', async () => {
    const hit = begins[begins.length >> 1]
    const { report, bytes } = await repaired(headsHit(whole, [hit]))
    expect(picturesOf(bytes)).toBe(picturesOf(whole))
    expect(bytes.length % 2048).toBe(0)
    const times = (of: Uint8Array): string[] =>
      itemsOf(of).flatMap(({ code, header }) =>
        code === 0xe0 && header && header.dts >= 0 ? [`${header.pts} ${header.dts}`] : [],
      )
    expect(times(bytes)).toEqual(times(whole))
    expect(report.tracks.find(({ kind }) => kind === 'video')?.lost).toBe(0)
    expect((await repaired(bytes)).report.verdict).toBe('healthy')
  })

  it('pictures come back where zeros fill up behind each packet', async () => {
    const bytesOf = ({ offset, length }: Item): Uint8Array => whole.subarray(offset, offset + length)
    const packs = itemsOf(whole).filter(({ code }) => code === PACK)
    const packets = itemsOf(whole).filter(({ header }) => header)
    const number = packets.findIndex(({ offset }) => offset === begins[begins.length >> 1].offset)
    const parts = packets.flatMap((item) => [bytesOf(packs[0]), bytesOf(item), new Uint8Array(FILL)])
    const filled = new Uint8Array(Buffer.concat(parts))
    const hit = itemsOf(filled).filter(({ header }) => header)[number]
    const { bytes } = await repaired(headsHit(filled, [hit]))
    expect(picturesOf(bytes)).toBe(picturesOf(whole))
  })

  it('the same in sectors of a Video CD', async () => {
    const disc = inSectors(whole)
    const packs = itemsOf(whole).filter(({ code }) => code === PACK)
    const hit = begins[begins.length >> 1]
    const pack = packs.findLastIndex(({ offset }) => offset < hit.offset)
    expect(pack).toBeGreaterThan(0)
    const damaged = new Uint8Array(disc)
    const at = Buffer.from(disc).indexOf(whole.subarray(hit.offset, hit.offset + 40))
    damaged.set(noise(80, 3), at - 40)
    const { bytes } = await repaired(damaged)
    expect(bytes.length).toBe(disc.length)
    expect((await repaired(bytes)).report.verdict).toBe('healthy')
  })
})
