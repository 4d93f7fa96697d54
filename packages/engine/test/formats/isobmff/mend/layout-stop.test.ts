import { expect, it } from 'vitest'
import { DEFAULT_LIMITS } from '../../../../src/bytes/limits.ts'
import { ByteReader } from '../../../../src/bytes/reader.ts'
import { MemorySource } from '../../../../src/bytes/source.ts'
import { movieWork, readMovie } from '../../../../src/formats/isobmff/read/read-movie.ts'
import { AbortedError } from '../../../../src/model/errors.ts'
import { Findings } from '../../../../src/model/finding.ts'
import type { Monitor } from '../../../../src/model/monitor.ts'
import { readBox } from '../../../../src/syntax/iso-boxes/box.ts'
import { INDEX_ADVERSARIES } from '../../../../testing/adversaries/index-adversaries.ts'
import { FILE_TYPE } from '../../../../testing/adversaries/movie.ts'

it('the search for the layout of an index that was hit can be stopped', async () => {
  const hit = INDEX_ADVERSARIES.find(({ name }) => name === 'tracks whose chunks miss each other, one in ten')
  if (!hit) throw new Error('there is no such adversary')
  const { damaged } = hit.make(40_000)
  const reader = new ByteReader(new MemorySource(damaged))
  const box = readBox(reader, FILE_TYPE.length, reader.size)
  if (!box) throw new Error('there is no movie box')
  const stop = new AbortedError('stopped')
  const monitor: Monitor = { progress: () => {}, pause: () => Promise.reject(stop) }
  const work = movieWork(reader.size)
  const reading = readMovie(reader, box, undefined, DEFAULT_LIMITS, new Findings(), [], work, monitor)
  await expect(reading).rejects.toBe(stop)
})
