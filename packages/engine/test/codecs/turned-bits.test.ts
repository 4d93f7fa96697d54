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
 * What recognisers and readers say of units in which a bit is turned, one at a time, as a checksum: their syntax is read at a
 * thousand places. Whoever changes what is said on purpose lets the test runner write the new ones (`--update=all`); the laws of
 * each codec say what is right.
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
  // what another unit left behind
  const unit = Object.assign(new Unit(), {
    damaged: true,
    lengthKnown: false,
    key: true,
    gap: 9,
    duration: 7,
  })
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
    "av1-segments 449d55f2
    av1 2e17f38d
    h263 8cb74944
    h264-10-bit be36c76b
    h264-422-10-bit-intra 80cbab72
    h264-aud-repeated-headers 429a1d5a
    h264-b-adaptive c0057064
    h264-b-pyramid 10a0e437
    h264-baseline 89395f97
    h264-cabac-init-1 6b9c9c8f
    h264-cabac-init-2 2f50b5ae
    h264-cavlc 2df49ea7
    h264-field-pairs e1819175
    h264-interlaced-cavlc 9217529b
    h264-interlaced dc8c4bcd
    h264-open-gop f7b6716e
    h264-slices-2 9dfe6cc0
    h264-slices-8 616d21c6
    h264-start-codes 6b5e88f9
    hevc-10-bit 8ee6d45a
    hevc-422-10-bit 7cbcf315
    hevc-444-10-bit 60fbe82c
    hevc-b-pyramid 913fa5b7
    hevc-open-gop fcb3858c
    hevc-p a1547af3
    hevc-radl 8577e30d
    hevc-repeated-headers 942571d5
    hevc-sao-without-deblocking ba2c0600
    hevc-slices 30120b39
    hevc-start-codes 649fb337
    hevc-temporal-layers 7e498d9b
    mjpeg ee153ff0
    mpeg1-b 4a3e69ef
    mpeg2-422 ca868435
    mpeg2-b c0017b56
    mpeg2-interlaced cade62be
    mpeg4-b 901ac35d
    mpeg4-interlaced 9d1683eb
    mpeg4-matrix fe4f004c
    mpeg4-packets 0caa58fd
    mpeg4-partitioned f68556ae
    mpeg4-qpel-4mv 8dd87bd0
    mpeg4-simple 19e5b4d5
    msmpeg4v2 1d57de4c
    msmpeg4v3 356390d3
    prores c84719f6
    vp8 90c6df89
    vp9-10-bit a641e9f9
    vp9-422 d3053c50
    vp9-444-10-bit 6af0bb43
    vp9-adapting e257c652
    vp9-compound fe19c326
    vp9-hidden 0980d206
    vp9-lossless dd44e9b9
    vp9-resilient 5cb1717f
    vp9-segments 3197a9cc
    vp9-tiles 04c1cd69
    vp9 38d40b55
    wmv1 8482189a
    wmv2 72c7a904
    aac of h264-aac.mp4 f34d0705
    opus of h264-opus.mp4 34b6da70
    aac of mpeg4-aac.mp4 769bc501
    amr of 3gp-mpeg4-amr.3gp fe3b4bc4
    aac of h264-camera-aac.mov a12aa03e
    aac of hevc-b-aac.mp4 a12aa03e"
  `)
})
