import { pictureEntry } from '../../../../src/formats/isobmff/boxes/sample-entries.ts'
import { box, fullBox, joined, words, wordsOf } from '../../../../testing/adversaries/bytes.ts'
import { counted, FILE_TYPE, movieBox } from '../../../../testing/adversaries/movie.ts'
import { streamFixture } from '../../../../testing/video/stream-fixture.ts'

/** Ticks of a picture, of 30,000 in a second. */
const PICTURE_TICKS = 1200

/** A stored stream as a recording with an index behind its media data. */
export interface StreamRecording {
  /** The media data without the index. */
  readonly media: Uint8Array
  readonly whole: Uint8Array
}

/** A stored stream of pictures as a recording, its configuration changed. */
export function streamRecording(
  name: string,
  format: string,
  configBox: string,
  change: (config: Uint8Array) => Uint8Array = (config) => config,
): StreamRecording {
  const { bytes, packets, config, width, height } = streamFixture(name)
  const media = joined([FILE_TYPE, box('mdat', bytes)])
  const keys = packets.flatMap(({ key }, row) => (key ? [row + 1] : []))
  const sizes = wordsOf(packets.length, (row) => packets[row].size)
  const track = {
    entry: pictureEntry({ format, width, height, boxes: [[configBox, change(config)]] }),
    duration: packets.length * PICTURE_TICKS,
    stts: counted('stts', words([packets.length, PICTURE_TICKS])),
    stss: counted('stss', words(keys), 4),
    stsc: counted('stsc', words([1, packets.length, 1]), 12),
    stsz: fullBox('stsz', 0, words([0, packets.length]), sizes),
    stco: counted('stco', words([FILE_TYPE.length + 8]), 4),
  }
  return { media, whole: joined([media, movieBox([track])]) }
}
