import type { ByteReader } from '../../../bytes/reader.ts'
import { isZero } from '../../../bytes/zeros.ts'
import type { Decoded, Decoder } from '../../../model/decoder.ts'
import { Findings } from '../../../model/finding.ts'
import { ROW_BROKEN, ROW_DAMAGED } from '../../../recording/align/row-state.ts'
import { isSilent } from '../../../recording/judge/silent.ts'
import { hasZeroHole } from '../../../recording/zero-holes.ts'
import type { Assessment, HeldIndex } from '../assess.ts'

/** Findings that say no more than that bytes are not what we know: samples to a recogniser, or what follows the last box. */
const OBJECTIONS: ReadonlySet<string> = new Set([
  'isobmff.sample-mismatch',
  'isobmff.sample-damaged',
  'isobmff.payload-shift',
  'isobmff.trailing-data',
])

/** Codecs whose decoders conceal what they cannot read without a word: their silence says nothing. */
const CONCEALED: ReadonlySet<string> = new Set(['dv'])

/**
 * Asks the decoder about a file of which nothing is amiss but that our recognisers object to some samples, or do not know what
 * follows the last box. Where it plays in silence they were wrong, and where no decoder can tell, those that may be wrong are:
 * the file is healthy, their objections are warnings. Zeros where no encoder writes any are damage whatever plays, and so is a
 * picture that a decoder leaves out.
 */
export async function settle(
  reader: ByteReader,
  assessment: Assessment,
  decoder: Decoder | undefined,
): Promise<Assessment> {
  const { findings, index, reading } = assessment
  if (assessment.healthy || !decoder || !index || !reading.movie?.whole) return assessment
  if (!findings.healthyBut(OBJECTIONS) || losesBytes(reader, index)) return assessment
  const decoded = await decoder.decodeDamaged()
  if (lacksPictures(decoded, index)) return assessment
  if (!(isSilent(decoded) && (isChecked(decoded, index) || !objectsForSure(index)))) return assessment
  const settled = new Findings(findings.list.length)
  for (const finding of findings.list)
    settled.add(OBJECTIONS.has(finding.code) ? { ...finding, severity: 'warning' } : finding)
  settled.omitted += findings.omitted
  return { ...assessment, findings: settled, healthy: true }
}

/** A decoder was asked about each kind of track of which samples are objected to. */
function isChecked(decoded: Decoded, index: HeldIndex): boolean {
  if (!decoded.checked) return false
  return index.tracks.every(({ description: { kind, codec } }, lane) => {
    if (!isObjectedTo(index, lane)) return true
    if (CONCEALED.has(codec)) return false
    const alike = decoded.tracks.filter((track) => track.kind === kind)
    return alike.length > 0 && alike.every(({ frames, unchecked }) => frames > 0 && !unchecked)
  })
}

/** True where as many pictures as are objected to, or fewer, did not come out: the decoder passed over them without a word. */
function lacksPictures(decoded: Decoded, index: HeldIndex): boolean {
  if (!decoded.checked) return false
  const lacking = decoded.tracks
    .filter(({ kind, unchecked }) => kind === 'video' && !unchecked)
    .reduce((sum, { packets, frames }) => sum + Math.max(0, packets - frames), 0)
  const objected = index.tracks.reduce((sum, { description: { kind } }, lane) => {
    const { broken, damaged } = index.alignment.tracks[lane]
    return kind === 'video' ? sum + broken + damaged : sum
  }, 0)
  return lacking > 0 && lacking <= objected
}

function isObjectedTo({ alignment }: HeldIndex, lane: number): boolean {
  const { broken, damaged } = alignment.tracks[lane]
  return broken + damaged > 0 || alignment.pieces.length > 0
}

/** True where a recogniser that knows all of its codec objects. */
function objectsForSure(index: HeldIndex): boolean {
  return index.tracks.some(
    ({ description: { codec } }, lane) =>
      (index.checkers[lane].certain || CONCEALED.has(codec)) && isObjectedTo(index, lane),
  )
}

/** True where a sample that is objected to holds zeros that no encoder writes. */
function losesBytes(reader: ByteReader, { tracks, alignment }: HeldIndex): boolean {
  return tracks.some(({ samples }, lane) => {
    const { state, shift } = alignment.tracks[lane]
    for (let row = 0; row < samples.length; row++) {
      if (state[row] !== ROW_BROKEN && state[row] !== ROW_DAMAGED) continue
      const offset = samples.offset[row] + shift[row]
      const size = samples.size[row]
      if (isZero(reader, offset, offset + size) || hasZeroHole(reader, offset, size)) return true
    }
    return false
  })
}
