import { Allowance } from '../../model/allowance.ts'
import type { PictureReading, PictureReader as Pictures } from '../picture-reading.ts'
import { PictureReader } from './picture-reader.ts'

/** Steps that reading a film may take, see `FrameReader`: some ten seconds of work. */
const EFFORT = 1 << 26
/** As intra and other slices count, see `PictureReader.sliceType`. */
const INTRA = 2
const INTER = 0
/** frame_marker, VP9 specification v0.6 §7.2. */
const FRAME_MARKER = 2

/**
 * Reads the pictures of a film in decoding order, to the last symbol of each frame. What a frame means depends on those before:
 * from one that was hit on none is called torn, up to one that reads to its end by what the headers say, or to the next key
 * picture. Work is bounded.
 */
export class StreamReader implements Pictures {
  sliceType = -1
  readonly isSelfContained = true
  readonly #allowance = new Allowance(EFFORT)
  readonly #pictures: PictureReader
  /** A picture before was hit, and none was whole since; and whether those behind it can be read all the same. */
  #isLost = false
  #isPassed = false

  constructor(width: number, height: number) {
    this.#pictures = new PictureReader(width, height, this.#allowance)
  }

  read(sample: Uint8Array): PictureReading {
    const isKey = beginsWithKey(sample)
    if (isKey === undefined) {
      this.#isLost = true
      return 'broken'
    }
    this.sliceType = isKey ? INTRA : INTER
    const isUnsure = this.#isLost && !isKey
    if (isUnsure && !this.#isPassed) return 'unread'
    const picture = this.#pictures.read(sample, 0, sample.length)
    this.#isLost = picture?.end !== sample.length
    if (!this.#isLost) {
      this.#pictures.accept()
      return 'whole'
    }
    this.#isPassed = picture === undefined && this.#pictures.pass()
    return isUnsure || this.#allowance.spent ? 'unread' : 'torn'
  }
}

/** Whether the first frame of a sample is a key frame, §6.2; undefined where it is no frame. */
function beginsWithKey(sample: Uint8Array): boolean | undefined {
  if (sample.length === 0 || sample[0] >> 6 !== FRAME_MARKER) return undefined
  // profile 3 has a bit more
  const shift = (sample[0] & 0x30) === 0x30 ? 1 : 0
  const isExisting = (sample[0] & (0x08 >> shift)) !== 0
  return !isExisting && (sample[0] & (0x04 >> shift)) === 0
}
