import { codecNamed } from '../../../codecs/index.ts'
import type { Findings } from '../../../model/finding.ts'
import type { TrackDescription } from '../../../model/track.ts'
import { isImpossible } from '../boxes/stss.ts'
import type { Runs } from '../boxes/tables.ts'
import { badValue } from '../findings.ts'
import type { TrackTables } from '../read/movie.ts'
import { isZeroed } from './times/compositions.ts'

/** A place in no file. */
const NOWHERE = -(2 ** 48)
/** Samples without bytes at the end of a track that has none before: fewer may be a writer's way to end. */
const FEW = 8

/**
 * A track's tables without what zeros in them seem to say, where a stretch of the movie box was zeroed: chunks at offset 0, where
 * a box header is, lie nowhere (else they would be looked for together, as one place that is off), and coded samples that all, or
 * all from one on, have no bytes have sizes that are lost. Numbers of key pictures that cannot be any are lost, too: the pictures
 * tell. Sound has no composition offsets that are longer than all of it: it is heard in the order in which it is decoded. Says so
 * in the findings, and where offsets are lost.
 */
export function withoutZeroed(
  { kind, codec, id }: TrackDescription,
  tables: TrackTables,
  findings: Findings,
): TrackTables {
  const { chunkOffsets, sizes, compositions: written, sync, ...others } = tables
  const strange = kind === 'audio' && written !== undefined && isBeyond(written.runs, tables.durations)
  const compositions = strange ? undefined : written
  const samples = sizes?.constant ? sizes.count : (sizes?.sizes.length ?? 0)
  const report = (type: string, what: string, clause: string): void =>
    findings.add(badValue(type, 0, `track ${id}: ${what}`, clause, 'error'))
  const media = (kind === 'video' || kind === 'audio') && codecNamed(codec) !== undefined
  const told = media && sizes?.constant === 0 ? toldSizes(sizes.sizes) : samples
  const empty = told === 0 && samples > 0
  const isShort = told > 0 && told < samples
  if (empty) report('stsz', 'no sample has any bytes', '8.7.3')
  if (isShort) report('stsz', `the last ${samples - told} samples have no bytes`, '8.7.3')
  const nowhere = chunkOffsets?.filter((offset) => offset === 0).length ?? 0
  if (nowhere > 0) report('stco', `${nowhere} chunks at offset 0`, '8.7.5')
  if (compositions && isZeroed(compositions.runs, samples))
    report('ctts', 'samples without an offset', '8.6.1.3')
  if (strange) report('ctts', 'offsets longer than the sound', '8.6.1.3')
  const keyless = media && kind === 'video' && sync !== undefined && isImpossible(sync, samples)
  if (keyless) report('stss', 'its numbers are not those of samples', '8.6.2')
  if (!empty && !isShort && nowhere === 0 && !keyless && !strange) return tables
  return {
    ...others,
    ...(compositions ? { compositions } : {}),
    ...(keyless ? { syncLost: true } : sync ? { sync } : {}),
    ...(sizes && isShort ? { sizes: { ...sizes, sizes: sizes.sizes.subarray(0, told), cut: true } } : {}),
    ...(sizes && !isShort && !empty ? { sizes } : {}),
    ...(chunkOffsets ? { chunkOffsets: chunkOffsets.map((offset) => offset || NOWHERE) } : {}),
  }
}

/** Whether a sample is said to be heard later, or earlier, than all samples last. */
function isBeyond({ length, values }: Runs, durations: Runs | undefined): boolean {
  if (!durations) return false
  let total = 0
  for (let run = 0; run < durations.length; run++) total += durations.counts[run] * durations.values[run]
  return values.subarray(0, length).some((value) => Math.abs(value) > total)
}

/** How many sizes there are before those that are all 0: all, where few are, or where others are 0 as well and may be meant. */
function toldSizes(sizes: Uint32Array): number {
  const first = sizes.indexOf(0)
  if (first < 0 || sizes.subarray(first).some((size) => size > 0)) return sizes.length
  return first === 0 || sizes.length - first >= FEW ? first : sizes.length
}
