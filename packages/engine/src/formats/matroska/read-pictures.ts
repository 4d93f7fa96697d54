import type { Limits } from '../../bytes/limits.ts'
import type { ByteReader } from '../../bytes/reader.ts'
import { codecNamed } from '../../codecs/index.ts'
import type { PictureReader } from '../../codecs/picture-reading.ts'
import type { Monitor } from '../../model/monitor.ts'
import { SampleTable } from '../../model/sample-table.ts'
import { MOST_STEPS, tornPictures } from '../../recording/torn-pictures.ts'
import type { InputFile, ReadPictures } from '../format.ts'
import { type Paces, pacesOf } from './mend/pace.ts'
import { framesOf } from './read/block.ts'
import { USUAL_SCALE } from './read/info.ts'
import type { Survey } from './read/survey.ts'
import type { MatroskaTrack } from './read/track.ts'
import { walk } from './read/walk.ts'
import { lastsOf } from './timeline.ts'

const NANOSECONDS = 1e9

/** Reads the pictures of every track whose codec can be read to its last bit, in file order, the first tracks first. */
export async function readPictures(
  { reader }: InputFile,
  limits: Limits,
  monitor: Monitor,
): Promise<readonly ReadPictures[]> {
  const survey = await walk(reader, limits, monitor, [])
  const scale = survey.info?.scale ?? USUAL_SCALE
  const paces = pacesOf(survey, survey.tracks, scale)
  const tracks = survey.tracks.filter(({ description }) => description.kind === 'video')
  const found: ReadPictures[] = []
  let left = MOST_STEPS
  for (const [place, track] of tracks.entries()) {
    const pictures = pictureReader(track)
    if (!pictures) continue
    const samples = samplesOf(reader, survey, track, paces)
    const timed = { samples, timescale: NANOSECONDS / scale, pictures, description: track.description }
    const read = await tornPictures(reader, timed, left, monitor)
    left -= read.steps
    found.push({ place, pictures: read.pictures, torn: read.torn })
  }
  return found
}

/** Reads the frames of a track as they are stored; undefined where they are packed, or its codec is not read. */
function pictureReader({ description, encoding, stripped }: MatroskaTrack): PictureReader | undefined {
  if (encoding !== 'none' && encoding !== 'stripped') return undefined
  const pictures = codecNamed(description.codec)?.pictureReader?.(description)
  return pictures && stripped.length > 0 ? new RestoredFronts(pictures, stripped) : pictures
}

/** Reads frames without the bytes that all of them begin with, RFC 9559 §5.1.4.1.31.6. */
class RestoredFronts implements PictureReader {
  readonly #pictures: PictureReader
  readonly #front: Uint8Array

  constructor(pictures: PictureReader, front: Uint8Array) {
    this.#pictures = pictures
    this.#front = front
  }

  get sliceType(): number {
    return this.#pictures.sliceType
  }

  get isSelfContained(): boolean {
    return this.#pictures.isSelfContained ?? false
  }

  read(frame: Uint8Array) {
    const whole = new Uint8Array(this.#front.length + frame.length)
    whole.set(this.#front)
    whole.set(frame, this.#front.length)
    return this.#pictures.read(whole)
  }
}

/** The frames of a track in file order, which is that of decoding, at the times at which they are shown. */
function samplesOf(reader: ByteReader, survey: Survey, { number }: MatroskaTrack, paces: Paces): SampleTable {
  const { blocks } = survey
  const samples = new SampleTable()
  for (const { firstRow, endRow, time = 0 } of survey.runs)
    for (let row = firstRow; row < endRow; row++) {
      if (blocks.track[row] !== number) continue
      const frames = framesOf(reader, blocks.head[row], blocks.payload[row], blocks.end[row]) ?? []
      const lasts = lastsOf(survey, paces, row) / Math.max(1, frames.length - 1)
      for (let i = 1; i < frames.length; i++) {
        const sample = samples.push(frames[i - 1], frames[i] - frames[i - 1], 1, lasts, 0, 0)
        samples.dts[sample] = time + blocks.relative[row] + lasts * (i - 1)
      }
    }
  return samples
}
