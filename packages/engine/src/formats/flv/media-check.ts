import type { ByteReader } from '../../bytes/reader.ts'
import { codecNamed } from '../../codecs/index.ts'
import { Unit } from '../../codecs/recogniser.ts'
import type { Monitor } from '../../model/monitor.ts'
import { hasZeroHole, isDense } from '../../recording/zero-holes.ts'
import { readMediaHeader } from './read/media-header.ts'
import { DAMAGED, type TagTable, TORN, VIDEO } from './read/tag-table.ts'
import { type Stream, unitOf } from './streams.ts'

/** Of a healthy stream so many units can be read; where fewer can, it is the reading that fails. */
const LEAST_SHARE = 0.8
/** Units between two breaks for others. */
const UNITS_A_TURN = 256

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
    if (whole && reads && recogniser) {
      whole = recogniser.intact
        ? recogniser.intact(reader, offset, size)
        : recogniser.recognise(reader, offset, offset + size, unit)
    } else if (whole && isDense(codec === 'flv1' ? 'h263' : codec)) whole = !hasZeroHole(reader, offset, size)
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
