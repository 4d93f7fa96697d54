import { DEFAULT_LIMITS } from '../../src/bytes/limits.ts'
import { SILENT } from '../../src/model/monitor.ts'
import { SAMPLE_KEY, SampleTable } from '../../src/model/sample-table.ts'
import type { TrackDescription } from '../../src/model/track.ts'
import { type Carved, carve } from '../../src/recovery/carve.ts'
import { readerOf } from '../../testing/video/replay.ts'

/** Writes a recording of several tracks unit by unit, and its sample tables along with it. */
export class Recorder {
  readonly tables: readonly SampleTable[]
  readonly descriptions: readonly TrackDescription[]
  readonly #parts: Uint8Array[] = []
  #at = 0

  constructor(descriptions: readonly TrackDescription[]) {
    this.descriptions = descriptions
    this.tables = descriptions.map(() => new SampleTable())
  }

  /** Appends a unit of a track that holds `count` samples and lasts `duration` in the track's time scale. */
  push(track: number, unit: Uint8Array, count: number, duration: number): void {
    const table = this.tables[track]
    const row = table.length
    table.push(this.#at, unit.length, count, duration, row, SAMPLE_KEY)
    table.dts[row] = row * duration
    this.#parts.push(unit)
    this.#at += unit.length
  }

  /** Appends bytes that are of no track. */
  skip(bytes: Uint8Array): void {
    this.#parts.push(bytes)
    this.#at += bytes.length
  }

  /** Everything written so far, as a copy. */
  bytes(): Uint8Array {
    return new Uint8Array(Buffer.concat(this.#parts))
  }

  /** What is found in `damaged` with this recording as the sample. */
  carve(damaged: Uint8Array): Promise<Carved> {
    const tracks = this.descriptions.map((description, i) => ({ description, table: this.tables[i] }))
    return carve({
      reader: readerOf(damaged),
      regions: [{ offset: 0, length: damaged.length }],
      sample: { reader: readerOf(this.bytes()), tracks },
      limits: DEFAULT_LIMITS,
      monitor: SILENT,
    })
  }
}
