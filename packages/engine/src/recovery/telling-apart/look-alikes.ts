import type { ByteReader } from '../../bytes/reader.ts'
import { codecNamed } from '../../codecs/index.ts'
import { Unit } from '../../codecs/recogniser.ts'
import { LEADS_TO_ANCHOR } from '../carving/evidence.ts'
import type { RecordedTrack } from '../carving/lane.ts'
import { learnTurns } from './turn-clocks.ts'

/** Units of one track that are shown to another's recogniser, spread over the recording. */
const SHOWN_UNITS = 48
/** Share of them that makes the tracks look alike, however they lie in the recording. */
const ALIKE_SHARE = 0.2

/**
 * Whether units of one of two tracks pass for the other's, so that clocks, sizes and habits must tell them apart: AAC of 32 and
 * 48 kHz shares all but its last scale factor bands (ISO/IEC 14496-3:2019 §4.5.4), and slices of two cameras differ in what is
 * read last: the pictures' size. Where the tracks take turns by their clocks, a single such unit is enough. False where the
 * recording has no units of theirs.
 */
export function lookAlike(reader: ByteReader, a: RecordedTrack, b: RecordedTrack): boolean {
  const [first, second] = [a.description, b.description]
  if (first.kind !== second.kind || first.codec !== second.codec || first.framing !== second.framing)
    return false
  const share = Math.max(shareThatPasses(reader, a, b), shareThatPasses(reader, b, a))
  return share >= ALIKE_SHARE || (share > 0 && learnTurns([a, b], [0, 1]) !== undefined)
}

/** Share of the first track's units that the second's recogniser reads whole. */
function shareThatPasses(
  reader: ByteReader,
  { table }: RecordedTrack,
  { description }: RecordedTrack,
): number {
  const recogniser = codecNamed(description.codec)?.recogniser(description)
  if (!recogniser?.selfDelimiting || table.length === 0) return 0
  const unit = new Unit()
  const step = Math.max(1, Math.floor(table.length / SHOWN_UNITS))
  let shown = 0
  let passed = 0
  for (let row = 0; row < table.length; row += step) {
    shown++
    const end = table.offset[row] + table.size[row]
    if (!recogniser.recognise(reader, table.offset[row], end, unit)) continue
    if (unit.length === table.size[row] && unit.evidence >= LEADS_TO_ANCHOR) passed++
  }
  return passed / shown
}
