import { ByteReader } from './bytes/reader.ts'
import type { ByteSink } from './bytes/sink.ts'
import { Splice } from './bytes/splice.ts'
import { WindowSource } from './bytes/window-source.ts'
import type { Format, PhotoOutcome, RepairJob } from './formats/format.ts'
import { bestFormat } from './identify.ts'
import { DOUBT, distinctDoubts } from './model/doubt.ts'
import { withoutPlaces } from './model/photo.ts'

/**
 * Repairs the picture that was stored in a photo which cannot be repaired itself, as a file of its own format; undefined where
 * that cannot be repaired either.
 */
export async function repairStored(
  { verdict, instead, reason: _, ...outcome }: PhotoOutcome,
  { damaged, sample: __, ...job }: RepairJob,
  sink: ByteSink,
  formats: readonly Format[],
): Promise<PhotoOutcome | undefined> {
  if (verdict !== 'unrepairable' || !instead) return undefined
  const source = new WindowSource(damaged.reader.source, instead.offset, instead.length)
  const file = { reader: new ByteReader(source), extension: '' }
  const format = bestFormat(file, formats)?.format
  if (format?.kind !== 'photo') return undefined
  const stored = await format.repair({ ...job, damaged: file }, sink)
  if (stored.verdict === 'unrepairable') return undefined
  if (stored.verdict === 'healthy') {
    const whole = new Splice()
    whole.copy(0, source.size)
    await whole.write(file.reader, sink, job.monitor)
  }
  const [main, ...others] = withoutPlaces(stored.pictures)
  const found = `the picture of ${instead.length} bytes at ${instead.offset}`
  return {
    ...outcome,
    verdict: 'partial',
    pictures: main ? [{ ...main, role: 'preview' }, ...others] : others,
    strategies: [...outcome.strategies, { name: 'stored-picture', outcome: found }, ...stored.strategies],
    doubts: distinctDoubts([DOUBT.previewOnly, ...(stored.doubts ?? [])]),
    ...(format.extensions[0] ? { extension: format.extensions[0] } : {}),
  }
}
