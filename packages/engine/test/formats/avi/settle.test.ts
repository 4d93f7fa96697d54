import { expect, it } from 'vitest'
import { DEFAULT_LIMITS } from '../../../src/bytes/limits.ts'
import { ByteReader } from '../../../src/bytes/reader.ts'
import { MemorySource } from '../../../src/bytes/source.ts'
import { avi } from '../../../src/formats/avi/index.ts'
import { settle } from '../../../src/formats/avi/mend/settle.ts'
import { ChunkTable, DAMAGED, REWRITTEN } from '../../../src/formats/avi/read/chunk-table.ts'
import { readFile } from '../../../src/formats/avi/read/file.ts'
import type { AviStream } from '../../../src/formats/avi/read/stream.ts'
import { SILENT } from '../../../src/model/monitor.ts'
import { fixturesOf } from '../../../testing/contract/fixtures.ts'

it.each([
  ['pcm', [996]],
  ['mp3', []],
])('of sound in %s that the end of the file cuts off so many bytes stay: %j', async (codec, sizes) => {
  const [{ bytes }] = fixturesOf(avi)
  const { header } = await readFile(new ByteReader(new MemorySource(bytes)), DEFAULT_LIMITS, SILENT)
  const streams = (header?.streams ?? []).map(
    (stream): AviStream => ({
      ...stream,
      description: { ...stream.description, codec },
      ...(stream.wave ? { wave: { ...stream.wave, blockAlign: 4 } } : {}),
    }),
  )
  const reader = new ByteReader(new MemorySource(new Uint8Array(2000).fill(7)))
  const chunks = new ChunkTable(10)
  chunks.push(1001, 999, 0x62773130, 1, DAMAGED | REWRITTEN)
  const matched = { chunks, agreed: 0, unnamed: 0, missing: 0, behind: 0 }
  const options = { losses: new Map(), drop: false, dataFrom: 0, dataUntil: 2000 }
  const settled = await settle(reader, matched, [], streams, options, DEFAULT_LIMITS, SILENT)
  expect([...settled.chunks.size.subarray(0, settled.chunks.length)]).toEqual(sizes)
})
