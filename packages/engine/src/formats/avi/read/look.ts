import type { ByteReader } from '../../../bytes/reader.ts'
import { hasZeroHole, isDense } from '../../../recording/zero-holes.ts'
import { KEY, SEEN } from './chunk-table.ts'
import { keyTest } from './key-pictures.ts'
import type { AviStream } from './stream.ts'

/** Looks at the chunks of a walk. */
export interface Look {
  /** Whether all bytes of a stream's chunks are looked at. */
  reads(stream: number): boolean
  /** What a chunk's bytes tell, as flags; none where they are to be looked at later, if at all. */
  flags(stream: number, offset: number, size: number): number
}

/** Looks at nothing. */
export const BLIND: Look = { reads: () => false, flags: () => 0 }

/** Further codecs that leave no long runs of zeros in a picture. */
const FURTHER: ReadonlySet<string> = new Set([
  ...[
    'h264',
    'hevc',
    'mjpeg',
    'msmpeg4v1',
    'msmpeg4v2',
    'msmpeg4v3',
    'wmv1',
    'wmv2',
    'wmv3',
    'vc1',
    'mpeg1video',
  ],
])

/** Whether zeros within a chunk of a codec's show that it was hit. */
export function showsHoles(codec: string): boolean {
  return isDense(codec) || FURTHER.has(codec)
}

/**
 * A look at the pictures of streams whose coding leaves no holes, for those who have their bytes at hand and would read them all
 * twice.
 */
export function lookAt(reader: ByteReader, streams: readonly AviStream[]): Look {
  const keys = streams.map(({ description }) =>
    description.kind === 'video' && showsHoles(description.codec) ? keyTest(reader, description) : undefined,
  )
  return {
    reads: (stream) => keys[stream] !== undefined,
    flags: (stream, offset, size) => {
      const isKey = keys[stream]
      if (!isKey || hasZeroHole(reader, offset, size)) return 0
      return isKey(offset, size) ? SEEN | KEY : SEEN
    },
  }
}
