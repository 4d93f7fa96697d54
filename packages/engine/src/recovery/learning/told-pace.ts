import type { ByteReader } from '../../bytes/reader.ts'
import { type Recogniser, Unit } from '../../codecs/recogniser.ts'
import type { SampleTable } from '../../model/sample-table.ts'
import type { TrackDescription } from '../../model/track.ts'

/** Units looked at. */
const UNITS = 64
/** Fewer show no rule. */
const FEWEST = 6
/** Share by which clocks of a recording run apart, or rounding takes durations: no more is meant. */
const ALIKE = 0.05

/**
 * How long a recording's units last beside what their headers say: a container may have its own mind, which players follow. 1
 * where both agree, where units say nothing, or where the recording follows no one rule.
 */
export function toldPace(
  reader: ByteReader,
  table: SampleTable,
  { timescale }: TrackDescription,
  recogniser: Recogniser,
): number {
  const unit = new Unit()
  const paces: number[] = []
  // the last one's duration is often a writer's guess
  for (let row = 0; row < Math.min(UNITS, table.length - 1); row++) {
    const offset = table.offset[row]
    if (!recogniser.recognise(reader, offset, offset + table.size[row], unit)) continue
    if (unit.duration <= 0 || recogniser.timescale <= 0 || unit.length !== table.size[row]) continue
    paces.push((table.duration[row] * recogniser.timescale) / (unit.duration * timescale))
  }
  const usual = paces.sort((a, b) => a - b)[paces.length >> 1] ?? 1
  if (paces.length < FEWEST || Math.abs(usual - 1) <= ALIKE) return 1
  return paces.every((pace) => Math.abs(pace - usual) <= usual * ALIKE) ? usual : 1
}
