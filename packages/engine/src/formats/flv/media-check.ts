import type { ByteReader } from '../../bytes/reader.ts'
import { isSorensonPicture } from '../../codecs/h263/sorenson.ts'
import { codecNamed } from '../../codecs/index.ts'
import { Unit } from '../../codecs/recogniser.ts'
import type { Monitor } from '../../model/monitor.ts'
import { hasZeroHole, isDense } from '../../recording/zero-holes.ts'
import { readMediaHeader } from './read/media-header.ts'
import { AFTER_HOLE, DAMAGED, type TagTable, TORN, VIDEO } from './read/tag-table.ts'
import { type Stream, unitOf } from './streams.ts'

/** Of a healthy stream so many units can be read; where fewer can, it is the reading that fails. */
const LEAST_SHARE = 0.8
/** Units between two breaks for others. */
const UNITS_A_TURN = 256

/** Whether bytes are a whole unit, of codecs of this container alone. */
const WHOLE: Readonly<Record<string, (bytes: Uint8Array) => boolean>> = { flv1: isSorensonPicture }

/** Marks the units whose bytes are not what the codec writes. Returns how many there are. */
export async function checkMedia(
  reader: ByteReader,
  table: TagTable,
  stream: Stream,
  monitor: Monitor,
): Promise<number> {
  const { kind, codec, rows, header } = stream
  const recogniser = codecNamed(codec)?.recogniser({
    id: kind,
    kind: kind === VIDEO ? 'video' : 'audio',
    codec,
    timescale: 1000,
    config: header ? header.subarray(readMediaHeader(kind, header).length) : new Uint8Array(0),
    framing: codec === 'h264' || codec === 'hevc' ? 'length' : 'raw',
  })
  const isWhole = WHOLE[codec]
  const reads = recogniser?.selfDelimiting && (header !== undefined || codec === 'mp3')
  const unit = new Unit()
  const hit: number[] = []
  for (let i = 0; i < rows.length; i++) {
    if (i % UNITS_A_TURN === 0) {
      monitor.progress('diagnose', i / rows.length)
      await monitor.pause()
    }
    const row = rows[i]
    const { offset, size } = unitOf(reader, table, row)
    let whole = (table.flags[row] & TORN) === 0 && size > 0
    if (whole && isWhole) whole = isWhole(reader.bytes(offset, size))
    else if (whole && reads && recogniser) {
      whole = recogniser.intact
        ? recogniser.intact(reader, offset, size)
        : recogniser.recognise(reader, offset, offset + size, unit)
    } else if (whole && isDense(codec)) whole = !hasZeroHole(reader, offset, size)
    if (!whole) hit.push(row)
  }
  if (hit.length > rows.length * (1 - LEAST_SHARE)) return markTorn(table, rows)
  for (const row of hit) table.flags[row] |= DAMAGED
  return hit.length
}

function markTorn(table: TagTable, rows: Uint32Array): number {
  let count = 0
  for (const row of rows) {
    if ((table.flags[row] & TORN) === 0) continue
    table.flags[row] |= DAMAGED
    count++
  }
  return count
}

/** Whether pictures that are read to their last bit were hit in several places where nothing is missing: others may be that read all the same. */
export function isHitHereAndThere({ flags, length }: TagTable, { codec, rows }: Stream): boolean {
  if (!WHOLE[codec]) return false
  const isHit = (row: number): boolean =>
    (flags[row] & (DAMAGED | TORN | AFTER_HOLE)) === DAMAGED &&
    (row + 1 === length || (flags[row + 1] & AFTER_HOLE) === 0)
  let places = 0
  for (let i = 0; i < rows.length; i++) if (isHit(rows[i]) && (i === 0 || !isHit(rows[i - 1]))) places++
  return places > 1
}
