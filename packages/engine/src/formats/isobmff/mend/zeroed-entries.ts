import { codecNamed } from '../../../codecs/index.ts'
import type { Findings } from '../../../model/finding.ts'
import type { TrackDescription } from '../../../model/track.ts'
import { isImpossible } from '../boxes/stss.ts'
import { badValue } from '../findings.ts'
import type { TrackTables } from '../read/movie.ts'
import { isZeroed } from './compositions.ts'

/** A place in no file. */
const NOWHERE = -(2 ** 48)

/**
 * A track's tables without what zeros in them seem to say, where a stretch of the movie box was zeroed: chunks at offset 0, where a box
 * header is, lie nowhere (else they would be looked for together, as one place that is off), and coded samples that all have no bytes have
 * sizes that are lost. Numbers of key pictures that cannot be any are lost, too: the pictures tell. Says so in the findings, and where
 * composition offsets are lost.
 */
export function withoutZeroed(
  { kind, codec, id }: TrackDescription,
  tables: TrackTables,
  findings: Findings,
): TrackTables {
  const { chunkOffsets, sizes, compositions, sync, ...others } = tables
  const samples = sizes?.constant ? sizes.count : (sizes?.sizes.length ?? 0)
  const report = (type: string, what: string, clause: string): void =>
    findings.add(badValue(type, 0, `track ${id}: ${what}`, clause, 'error'))
  const media = (kind === 'video' || kind === 'audio') && codecNamed(codec) !== undefined
  const empty =
    media && sizes?.constant === 0 && sizes.sizes.length > 0 && sizes.sizes.every((size) => size === 0)
  if (empty) report('stsz', 'no sample has any bytes', '8.7.3')
  const nowhere = chunkOffsets?.filter((offset) => offset === 0).length ?? 0
  if (nowhere > 0) report('stco', `${nowhere} chunks at offset 0`, '8.7.5')
  if (compositions && isZeroed(compositions.runs, samples))
    report('ctts', 'samples without an offset', '8.6.1.3')
  const keyless = media && kind === 'video' && sync !== undefined && isImpossible(sync, samples)
  if (keyless) report('stss', 'its numbers are not those of samples', '8.6.2')
  if (!empty && nowhere === 0 && !keyless) return tables
  return {
    ...others,
    ...(compositions ? { compositions } : {}),
    ...(keyless ? { syncLost: true } : sync ? { sync } : {}),
    ...(sizes && !empty ? { sizes } : {}),
    ...(chunkOffsets ? { chunkOffsets: chunkOffsets.map((offset) => offset || NOWHERE) } : {}),
  }
}
