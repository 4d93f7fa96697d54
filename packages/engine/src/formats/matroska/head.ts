import { element, float, text, unsigned } from '../../syntax/ebml/write.ts'
import type { Assessment } from './assess.ts'
import type { Described } from './deduce/deduce.ts'
import {
  BESIDE,
  DOC_TYPE,
  DURATION,
  EBML,
  INFO,
  MUXING_APP,
  TIMESTAMP_SCALE,
  TRACKS,
  WRITING_APP,
} from './ids.ts'
import { isWebmCodec } from './read/codec-names.ts'
import type { Survey } from './read/survey.ts'
import type { MatroskaTrack } from './read/track.ts'
import type { SampleHead } from './sample.ts'
import type { WritePlan } from './write/write.ts'

/** What stands in front of the Clusters of the result. */
export interface Head {
  readonly tracks: readonly MatroskaTrack[]
  /** `shift`: ticks by which times are less than the damaged file's. */
  write(
    assessment: Pick<Assessment, 'survey' | 'end' | 'scale'>,
    shift: number,
  ): Omit<WritePlan, 'clusters' | 'cues'>
}

/** Versions of documents that are written here: RFC 8794 §11.2, and RFC 9559 §5.1 for CodecDelay and SimpleBlocks. */
const EBML_VERSION = 0x4286
const EBML_READ_VERSION = 0x42f7
const EBML_MAX_ID = 0x42f2
const EBML_MAX_SIZE = 0x42f3
const DOC_VERSION = 0x4287
const DOC_READ_VERSION = 0x4285
const APP = 'Mendframe'

/**
 * The head for what was found: the file's own tracks, a sample's for those that it does not describe, and what frames tell of
 * others.
 */
export function headOf(
  survey: Survey,
  sample: SampleHead | undefined,
  { sampled, deduced }: Described,
): Head {
  const tracks = [...survey.tracks, ...sampled, ...deduced].sort((a, b) => a.number - b.number)
  return {
    tracks,
    write: (assessment, shift) => ({
      header: documentHeader(survey, sample, tracks),
      info: infoOf(assessment, shift),
      tracks: element(TRACKS, ...tracks.map(({ entry }) => entry)),
      kept: keptOf(survey),
    }),
  }
}

function documentHeader(
  survey: Survey,
  sample: SampleHead | undefined,
  tracks: readonly MatroskaTrack[],
): Uint8Array {
  const fits = tracks.every(({ description }) => isWebmCodec(description.codec))
  const type = survey.docType ?? sample?.docType ?? (fits ? 'webm' : 'matroska')
  return element(
    EBML,
    unsigned(EBML_VERSION, 1),
    unsigned(EBML_READ_VERSION, 1),
    unsigned(EBML_MAX_ID, 4),
    unsigned(EBML_MAX_SIZE, 8),
    text(DOC_TYPE, type),
    unsigned(DOC_VERSION, 4),
    unsigned(DOC_READ_VERSION, 2),
  )
}

/** Ticks by which a stated Duration may differ from where the blocks end and still be right. */
const NEAR_SECONDS = 0.1
const NANOSECONDS = 1e9

function infoOf(
  { survey, end, scale }: Pick<Assessment, 'survey' | 'end' | 'scale'>,
  shift: number,
): Uint8Array {
  const { info } = survey
  const stated = info?.duration
  const near = (NEAR_SECONDS * NANOSECONDS) / scale
  const duration = stated !== undefined && Math.abs(stated - end) <= near ? stated : end
  const kept = info?.kept ?? [unsigned(TIMESTAMP_SCALE, scale), text(MUXING_APP, APP), text(WRITING_APP, APP)]
  return element(INFO, ...kept, float(DURATION, duration - shift))
}

function keptOf(survey: Survey): WritePlan['kept'] {
  return survey.elements
    .filter(({ id, filled }) => filled && BESIDE.includes(id))
    .map(({ id, offset, end }) => ({ id, pieces: [{ offset, length: end - offset }] }))
}
