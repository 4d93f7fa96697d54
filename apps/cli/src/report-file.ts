import { statSync, writeSync } from 'node:fs'
import { resolve } from 'node:path'
import { PendingOutput, type Report, UsageError } from '@mendframe/runner'

/** A report written as JSON beside the repair: it appears complete, together with the output, or not at all. */
export class ReportFile {
  readonly #pending: PendingOutput

  private constructor(pending: PendingOutput) {
    this.#pending = pending
  }

  /**
   * Prepares the place before the work begins, so that a report that cannot be written does not cost an hour.
   * `others` are the files of the same command, none of which a report may replace. A file that is there is replaced
   * when its name ends in `.json`, or with `overwrite`.
   * @throws UsageError, EnvironmentError
   */
  static prepare(path: string, others: readonly string[], overwrite: boolean): ReportFile {
    if (others.some((other) => resolve(other) === resolve(path))) {
      throw new UsageError('the report needs a name of its own')
    }
    const replace = overwrite || path.toLowerCase().endsWith('.json')
    return new ReportFile(PendingOutput.create(path, others.flatMap(identity), replace))
  }

  /** `furtherPhotos`: where photos that follow the first one are saved as well. */
  write(report: Report, furtherPhotos: readonly string[]): void {
    const told = furtherPhotos.length > 0 ? { ...report, furtherPhotos } : report
    writeSync(this.#pending.descriptor, `${JSON.stringify(told, null, 2)}\n`)
  }

  /** Lets it appear; when `durable`, not before it is on the disk. @throws EnvironmentError */
  publish(durable: boolean): void {
    this.#pending.publish(durable)
  }

  [Symbol.dispose](): void {
    this.#pending.discard()
  }
}

function identity(path: string): { identity: string }[] {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false })
  return stats ? [{ identity: `${stats.dev}:${stats.ino}` }] : []
}
