import type { ByteReader } from '../../../bytes/reader.ts'
import { BoxWriter } from '../../../syntax/iso-boxes/box-writer.ts'
import type { SampleEntry } from '../boxes/stsd.ts'
import { trackSize } from '../boxes/tkhd.ts'
import { describeTrack } from './describe-track.ts'
import { protectionOf } from './encryption.ts'
import type { MovieTrack } from './movie.ts'

/**
 * A track described by the sample entry that all its samples have, where that is not the first: streams whose protection changes
 * list an entry for the clear and one for the encrypted, and a fragment takes its own. Only that one stays: players take a track
 * whose first entry is of encrypted samples for one of them.
 */
export function withUsedEntry(reader: ByteReader, track: MovieTrack): MovieTrack {
  const { descriptions, samples, entries, description } = track
  const used = descriptions?.[0] ?? 1
  const entry = entries[used - 1]
  if (!descriptions || samples.length === 0 || used === 1 || !entry?.whole) return track
  if (descriptions.some((each) => each !== used)) return track
  const { id, kind, timescale } = description
  const protection = protectionOf(reader, entry)
  return {
    ...track,
    description: describeTrack(reader, id, kind, timescale, entry, trackSize(track.header)),
    sampleDescription: descriptionOf(entry),
    entries: [entry],
    descriptions: undefined,
    protection,
    ...(protection ? {} : { keys: undefined }),
  }
}

/** A sample description box of one entry, ISO/IEC 14496-12:2022 §8.5.2. */
function descriptionOf({ bytes }: SampleEntry): Uint8Array {
  const writer = new BoxWriter()
  writer.fullBox('stsd', 0, 0, () => {
    writer.u32(1)
    writer.raw(bytes)
  })
  return writer.bytes().slice()
}
