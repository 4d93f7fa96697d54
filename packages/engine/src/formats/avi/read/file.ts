import type { Limits } from '../../../bytes/limits.ts'
import type { ByteReader } from '../../../bytes/reader.ts'
import type { Monitor } from '../../../model/monitor.ts'
import type { ChunkTable } from './chunk-table.ts'
import { type AviHeader, readHeader } from './header.ts'
import { readIndexes } from './index-entries.ts'
import { lookAt } from './look.ts'
import { type Walk, walk } from './walk.ts'

/** All that a file tells. */
export interface AviFile {
  readonly reader: ByteReader
  readonly header: AviHeader | undefined
  readonly walk: Walk
  readonly index: ChunkTable
}

export async function readFile(reader: ByteReader, limits: Limits, monitor: Monitor): Promise<AviFile> {
  const header = readHeader(reader, limits.tracks)
  const streams = header?.streams
  const found = await walk(
    reader,
    0,
    streams?.map(({ header: { type } }) => type),
    limits,
    monitor,
    streams && lookAt(reader, streams),
  )
  return {
    reader,
    header,
    walk: found,
    index: await readIndexes(reader, found, limits.samplesPerTrack, monitor),
  }
}
