import { ByteReader } from '../bytes/reader.ts'
import { Splice } from '../bytes/splice.ts'
import { WindowSource } from '../bytes/window-source.ts'
import type { Finding } from '../model/finding.ts'
import type { PhotoFormat } from './format.ts'

type Work = Pick<PhotoFormat, 'diagnose' | 'repair'>

/**
 * A format's work on files that may have foreign bytes in front of them, which are left out.
 * @param findStart where the photo begins; 0 where nothing stands in front of it
 * @param leading what is said of so many bytes
 */
export function behindForeign(
  findStart: (reader: ByteReader) => number,
  leading: (bytes: number) => Finding,
  { diagnose, repair }: Work,
): Work {
  return {
    async diagnose(file, limits, monitor) {
      const start = findStart(file.reader)
      if (start === 0) return diagnose(file, limits, monitor)
      const inner = await diagnose({ ...file, reader: readerFrom(file.reader, start) }, limits, monitor)
      return { ...inner, findings: [leading(start), ...placedFrom(start, inner.findings)], healthy: false }
    },
    async repair(job, sink) {
      const start = findStart(job.damaged.reader)
      if (start === 0) return repair(job, sink)
      const reader = readerFrom(job.damaged.reader, start)
      const outcome = await repair({ ...job, damaged: { ...job.damaged, reader } }, sink)
      const { instead } = outcome
      const placed = {
        ...outcome,
        findings: [leading(start), ...placedFrom(start, outcome.findings)],
        ...(instead ? { instead: { ...instead, offset: start + instead.offset } } : {}),
      }
      if (outcome.verdict !== 'healthy') return placed
      const whole = new Splice()
      whole.copy(0, reader.size)
      await whole.write(reader, sink, job.monitor)
      return { ...placed, verdict: 'repaired' }
    },
  }
}

/** What begins at an offset of a file, as a file of its own. */
export function readerFrom({ source }: ByteReader, start: number): ByteReader {
  return new ByteReader(new WindowSource(source, start, source.size - start))
}

/** Findings of what begins at `start`, in places of the whole file. */
function placedFrom(start: number, findings: readonly Finding[]): readonly Finding[] {
  return findings.map((each) => (each.offset === undefined ? each : { ...each, offset: start + each.offset }))
}
