import { Allowance } from '../../model/allowance.ts'
import { BoolDecoder } from '../bool-decoder.ts'
import type { PictureReader, PictureReading } from '../picture-reading.ts'
import { Coefficients } from './coefficients.ts'
import { type FrameFields, readFields, readSegment } from './frame-fields.ts'
import { KEY_HEADER, keyFields } from './key-frame.ts'
import { KeyModes } from './key-modes.ts'
import { MotionModes } from './motion-modes.ts'
import { isBeyond, isExact } from './partition-end.ts'
import { Probabilities } from './probabilities.ts'

/** Bytes of a frame in front of its first partition: its tag, RFC 6386 §9.1. */
const TAG_BYTES = 3
const LAST_VERSION = 3
const MB = 16
/** Bytes of pictures, and what macroblocks cost at least, that are read of a film: some ten seconds of work. */
const EFFORT = 1 << 26
const MACROBLOCK_COST = 4
/** As intra and other slices count, see `PictureReader.sliceType`. */
const INTRA = 2
const INTER = 0

/**
 * Reads the frames of a film in decoding order, to the last symbol of each partition. A frame is read by what the headers of
 * those before say, nothing else in them: behind one that was hit the next that reads to its end shows that its header was not,
 * and up to there none is called torn. Work is bounded.
 */
export class StreamReader implements PictureReader {
  sliceType = -1
  readonly isSelfContained = true
  readonly #allowance = new Allowance(EFFORT)
  #probabilities: Probabilities | undefined
  #wide = 0
  #high = 0
  /** A frame before was hit, and none was whole since. */
  #isLost = false

  read(sample: Uint8Array): PictureReading {
    const reading = this.#read(sample)
    const isUnsure = this.#isLost && reading === 'torn' && this.sliceType !== INTRA
    this.#isLost = reading !== 'whole'
    return isUnsure ? 'unread' : reading
  }

  #read(sample: Uint8Array): PictureReading {
    if (sample.length < TAG_BYTES) return 'broken'
    const tag = sample[0] | (sample[1] << 8) | (sample[2] << 16)
    const isKey = (tag & 1) === 0
    const firstFrom = isKey ? KEY_HEADER : TAG_BYTES
    const firstEnd = firstFrom + (tag >> 5)
    if (((tag >> 1) & 7) > LAST_VERSION || firstEnd > sample.length) return 'broken'
    if (isKey) {
      const fixed = keyFields(sample)
      if (!fixed) return 'broken'
      this.#wide = Math.ceil(fixed.width / MB)
      this.#high = Math.ceil(fixed.height / MB)
    }
    const probabilities = isKey ? new Probabilities() : this.#probabilities
    if (!probabilities) return 'unread'
    const macroblocks = this.#wide * this.#high
    if (!this.#allowance.take(sample.length + MACROBLOCK_COST * macroblocks)) return 'unread'
    this.sliceType = isKey ? INTRA : INTER
    const modes = new BoolDecoder(sample, firstFrom, firstEnd)
    const fields = readFields(sample, firstEnd, modes, isKey, probabilities)
    this.#probabilities = fields?.kept
    return fields && this.#readMacroblocks(sample, fields, probabilities) ? 'whole' : 'torn'
  }

  /** Whether all macroblocks are there, and each partition ends where its symbols do. */
  #readMacroblocks(sample: Uint8Array, fields: FrameFields, probabilities: Probabilities): boolean {
    const { modes, inter, skipProbability, hasSegmentMap, segmentProbabilities, partitions } = fields
    const tokens = partitions.map(({ from, to }) => {
      const start = Math.min(from, sample.length)
      return new BoolDecoder(sample, start, Math.max(start, to))
    })
    const wide = this.#wide
    const keyModes = new KeyModes(wide)
    const motionModes = new MotionModes(inter ? wide : 0, inter ? this.#high : 0)
    const coefficients = new Coefficients(probabilities.coefficients, wide)
    for (let y = 0; y < this.#high; y++) {
      const partition = tokens[y % tokens.length]
      keyModes.beginRow()
      motionModes.beginRow()
      coefficients.beginRow()
      for (let x = 0; x < wide; x++) {
        if (hasSegmentMap) readSegment(modes, segmentProbabilities)
        const isSkipped = skipProbability !== undefined && modes.bool(skipProbability) === 1
        const isSplit = inter ? motionModes.read(modes, inter, probabilities, x, y) : keyModes.read(modes, x)
        coefficients.read(partition, x, isSkipped, isSplit)
      }
      if (isBeyond(modes, false) || isBeyond(partition, false)) return false
    }
    return [modes, ...tokens].every(isExact)
  }
}
