import {
  CLUSTER,
  CODEC_ID,
  CODEC_PRIVATE,
  CONTENT_COMP_ALGO,
  CONTENT_COMP_SETTINGS,
  CONTENT_COMPRESSION,
  CONTENT_ENCODING,
  CONTENT_ENCODINGS,
  DOC_TYPE,
  EBML,
  INFO,
  PIXEL_HEIGHT,
  PIXEL_WIDTH,
  SEGMENT,
  SIMPLE_BLOCK,
  TIMESTAMP,
  TIMESTAMP_SCALE,
  TRACK_ENTRY,
  TRACK_NUMBER,
  TRACK_TYPE,
  TRACKS,
  VIDEO,
} from '../../../../src/formats/matroska/ids.ts'
import { element, text, unsigned } from '../../../../src/syntax/ebml/write.ts'
import { streamFixture } from '../../../../testing/video/stream-fixture.ts'

/** Milliseconds of a picture, and the flag of a block that a decoder can start at. */
export const STEP = 40
const KEY_FLAG = 0x80
/** ContentCompAlgo of bytes that all frames begin with, RFC 9559 §5.1.4.1.31.6. */
const HEADER_STRIPPING = 3

/**
 * A film of a stored stream's pictures in one Cluster, `stripped` bytes being taken from the front of each, and where its
 * pictures lie.
 */
export function smallFilm(stream: string, codecId: string, stripped = 0) {
  const { width, height, config, bytes, packets } = streamFixture(stream)
  const front = bytes.subarray(packets[0].offset, packets[0].offset + stripped)
  const stripping = element(
    CONTENT_ENCODINGS,
    element(
      CONTENT_ENCODING,
      element(
        CONTENT_COMPRESSION,
        unsigned(CONTENT_COMP_ALGO, HEADER_STRIPPING),
        element(CONTENT_COMP_SETTINGS, front),
      ),
    ),
  )
  const entry = element(
    TRACK_ENTRY,
    unsigned(TRACK_NUMBER, 1),
    unsigned(TRACK_TYPE, 1),
    text(CODEC_ID, codecId),
    element(CODEC_PRIVATE, config),
    element(VIDEO, unsigned(PIXEL_WIDTH, width, 2), unsigned(PIXEL_HEIGHT, height, 2)),
    stripped > 0 ? stripping : [],
  )
  const blocks = packets.map(({ offset, size, key }, i) => {
    const head = [0x81, (i * STEP) >> 8, (i * STEP) & 0xff, key ? KEY_FLAG : 0]
    return element(SIMPLE_BLOCK, head, bytes.subarray(offset + stripped, offset + size))
  })
  const cluster = element(CLUSTER, unsigned(TIMESTAMP, 0), ...blocks)
  const head = [element(INFO, unsigned(TIMESTAMP_SCALE, 1_000_000, 3)), element(TRACKS, entry)]
  const film = Uint8Array.from(
    Buffer.concat([element(EBML, text(DOC_TYPE, 'webm')), element(SEGMENT, ...head, cluster)]),
  )
  let end = film.length
  const places = blocks.map(() => ({ offset: 0, size: 0 }))
  for (let i = blocks.length - 1; i >= 0; i--) {
    const size = packets[i].size - stripped
    places[i] = { offset: end - size, size }
    end -= blocks[i].length
  }
  return { film, pictures: places, packets }
}
