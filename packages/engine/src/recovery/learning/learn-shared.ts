import type { ByteReader } from '../../bytes/reader.ts'
import type { RecordedTrack } from '../carving/lane.ts'
import { type Interleave, learn } from './learn.ts'

/**
 * Learns the layout of a healthy recording as `learn` does. Tracks that share an earlier one's table are its twins: the recording
 * has one track where the file has several of its kind. They have its habits and lie behind it.
 */
export function learnWithTwins(
  reader: ByteReader,
  tracks: readonly RecordedTrack[],
  hasSyntax: readonly boolean[],
): Interleave {
  const first = tracks.map(({ table }) => tracks.findIndex((other) => other.table === table))
  const distinct = tracks.flatMap((_, lane) => (first[lane] === lane ? [lane] : []))
  const known = learn(
    reader,
    distinct.map((lane) => tracks[lane]),
    distinct.map((lane) => hasSyntax[lane]),
  )
  if (distinct.length === tracks.length) return known
  const model = first.map((lane) => distinct.indexOf(lane))
  const older = tracks.map((_, lane) => first.slice(0, lane).filter((other) => other === first[lane]).length)
  const place = (lane: number): number => known.places?.[lane] ?? 0
  return {
    ...known,
    lanes: model.map((lane) => known.lanes[lane]),
    lead: model.map((lane) => known.lead[lane]),
    spread: model.map((lane) => known.spread[lane]),
    patterns: known.patterns.map((pattern) => ({
      ...pattern,
      pieces: pattern.pieces.map((piece) => ({ ...piece, lane: distinct[piece.lane] })),
    })),
    reference: distinct[known.reference],
    sound: known.sound < 0 ? known.sound : distinct[known.sound],
    places: model.map((lane, i) => place(lane) + older[i]),
  }
}
