import type { Doubt } from './doubt.ts'
import type { Finding } from './finding.ts'
import type { PictureReport } from './photo.ts'

/**
 * What became of a file. `repaired`: every frame and packet whose bytes survive is in the output at its time.
 * `partial`: the output plays, with less. `healthy`: nothing wrong. `unrepairable`: no output.
 */
export type Verdict = 'repaired' | 'partial' | 'healthy' | 'unrepairable'

export type TrackKind = 'video' | 'audio' | 'text' | 'data'

/** A stretch of the recording in the output's time, in seconds from its start. */
export interface TimeRange {
  readonly start: number
  readonly end: number
  readonly state: 'recovered' | 'damaged' | 'lost'
  /** Where its bytes lie (or lay) in the damaged file, when known. */
  readonly offset?: number
  readonly length?: number
  /** Finding code or short reason. */
  readonly reason?: string
}

export interface TrackReport {
  readonly id: number
  readonly kind: TrackKind
  /** Codec's four-character code or common name. */
  readonly codec: string
  /** Coded units (pictures, audio frames; PCM: sample frames) in the output, as whole as they were recorded. */
  readonly recovered: number
  /** Units in the output whose bytes are damaged. */
  readonly damaged: number
  /** Units known or estimated to be gone. */
  readonly lost: number
  /** Seconds the track lasts in the output. */
  readonly duration: number
  /** Whether `lost` and the times around holes are counted from evidence or estimated. */
  readonly times: 'exact' | 'estimated'
  /** All of its samples lie where the recording's own index, which nothing hit, says. */
  readonly placed?: true
  readonly ranges: readonly TimeRange[]
}

/** A stretch of a track that does not decode as it should, in seconds after the track's first frame, end exclusive. */
export interface DecodingFault {
  readonly start: number
  readonly end: number
  /** Pictures or sound frames in it. */
  readonly units: number
  /** No decoder complains: bits or looks say that it was hit. */
  readonly likely?: true
  /** When a single picture is decoded, in seconds after the track's first: a report's ranges go by that. */
  readonly decoded?: number
  /** Pictures of it of which reading them shows that only bits in them were hit, see `TornPicture.inside`. */
  readonly inside?: number
}

/**
 * A picture that was hit inside: seconds after the one that is shown first, and when it is decoded, after the one that is decoded
 * first.
 */
export interface TornPicture {
  readonly start: number
  readonly end: number
  readonly decoded: number
  /**
   * Its units fill its place, their headers make a picture, and most others like it are read to their ends: bits in it were hit,
   * and it was not put together of wrong parts or by wrong settings.
   */
  readonly inside?: true
  /** So few others are read to their ends that it is none where no decoder complains. */
  readonly weak?: true
}

/** Figures of the decoding check, filled outside the pure engine. */
export interface Verification {
  /** Why decoding says nothing of the file, where it does not: its decoder broke off, or nothing in it can be decoded here. */
  readonly unchecked?: string
  readonly decodable: boolean
  readonly duration: number
  readonly tracks: readonly {
    readonly kind: TrackKind
    readonly codec: string
    readonly packets: number
    readonly frames: number
    readonly errors: number
    /**
     * Pictures or sound that could not be decoded here, whatever they are like: there is no decoder for them, or they are
     * encrypted.
     */
    readonly unchecked?: true
    /** Seconds from the first frame's start to the last one's end. */
    readonly duration?: number
    /** Where the errors are, in order of time; the report has them in its tracks. */
    readonly faults?: readonly DecodingFault[]
    /** What most frames that came out are like. */
    readonly width?: number
    readonly height?: number
    readonly pixelFormat?: string
    readonly sampleRate?: number
    readonly channels?: number
    /** What the container declares instead, where that is something else. */
    readonly declared?: string
  }[]
}

/**
 * A change of pictures or their times that somebody asked for on top of the repair. `applied`: done, and the result decodes;
 * `unneeded`: there was nothing to change; `failed`: the file stayed as it was without it. `reason` says why, or which places
 * could not be done.
 */
export interface EnhancementReport {
  readonly operation: 'conceal' | 'deflicker' | 'sharpen' | 'retime'
  readonly outcome: 'applied' | 'unneeded' | 'failed'
  /** Pictures that were encoded anew, or whose times were written anew. */
  readonly pictures: number
  /** What was changed, in seconds after the first picture. */
  readonly ranges: readonly { readonly start: number; readonly end: number }[]
  readonly reason?: string
}

/** What the accounts of all repairs have in common. */
interface ReportBase {
  readonly engine: string
  readonly verdict: Verdict
  readonly format: string
  readonly damaged: { readonly size: number }
  readonly sample?: { readonly size: number; readonly format: string; readonly used: readonly string[] }
  readonly output?: { readonly size: number }
  /**
   * What a file of this content is called, without a dot: the damaged file's own extension where its content is of that family,
   * else the family's. Absent when the content is of no known format.
   */
  readonly extension?: string
  readonly findings: readonly Finding[]
  readonly omittedFindings: number
  /** What was tried, best evidence first, with its outcome in a line. */
  readonly strategies: readonly { readonly name: string; readonly outcome: string }[]
  /** Engine seconds without verification. */
  readonly seconds: number
  readonly verification?: Verification
  /**
   * What was done on top of the repair, in its order; only when it was asked for. Verdict and tracks tell of the repair alone.
   */
  readonly enhancements?: readonly EnhancementReport[]
  /** Why something that survives may be missing, or be elsewhere: there are some when the verdict is `partial`. */
  readonly doubts?: readonly Doubt[]
  /** One plain line that says why, when nothing could be repaired. */
  readonly reason?: string
}

/** The honest account of the repair of a recording. JSON-serialisable as it is. */
export interface RecordingReport extends ReportBase {
  readonly kind: 'recording'
  readonly tracks: readonly TrackReport[]
}

/** The honest account of the repair of a photo. JSON-serialisable as it is. */
export interface PhotoReport extends ReportBase {
  readonly kind: 'photo'
  /** The photo first, then whatever else the file holds. */
  readonly pictures: readonly PictureReport[]
}

export type Report = RecordingReport | PhotoReport
