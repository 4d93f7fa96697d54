import type { SampleTable } from '../../../model/sample-table.ts'
import type { Edit } from '../boxes/elst.ts'
import type { Movie, MovieTrack } from '../read/movie.ts'

/** One track of a file to be written. */
export interface PlannedTrack {
  /** Where everything but samples and times is taken from: the damaged file's own track, or the sample's. */
  readonly template: MovieTrack
  /**
   * The samples in decoding order with dts, cts and duration in ticks of `template.description.timescale`. Rows of a
   * track laid out as runs are runs. A gap between a row's end and the next row's dts lengthens the row before it
   * (PCM: is filled with silence).
   */
  readonly table: SampleTable
  /** Number from 1 of each row's sample entry; all rows have the first when absent. */
  readonly descriptions?: Uint16Array
  /** By row, the sample of the template that it is, where the rows are some of the template's. */
  readonly rows?: Uint32Array
  /**
   * `index`: the template is the same recording, its edit list holds and is clipped to what is left.
   * `carved`: the template is another recording, only its habits (priming, delay) hold.
   */
  readonly times: 'index' | 'carved'
  /**
   * Seconds that the recording's own edit list skips of carved rows before the first that is shown; the template's habit when
   * absent.
   */
  readonly skips?: number
  /** Rows were found behind the end of the index: the template's last edit goes on to the end of the media. */
  readonly grown?: boolean
  /** An edit list to be written as it is, instead of one derived from the template's. */
  readonly edits?: readonly Edit[]
}

/** A file to be written: a movie with its index in front. */
export interface WritePlan {
  /** Header and further boxes. */
  readonly movie: Movie
  /** The `ftyp` box to write; the movie's own, or one that fits it, when absent. */
  readonly fileType?: Uint8Array
  readonly tracks: readonly PlannedTrack[]
  /** Samples interleaved as they lie in the source (default), or by their decoding times. */
  readonly order?: 'file' | 'time'
}
