import type { Limits } from '../bytes/limits.ts'
import type { ByteReader } from '../bytes/reader.ts'
import type { Region } from '../bytes/regions.ts'
import type { ByteSink } from '../bytes/sink.ts'
import type { Decoder } from '../model/decoder.ts'
import type { Doubt } from '../model/doubt.ts'
import type { Finding } from '../model/finding.ts'
import type { Monitor } from '../model/monitor.ts'
import type { PictureReport } from '../model/photo.ts'
import type { TornPicture, TrackReport, Verdict } from '../model/report.ts'

/** How surely a format owns a file, judged by content alone. */
export interface Probe {
  /** 0 (not mine) to 100 (certain). */
  readonly score: number
  /** What spoke for it or against it, at head, middle and tail. */
  readonly reasons: readonly string[]
  /** Whether what was found does not begin the file, so that it may be stored in a file of another format. */
  readonly isInside?: boolean
}

/** One open file. The engine reads damaged file and sample through the same kind of handle. */
export interface InputFile {
  readonly reader: ByteReader
  /** Extension in lower case without its dot, or empty: a hint, never a proof. */
  readonly extension: string
}

/** What a format says of a file without changing anything. */
export interface Diagnosis {
  readonly findings: readonly Finding[]
  readonly omittedFindings: number
  /** True when every structure and every indexed unit checked out: such a file is copied as it is. */
  readonly healthy: boolean
  /** Whether a repair needs (`required`), gains from (`helpful`) or ignores (`unneeded`) a sample. */
  readonly sample: 'required' | 'helpful' | 'unneeded'
  /** Tracks the file itself still describes; none of a photo. */
  readonly tracks: readonly DescribedTrack[]
  /** Pictures that a photo file itself still describes. */
  readonly pictures?: readonly DescribedPicture[]
}

export interface DescribedTrack {
  readonly id: number
  readonly kind: string
  readonly codec: string
  /** Seconds. */
  readonly duration: number
}

export interface DescribedPicture {
  readonly codec: string
  readonly width: number
  readonly height: number
}

/** What becomes of damaged pictures in the output; `auto` takes for each what leaves fewer disturbed pictures behind it. */
export type DamagedFrames = 'auto' | 'keep' | 'drop'

export interface RepairOptions {
  readonly damagedFrames: DamagedFrames
}

/** What a repair works with. */
export interface RepairJob {
  readonly damaged: InputFile
  /** A healthy recording of the same camera; already probed as the same format, otherwise absent. */
  readonly sample?: InputFile
  readonly limits: Limits
  readonly options: RepairOptions
  readonly monitor: Monitor
  /** Settles what bytes alone do not; without one, that is a doubt. */
  readonly decoder?: Decoder
}

/**
 * What a format's repair did. The bytes are in the sink it was given; nothing was written unless the verdict is `repaired` or
 * `partial`.
 */
interface OutcomeBase {
  readonly verdict: Verdict
  readonly findings: readonly Finding[]
  readonly omittedFindings: number
  readonly strategies: readonly { readonly name: string; readonly outcome: string }[]
  /** What the sample was used for, e.g. `codec configuration`, `track layout`. */
  readonly sampleUsed: readonly string[]
  /** Why the verdict is `partial`: `repaired` has none. */
  readonly doubts?: readonly Doubt[]
  /** One plain line, when the verdict is `unrepairable`. */
  readonly reason?: string
  /**
   * What a file of this content is called where the damaged one's extension is of another family; the format's first one when
   * absent.
   */
  readonly extension?: string
}

export interface RecordingOutcome extends OutcomeBase {
  readonly tracks: readonly TrackReport[]
}

export interface PhotoOutcome extends OutcomeBase {
  readonly pictures: readonly PictureReport[]
  /** Of an unrepairable photo: a smaller picture that was stored in it, which may be repaired in its place. */
  readonly instead?: Region
}

export type RepairOutcome = RecordingOutcome | PhotoOutcome

/** Facts of a camera's recordings, as the text of a file of the format's library. */
export interface ProfileText {
  /** The file's name in the library. */
  readonly fileName: string
  readonly text: string
}

/** Pictures of a track that were read to their last bit, and those of them that were hit inside. */
export interface ReadPictures {
  /** Number of the track among those of pictures, from 0. */
  readonly place: number
  readonly pictures: number
  readonly torn: readonly TornPicture[]
}

interface FormatBase {
  /** Folder name and report name, e.g. `isobmff`. */
  readonly name: string
  /** Extensions the family owns, lower case, without dots. */
  readonly extensions: readonly string[]
  /** Judges by content at head, middle and tail. Bounded: reads at most a few hundred kilobytes. */
  probe(file: InputFile): Probe
  /** Reads what survives and says what is wrong. Never throws for damage. */
  diagnose(file: InputFile, limits: Limits, monitor: Monitor): Promise<Diagnosis>
  /**
   * Optional: reads the pictures of a file that plays, symbol by symbol, as far as a bound of bytes goes, and says which of them
   * were hit inside, which decoders may show without a word.
   */
  readPictures?(file: InputFile, limits: Limits, monitor: Monitor): Promise<readonly ReadPictures[]>
  /**
   * Takes care of a sink that copies ahead (`SeekableSink.lead`). For every other format copying ahead has ended before `repair`
   * is called.
   */
  readonly copiesAhead?: true
  /**
   * Optional: takes from a healthy recording what serves to repair others of its camera without a sample; no media, no dates,
   * places or names. A reason in plain words when the recording does not serve.
   */
  profile?(
    file: InputFile,
    name: string,
    limits: Limits,
    monitor: Monitor,
  ): Promise<ProfileText | { readonly reason: string }>
}

/** Writes the repaired file to `sink`. Never throws for damage; never changes its inputs. */
type Repair<Outcome> = (job: RepairJob, sink: ByteSink) => Promise<Outcome>

export interface RecordingFormat extends FormatBase {
  readonly kind: 'recording'
  readonly repair: Repair<RecordingOutcome>
}

export interface PhotoFormat extends FormatBase {
  readonly kind: 'photo'
  readonly repair: Repair<PhotoOutcome>
}

/**
 * A container family or a photo format. The engine knows formats only through this contract and the list in
 * `formats/index.ts`; no format imports another.
 */
export type Format = RecordingFormat | PhotoFormat
