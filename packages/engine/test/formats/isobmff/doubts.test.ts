import { describe, expect, it } from 'vitest'
import { inserted, noise } from '../../../src/bytes/damage.ts'
import { indexNeverWritten, indexZeroed, mediaDataSize } from '../../../src/formats/isobmff/recipes.ts'
import { movieOf, repaired } from './support/engine.ts'
import { type FixtureName, fixture } from './support/fixtures.ts'
import { flipped, movieBoxes } from './support/movie-boxes.ts'

type Change = (bytes: Uint8Array) => void

function changed(name: FixtureName, ...changes: readonly Change[]): Uint8Array {
  const bytes = fixture(name)
  for (const change of changes) change(bytes)
  return bytes
}

/** Fills bytes with what is nothing. */
function spoil(bytes: Uint8Array, from: number, to: number): void {
  bytes.set(noise(to - from, from), from)
}

/** The entries of the tables of a type, of every track or of the one at `place`, become noise. */
function tables(type: string, place?: number): Change {
  return (bytes) => {
    const found = movieBoxes(bytes).filter(({ box }) => box.type === type)
    for (const { box } of place === undefined ? found : [found[place]]) spoil(bytes, box.offset + 16, box.end)
  }
}

/** The samples of the track at `place` become noise. */
async function without(bytes: Uint8Array, place: number): Promise<Uint8Array> {
  const { samples } = (await movieOf(bytes)).tracks[place]
  const result = bytes.slice()
  for (let row = 0; row < samples.length; row++)
    spoil(result, samples.offset[row], samples.offset[row] + samples.size[row])
  return result
}

/** A bit of a number of entries, which the tables tell. */
const hitCount: Change = (bytes) => {
  const found = movieBoxes(bytes).find(({ box }) => box.type === 'stsd')
  bytes.set(flipped(bytes, (found?.box.offset ?? 0) + 15, 3))
}

/** A third of the media data zero. */
const zeroed: Change = (bytes) => {
  bytes.fill(0, 5_000, 10_000)
}

/** Every second chunk of sound is zero, and its place past the end. */
const chunksAstray: Change = (bytes) => {
  const { box } = movieBoxes(bytes).filter(({ box }) => box.type === 'stco')[1]
  const view = new DataView(bytes.buffer, bytes.byteOffset)
  const places = Array.from({ length: view.getUint32(box.offset + 12) }, (_, i) => box.offset + 16 + i * 4)
  for (const at of places.filter((_, i) => i % 2 === 0)) {
    const start = view.getUint32(at)
    bytes.fill(0, start, start + 300)
    view.setUint32(at, start + 0x0100_0000)
  }
}

async function doubtsOf(damaged: Uint8Array, sample?: Uint8Array): Promise<readonly string[]> {
  const { report } = await repaired(damaged, sample)
  expect(report.verdict).not.toBe('unrepairable')
  return (report.doubts ?? []).map(({ code }) => code)
}

const twin = fixture('h264-aac-twin.mp4')

/** Pictures in the clear beside sound that is encrypted. */
async function halfEncrypted(): Promise<Uint8Array> {
  const bytes = fixture('h264-aac-encrypted.mp4')
  const clear = fixture('h264-aac.mp4')
  const [own, other] = [await movieOf(bytes), await movieOf(clear)].map(({ tracks }) =>
    tracks.find(({ description }) => description.kind === 'video'),
  )
  if (!own || !other) throw new Error('no pictures')
  for (let row = 0; row < own.samples.length; row++) {
    const at = other.samples.offset[row]
    bytes.set(clear.subarray(at, at + other.samples.size[row]), own.samples.offset[row])
  }
  const entry = Buffer.from(bytes).indexOf('encv')
  bytes.set(Buffer.from('avc1'), entry)
  bytes.set(Buffer.from('free'), Buffer.from(bytes).indexOf('sinf', entry))
  return bytes
}

describe('a repair is in doubt', () => {
  it('where the index breaks off', async () => {
    const whole = fixture('h264-aac.mp4')
    expect(await doubtsOf(whole.subarray(0, whole.length - 100))).toEqual(['index-cut'])
  })

  it('where the index was hit so that nothing proves it, as in stsd', async () => {
    for (const place of [0, 1])
      expect(await doubtsOf(changed('h264-aac.mp4', tables('stsd', place)))).toContain('index-hit')
  })

  it('where the durations of pictures are lost, but not where those of sound are, which its frames tell', async () => {
    expect(await doubtsOf(changed('h264-aac.mp4', tables('stts', 0)))).toEqual(['times'])
    expect(await doubtsOf(changed('h264-aac.mp4', tables('stts', 1)))).toEqual([])
  })

  it('where an index that was hit names places past the end', async () => {
    expect(await doubtsOf(changed('h264-aac.mp4', hitCount, chunksAstray))).not.toEqual([])
  })

  it.each<[string, readonly Change[]]>([
    ['zeros in the media', [zeroed]],
    ['zeros in the media, and the index was hit', [zeroed, hitCount]],
    ['nothing, though the index was hit', [hitCount]],
  ])('not where what is lost was lost to %s', async (_, changes) => {
    expect(await doubtsOf(changed('h264-aac.mp4', ...changes))).toEqual([])
  })

  it('where bytes belong to nothing that was found', async () => {
    const media = indexNeverWritten(fixture('h264-aac.mp4'))
    const damaged = mediaDataSize(inserted(media, 8_000, noise(4_000, 1)), 0)
    expect(await doubtsOf(damaged, twin)).toContain('unexplained')
    expect(await doubtsOf(media, twin)).toEqual([])
  })

  it('where sound that the index names was not found', async () => {
    const bytes = await without(fixture('h264-aac.mp4'), 1)
    tables('stco')(bytes)
    expect(await doubtsOf(bytes)).toContain('missing')
    expect(await doubtsOf(changed('h264-aac.mp4', tables('stco')))).not.toContain('missing')
  })

  it('where the index has the places of one track and those of the other are strange', async () => {
    const bytes = await without(fixture('h264-aac.mp4'), 0)
    tables('stco', 0)(bytes)
    expect(await doubtsOf(bytes)).toContain('missing')
    // as long as the pictures are there they are found
    const { report } = await repaired(changed('h264-aac.mp4', tables('stco', 0)))
    expect(report.tracks.map(({ codec, recovered }) => [codec, recovered])).toEqual([
      ['h264', 50],
      ['aac', 95],
    ])
  })

  it('where encrypted tracks without an index are left out', async () => {
    const whole = await halfEncrypted()
    expect(await doubtsOf(indexZeroed(whole), whole)).toContain('encrypted')
  })

  it('where nothing tells how long packets are', async () => {
    const damaged = indexNeverWritten(fixture('h264-opus.mp4'))
    expect(await doubtsOf(damaged, fixture('h264-opus.mp4'))).toContain('ends')
  })
})
