import type { Limits } from '../../bytes/limits.ts'
import type { ByteReader } from '../../bytes/reader.ts'
import { codecNamed } from '../../codecs/index.ts'
import type { Monitor } from '../../model/monitor.ts'
import { SampleTable } from '../../model/sample-table.ts'
import { MOST_STEPS, tornPictures } from '../../recording/torn-pictures.ts'
import type { InputFile, ReadPictures } from '../format.ts'
import { mendTimes } from './mend/times.ts'
import { scan } from './read/scan.ts'
import { CONFIG, type TagTable, VIDEO } from './read/tag-table.ts'
import { dataOf, descriptionOf, MILLISECONDS, type Stream, streamsOf, unitOf } from './streams.ts'

/** Reads the pictures of a file whose codec can be read to its last bit, as long as their first configuration is in force. */
export async function readPictures(
  { reader }: InputFile,
  limits: Limits,
  monitor: Monitor,
): Promise<readonly ReadPictures[]> {
  const { table } = await scan(reader, limits, monitor)
  const step = mendTimes(table).steps.get(VIDEO) ?? 0
  const stream = streamsOf(reader, table).find(({ kind }) => kind === VIDEO)
  const description = stream && descriptionOf(stream)
  const pictures = description && codecNamed(stream.codec)?.pictureReader?.(description)
  if (!pictures) return []
  const samples = samplesOf(reader, table, stream, step)
  const track = { samples, timescale: MILLISECONDS, pictures, description }
  const read = await tornPictures(reader, track, MOST_STEPS, monitor)
  return [{ place: 0, pictures: read.pictures, torn: read.torn }]
}

function samplesOf(reader: ByteReader, table: TagTable, stream: Stream, step: number): SampleTable {
  const { rows } = stream
  const end = nextConfiguration(reader, table, stream)
  const samples = new SampleTable()
  for (let i = 0; i < rows.length && rows[i] < end; i++) {
    const row = rows[i]
    const { offset, size } = unitOf(reader, table, row)
    const lasts = i + 1 < rows.length ? table.time[rows[i + 1]] - table.time[row] : step
    const sample = samples.push(offset, size, 1, Math.max(0, lasts), 0, 0)
    samples.dts[sample] = table.time[row]
    samples.cts[sample] = table.delay[row]
  }
  return samples
}

/** The row of the first tag behind a stream's configuration that has another one; past the last row where there is none. */
function nextConfiguration(reader: ByteReader, table: TagTable, { kind, header, headerRow }: Stream): number {
  if (!header || headerRow === undefined) return table.length
  for (let row = headerRow + 1; row < table.length; row++) {
    if (table.kind[row] !== kind || (table.flags[row] & CONFIG) === 0) continue
    const other = dataOf(reader, table, row)
    if (other.length !== header.length || other.some((byte, i) => byte !== header[i])) return row
  }
  return table.length
}
