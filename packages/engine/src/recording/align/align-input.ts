import type { ByteReader } from '../../bytes/reader.ts'
import type { Region } from '../../bytes/regions.ts'
import type { Monitor, Stage } from '../../model/monitor.ts'
import type { SampleTable } from '../../model/sample-table.ts'
import type { SampleChecker } from './sample-checker.ts'

/** What an alignment works with. */
export interface AlignInput {
  readonly reader: ByteReader
  readonly tables: readonly SampleTable[]
  readonly checkers: readonly SampleChecker[]
  /** Where samples can lie. */
  readonly payload: readonly Region[]
  /** Shifts that the structures suggest: sizes that disagree, a second recording's start. */
  readonly suggestions: readonly number[]
  readonly monitor: Monitor
  readonly stage: Stage
}
