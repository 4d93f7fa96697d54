import { expect, it } from 'vitest'
import { DEFAULT_LIMITS } from '../../../src/bytes/limits.ts'
import { deduceReading } from '../../../src/formats/isobmff/ways/deduce-reading.ts'
import { makeProfile } from '../../../src/formats/isobmff/ways/make-profile.ts'
import { SILENT } from '../../../src/model/monitor.ts'
import { box, joined, repeated } from '../../../testing/adversaries/bytes.ts'
import { FILE_TYPE } from '../../../testing/adversaries/movie.ts'
import { movieOf, read, readerOf } from './support/engine.ts'
import { fixture } from './support/fixtures.ts'

/** A recording with its pictures counted in ticks so much shorter. */
function faster(bytes: Uint8Array, factor: number): Uint8Array {
  const text = Buffer.from(bytes).toString('latin1')
  const header = text.indexOf('mdhd', text.indexOf('trak')) + 16
  const view = new DataView(bytes.buffer)
  view.setUint32(header, view.getUint32(header) * factor)
  return bytes
}

/** What was recorded, so many times on end, without an index. */
async function onEnd(bytes: Uint8Array, times: number): Promise<Uint8Array> {
  const [{ offset, length }] = (await read(bytes)).survey.payload
  const media = bytes.subarray(offset, offset + length)
  return joined([FILE_TYPE, box('mdat', repeated(media, times * length))])
}

it.each([0.5, 0.8, 1.2, 2])(
  'pictures all last equally long where those of a known camera come %d times as often',
  async (factor) => {
    const camera = faster(fixture('hevc-aac.mp4'), factor)
    const profile = makeProfile(readerOf(camera), await movieOf(camera), 'a camera', DEFAULT_LIMITS)
    const lost = await onEnd(fixture('hevc-aac.mp4'), 8)
    const ground = {
      reader: readerOf(lost),
      limits: DEFAULT_LIMITS,
      monitor: SILENT,
    }
    const found = await deduceReading(ground, await read(lost), profile ? [profile] : [])
    const pictures = found?.tracks.find(({ description }) => description.kind === 'video')
    expect(found?.profile).toBe('a camera')
    const { timescale } = pictures?.description ?? { timescale: 0 }
    expect(new Set(pictures?.samples.duration.subarray(0, pictures.samples.length))).toEqual(
      new Set([timescale / 25]),
    )
  },
)
