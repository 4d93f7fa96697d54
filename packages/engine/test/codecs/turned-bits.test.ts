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
 * Whoever changes what is said on purpose writes the new checksums down; the laws of each codec say what is right.
 */

/** Units of a stream that come one behind the other; in every third of them so many bits are turned. */
const UNITS = 15
const TURNED = 48
/** Longer units take too long, and tell no more. */
const LONGEST = 12_000
const HEAD = 64

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
    '../../testing/fixtures/isobmff/3gp-mpeg4-amr.3gp',
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
    told.push(said(recogniser, whole, packet.length), pictures?.read(packet.slice()))
    const unit = new Unit()
    const reader = readerOf(whole)
    recogniser.learn?.(reader, 0, packet.length)
    if (recogniser.recognise(reader, 0, packet.length, unit)) recogniser.accept(reader, 0, unit)
    const { detail: _, ...facts } = unit
    told.push(facts)
  }
  return createHash('sha256').update(JSON.stringify(told)).digest('hex').slice(0, 8)
}

it('what is said of units with a turned bit is what it was', async () => {
  const streams = [...videoStreams(), ...(await soundStreams())]
  expect(Object.fromEntries(streams.map((stream) => [stream.name, checksumOf(stream)]))).toEqual(CHECKSUMS)
})

const CHECKSUMS: Readonly<Record<string, string>> = {
  'aac of h264-aac.mp4': '95137135',
  'aac of mpeg4-aac.mp4': '6235608c',
  'amr of 3gp-mpeg4-amr.3gp': '22f1b942',
  av1: 'f6b7bd5a',
  h263: '7c2df873',
  'h264-10-bit': 'a750e87e',
  'h264-422-10-bit-intra': '64d7a3c0',
  'h264-aud-repeated-headers': '1bd5b237',
  'h264-b-adaptive': 'd2562265',
  'h264-b-pyramid': 'c863541f',
  'h264-baseline': 'ef274967',
  'h264-cabac-init-1': '2e1b0359',
  'h264-cabac-init-2': 'd29e62f0',
  'h264-cavlc': '18d0ce4a',
  'h264-field-pairs': 'ad26a195',
  'h264-interlaced': '98e2923e',
  'h264-open-gop': 'f2cf979c',
  'h264-slices-2': 'b1bbe995',
  'h264-slices-8': '3ba491b5',
  'h264-start-codes': '245c0dc0',
  'hevc-10-bit': '63e40171',
  'hevc-422-10-bit': 'c60876ac',
  'hevc-444-10-bit': '34a6135d',
  'hevc-b-pyramid': '54473b1d',
  'hevc-open-gop': '5400772f',
  'hevc-p': '604d8b74',
  'hevc-radl': '41e44025',
  'hevc-repeated-headers': 'f56a8ada',
  'hevc-sao-without-deblocking': '517fb7f1',
  'hevc-slices': 'd72d7f7d',
  'hevc-start-codes': 'a0a52aa9',
  'hevc-temporal-layers': '16a87a78',
  mjpeg: 'a9558aa8',
  'mpeg1-b': 'b0a456e7',
  'mpeg2-422': '66369215',
  'mpeg2-b': '0785a92d',
  'mpeg2-interlaced': '1d92742f',
  'mpeg4-b': '819fc2b3',
  'mpeg4-interlaced': 'b8258df3',
  'mpeg4-matrix': '4c384d22',
  'mpeg4-packets': '1c0b0105',
  'mpeg4-partitioned': '9735793c',
  'mpeg4-qpel-4mv': 'ae09885f',
  'mpeg4-simple': '04f40682',
  msmpeg4v2: '38ddce38',
  msmpeg4v3: '093621e0',
  'opus of h264-opus.mp4': 'e4dd98e8',
  prores: '16fe1e11',
  vp8: '0a89b169',
  vp9: '064cf3b0',
  'vp9-10-bit': '6ea41572',
  'vp9-422': '07f43278',
  'vp9-444-10-bit': 'beee0c8c',
  'vp9-adapting': '5e258573',
  'vp9-compound': '434dc4c2',
  'vp9-hidden': '33842267',
  'vp9-lossless': 'f08fc53c',
  'vp9-resilient': 'a2f60a4c',
  'vp9-segments': 'eda97b35',
  'vp9-tiles': '0e20103c',
  wmv1: 'c56ee6c3',
  wmv2: '2a7cfd9c',
}
