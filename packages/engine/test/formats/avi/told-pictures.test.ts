import { describe, expect, it } from 'vitest'
import { CINEPAK_HEIGHT, CINEPAK_WIDTH, cinepakFrame } from '../../../testing/video/cinepak-frames.ts'
import { storedStreams } from '../../../testing/video/stream-fixture.ts'
import { bitmap, makeAvi } from './support/make-avi.ts'
import { payloads, read, repaired } from './support/repaired.ts'

interface Film {
  readonly compression: string
  readonly width: number
  readonly height: number
  readonly pictures: readonly { readonly bytes: Uint8Array; readonly key: boolean }[]
}

/** What AVI calls the codecs of stored streams. */
const COMPRESSIONS: Readonly<Record<string, string>> = {
  mpeg1video: 'mpg1',
  mpeg2video: 'mpg2',
  h263: 'H263',
  vp8: 'VP80',
  vp9: 'VP90',
  mjpeg: 'MJPG',
}

const FILMS: readonly Film[] = [
  ...storedStreams()
    .filter(({ codec }) => COMPRESSIONS[codec] !== undefined)
    .map(({ codec, width, height, bytes, packets }) => ({
      compression: COMPRESSIONS[codec],
      ...{ width, height },
      pictures: packets.map(({ offset, size, key }) => ({ bytes: bytes.slice(offset, offset + size), key })),
    })),
  {
    compression: 'cvid',
    ...{ width: CINEPAK_WIDTH, height: CINEPAK_HEIGHT },
    pictures: Array.from({ length: 30 }, (_, i) => ({
      bytes: cinepakFrame(i % 10 === 0, i + 1),
      key: i % 10 === 0,
    })),
  },
]

function avi({ compression, width, height, pictures }: Film): Uint8Array {
  const format = bitmap(compression, width, height, width * height * 3)
  return makeAvi(
    [{ type: 'vids', handler: compression, scale: 1, rate: 25, sampleSize: 0, format }],
    pictures.map(({ bytes, key }) => ({ id: '00dc', bytes, key })),
  )
}

describe.each(FILMS)('$compression of $width by $height', (film) => {
  const bytes = avi(film)
  const index = Buffer.from(bytes).lastIndexOf('idx1')
  const data = Buffer.from(bytes).indexOf('movi') - 8

  it('is described by its pictures where head and index are lost', async () => {
    const { report, bytes: after } = await repaired(bytes.slice(0, index).fill(0, 0, data))
    expect(report.verdict).not.toBe('unrepairable')
    const [stream] = (await read(after)).header?.streams ?? []
    const { compression, width, height } = stream.bitmap ?? {}
    expect({ compression, width, height }).toEqual({
      ...{ compression: film.compression, width: film.width, height: film.height },
    })
    expect(await payloads(after, 0)).toEqual(await payloads(bytes, 0))
  })

  it('gets an index that names its key pictures', async () => {
    const { bytes: after } = await repaired(bytes.slice(0, index))
    const { index: entries } = await read(after)
    expect([...entries.flags.subarray(0, entries.length)].map((flags) => (flags & 1) === 1)).toEqual(
      film.pictures.map(({ key }) => key),
    )
  })
})
