import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { codecNamed } from '../../src/codecs/index.ts'
import { type Recogniser, Unit } from '../../src/codecs/recogniser.ts'
import { Allowance } from '../../src/model/allowance.ts'
import type { TrackDescription } from '../../src/model/track.ts'
import { randomFrom } from '../../testing/hostile-sources.ts'
import { noise, readerOf, trackOf } from '../../testing/video/replay.ts'
import { storedStreams } from '../../testing/video/stream-fixture.ts'
import { movieOf } from '../formats/isobmff/support/engine.ts'

/*
 * What recognisers and readers say of units in which a bit is turned, one at a time, as a checksum: their syntax is read at a thousand places.
 * Whoever changes what is said on purpose lets the test runner write the new ones (`--update=all`); the laws of each codec say what is right.
 */

/** Units of a stream that come one behind the other; in every third of them so many bits are turned. */
const UNITS = 15
const TURNED = 48
/** Longer units take too long, and tell no more. */
const LONGEST = 12_000
const HEAD = 64
/** Bytes of noise that heads of all lengths stand in front of, and in which units are looked for at every place. */
const NOISE = 700
const CHANCES = 3000

interface Stream {
  readonly name: string
  readonly track: TrackDescription
  readonly units: readonly Uint8Array[]
}

function videoStreams(): Stream[] {
  return storedStreams().map((fixture) => {
    const { name, bytes, packets } = fixture
    const isChain = /^h(264|evc)/.test(name)
    const framing = name.endsWith('start-codes') ? 'startcode' : isChain ? 'length' : 'raw'
    const units = packets.map(({ offset, size }) => bytes.subarray(offset, offset + size))
    return { name, track: trackOf(fixture, framing), units }
  })
}

/** Tracks of sound in stored recordings. */
async function soundStreams(): Promise<Stream[]> {
  const places = [
    ...['h264-aac.mp4', 'h264-opus.mp4', 'mpeg4-aac.mp4'].map(
      (name) => `../formats/isobmff/fixtures/${name}`,
    ),
    ...['3gp-mpeg4-amr.3gp', 'h264-camera-aac.mov', 'hevc-b-aac.mp4'].map(
      (name) => `../../testing/fixtures/isobmff/${name}`,
    ),
  ]
  const all = places.map(async (place) => {
    const bytes = new Uint8Array(readFileSync(new URL(place, import.meta.url)))
    const { tracks } = await movieOf(bytes)
    return tracks
      .filter(({ description }) => description.kind === 'audio')
      .map(({ description, samples }) => {
        const units = Array.from(samples.offset.subarray(0, samples.length), (at, row) =>
          bytes.subarray(at, at + samples.size[row]),
        )
        return { name: `${description.codec} of ${place.split('/').at(-1)}`, track: description, units }
      })
  })
  return (await Promise.all(all)).flat()
}

/** What a recogniser says of a unit that begins the bytes. */
function said(recogniser: Recogniser, bytes: Uint8Array, size: number): unknown {
  const reader = readerOf(bytes)
  const unit = new Unit()
  const found = recogniser.recognise(reader, 0, bytes.length, unit)
  const { detail: _, ...facts } = unit
  const ends = recogniser.unitReader?.(new Allowance(1e7)).read(reader, 0, size)
  return [
    ...[found && facts, ends, recogniser.search(reader, 1, bytes.length)],
    ...[recogniser.intact?.(reader, 0, size), recogniser.closing?.(reader, 0, size)],
  ]
}

function checksumOf({ track, units }: Stream): string {
  const codec = codecNamed(track.codec)
  const recogniser = codec?.recogniser(track)
  const pictures = codec?.pictureReader?.(track)
  if (!recogniser) throw new Error(`no recogniser of ${track.codec}`)
  const next = randomFrom(units.length)
  const told: unknown[] = []
  for (const [i, packet] of units
    .filter(({ length }) => length <= LONGEST)
    .slice(0, UNITS)
    .entries()) {
    const whole = Uint8Array.from([...packet, ...noise(HEAD)])
    for (let turn = 0; i % 3 === 1 && turn < TURNED; turn++) {
      const bytes = whole.slice()
      // heads tell most
      const at = Math.floor(next() * (turn % 2 === 0 ? Math.min(HEAD, packet.length) : packet.length))
      bytes[at] ^= 1 << Math.floor(next() * 8)
      told.push(at, said(recogniser, bytes, packet.length), pictures?.read(bytes.slice(0, packet.length)))
    }
    for (let head = 0; i % 3 === 1 && head < HEAD; head += 1 + (head >> 2)) {
      const bytes = Uint8Array.from([...packet.subarray(0, head), ...noise(NOISE, head + i)])
      told.push(said(recogniser, bytes, bytes.length), pictures?.read(bytes.slice()))
    }
    told.push(said(recogniser, whole, packet.length), pictures?.read(packet.slice()))
    const unit = new Unit()
    const reader = readerOf(whole)
    recogniser.learn?.(reader, 0, packet.length)
    if (recogniser.recognise(reader, 0, packet.length, unit)) recogniser.accept(reader, 0, unit)
    const { detail: _, ...facts } = unit
    told.push(facts)
  }
  const chance = noise(CHANCES, 5)
  for (let at = 0; at < CHANCES; at += 40) told.push(said(recogniser, chance.subarray(at), CHANCES - at))
  return createHash('sha256').update(JSON.stringify(told)).digest('hex').slice(0, 8)
}

it('what is said of units with turned bits, of heads in front of noise and of noise is what it was', async () => {
  const streams = [...videoStreams(), ...(await soundStreams())]
  const lines = streams.map((stream) => `${stream.name} ${checksumOf(stream)}`)
  expect(lines.join('\n')).toMatchInlineSnapshot(`
    "av1 5726317f
    h263 cba04bf6
    h264-10-bit e84004c0
    h264-422-10-bit-intra bac5eb2f
    h264-aud-repeated-headers 31324e83
    h264-b-adaptive faddcda5
    h264-b-pyramid 01b1bb1d
    h264-baseline 78fb69a5
    h264-cabac-init-1 db57925d
    h264-cabac-init-2 aa0c17cd
    h264-cavlc 45ae35bf
    h264-field-pairs e222574b
    h264-interlaced a6fcb7c9
    h264-open-gop e8a2545f
    h264-slices-2 5fd38ed8
    h264-slices-8 e381bd1e
    h264-start-codes 7b5df4dc
    hevc-10-bit 1a8e1b08
    hevc-422-10-bit e000ab55
    hevc-444-10-bit 4c757e6c
    hevc-b-pyramid 1d511216
    hevc-open-gop e307c611
    hevc-p 884bb027
    hevc-radl 29c0ebc7
    hevc-repeated-headers 2174f3fc
    hevc-sao-without-deblocking 4d16cfba
    hevc-slices 67fc1927
    hevc-start-codes baa5f360
    hevc-temporal-layers 149b06d8
    mjpeg 7793a83c
    mpeg1-b ae7f3545
    mpeg2-422 71857912
    mpeg2-b 406d565f
    mpeg2-interlaced 91bd86c5
    mpeg4-b e4ce76f3
    mpeg4-interlaced 63192c8d
    mpeg4-matrix fbe0b177
    mpeg4-packets ecac76f9
    mpeg4-partitioned eb98f4f4
    mpeg4-qpel-4mv 773b3a91
    mpeg4-simple f56afc81
    msmpeg4v2 b00b48c0
    msmpeg4v3 8f66fe66
    prores d97a7d98
    vp8 26d6c760
    vp9-10-bit 2b7c2a4b
    vp9-422 c03bce94
    vp9-444-10-bit a11fae00
    vp9-adapting 2254d3f5
    vp9-compound e0c6df7a
    vp9-hidden 87910f19
    vp9-lossless d226e3e5
    vp9-resilient 8f8cede0
    vp9-segments 5efb5def
    vp9-tiles 19a9bc8c
    vp9 2718674b
    wmv1 e28be6a2
    wmv2 57d08a95
    aac of h264-aac.mp4 f34d0705
    opus of h264-opus.mp4 34b6da70
    aac of mpeg4-aac.mp4 769bc501
    amr of 3gp-mpeg4-amr.3gp fe3b4bc4
    aac of h264-camera-aac.mov a12aa03e
    aac of hevc-b-aac.mp4 a12aa03e"
  `)
})
