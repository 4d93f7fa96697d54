import { type Limits, limitsFor } from './bytes/limits.ts'
import { ByteReader } from './bytes/reader.ts'
import { type ByteSink, isSeekable } from './bytes/sink.ts'
import type { ByteSource } from './bytes/source.ts'
import { workOn } from './bytes/work.ts'
import type {
  Diagnosis,
  Format,
  InputFile,
  ProfileText,
  ReadPictures,
  RepairJob,
  RepairOptions,
} from './formats/format.ts'
import { FORMATS } from './formats/index.ts'
import { bestFormat } from './identify.ts'
import type { Allowance } from './model/allowance.ts'
import type { Decoder } from './model/decoder.ts'
import { LimitError } from './model/errors.ts'
import { type Monitor, SILENT } from './model/monitor.ts'
import type { Report } from './model/report.ts'
import { doubtingEndedSearch, SEARCH_ENDED } from './recording/judge/ended-search.ts'
import { doubtingTornTracks } from './recording/judge/none-whole.ts'
import { repairStored } from './stored-picture.ts'
import { ENGINE_VERSION } from './version.ts'

/** A file handed to the engine; `name` serves only for its extension. */
export interface EngineFile {
  readonly source: ByteSource
  readonly name?: string
}

export interface RepairRequest {
  readonly damaged: EngineFile
  readonly sample?: EngineFile
  /** Receives the repaired file; untouched unless the verdict is `repaired` or `partial`. */
  readonly sink: ByteSink
  readonly options?: Partial<RepairOptions>
  readonly limits?: Limits
  /** Steps that all searches of both files may take together; in proportion to their bytes by default. */
  readonly work?: Allowance
  readonly monitor?: Monitor
  /** Settles what bytes alone do not; without one, that is a doubt. */
  readonly decoder?: Decoder
  /** Formats to consider; all registered ones by default. */
  readonly formats?: readonly Format[]
  /** Milliseconds of a steady clock, for the report's `seconds`. */
  readonly now?: () => number
}

export interface DiagnoseRequest {
  readonly file: EngineFile
  readonly limits?: Limits
  readonly monitor?: Monitor
  readonly formats?: readonly Format[]
}

/** A file's diagnosis with the format that made it; `format` is `unknown` when none recognised the content. */
export interface FileDiagnosis extends Diagnosis {
  readonly engine: string
  readonly format: string
  readonly size: number
}

/** Score from which content is certain: below, a file may be a part of another, as a raw photo's preview is of the photo. */
const CERTAIN_SCORE = 90

/** Score below which the extension is believed rather: a structure that several formats have. */
const LIKELY_SCORE = 50

/** Names the format of a file by content; the extension only breaks ties. */
export function identify(file: InputFile, formats: readonly Format[] = FORMATS): Format | undefined {
  return bestFormat(file, formats)?.format
}

/**
 * The format of a damaged file. Content decides where it is certain. Where it is not, because the head is lost, say, a sample of
 * the family of the file's own extension does, and where content tells little, the sample or the extension alone.
 */
function formatOfDamaged(
  damaged: InputFile,
  sampleFormat: Format | undefined,
  formats: readonly Format[],
): Format | undefined {
  const own = bestFormat(damaged, formats)
  const named = formats.find(({ extensions }) => extensions.includes(damaged.extension))
  const isOtherKind = own && named && own.format.kind !== named.kind
  // a cover stored in a film makes no photo of it
  const holdsOther = isOtherKind && named.probe(damaged).score >= LIKELY_SCORE
  if (holdsOther) return named
  const sampleOfName = sampleFormat?.extensions.includes(damaged.extension) ? sampleFormat : undefined
  // nor does one behind a lost head, where a sample is a film, and the extension or the rest of the bytes says the same
  const isFilm = sampleFormat?.kind === 'recording' && own?.isInside
  const isCover = isFilm && (sampleOfName || sampleFormat.probe(damaged).score >= LIKELY_SCORE)
  if (own && own.score >= CERTAIN_SCORE && !isCover) return own.format
  if (sampleOfName || isCover) return sampleFormat
  // a photo asked for does not come back as a film that a few of its bytes look like, nor the other way about
  if (own && !isOtherKind && (own.score >= LIKELY_SCORE || !named)) return own.format
  return sampleFormat ?? named
}

/** Diagnoses a file without changing anything. @throws EngineError of a kind named in `model/errors.ts`, never for damage. */
export async function diagnose(request: DiagnoseRequest): Promise<FileDiagnosis> {
  const formats = request.formats ?? FORMATS
  const file = open(request.file)
  const format = identify(file, formats)
  const about = { engine: ENGINE_VERSION, format: format?.name ?? 'unknown', size: file.reader.size }
  const hopeless = (code: string, message: string): FileDiagnosis => ({
    ...about,
    findings: [{ code, severity: 'error', message }],
    omittedFindings: 0,
    healthy: false,
    sample: 'required',
    tracks: [],
  })
  if (!format) {
    const isEmpty = file.reader.size === 0
    return hopeless(
      'file.unknown',
      isEmpty ? 'the file is empty' : 'nothing in the file is known to the engine',
    )
  }
  const limits = request.limits ?? limitsFor(file.reader.size)
  const diagnosis = await withinLimits(() => format.diagnose(file, limits, request.monitor ?? SILENT))
  if (typeof diagnosis === 'string') return hopeless('file.beyond-limits', diagnosis)
  if (!file.reader.work.spent) return { ...about, ...diagnosis }
  return { ...about, ...diagnosis, healthy: false, findings: [...diagnosis.findings, SEARCH_ENDED] }
}

/**
 * Repairs a damaged file into `sink` and accounts for it. A file whose own content names no format is taken to be of
 * the sample's, then of its extension's: people come with zeroed heads.
 * @throws EngineError of a kind named in `model/errors.ts`, never for damage.
 */
export async function repair(request: RepairRequest): Promise<Report> {
  const now = request.now ?? Date.now
  const started = now()
  const formats = request.formats ?? FORMATS
  const work = request.work ?? workOn(request.damaged.source.size + (request.sample?.source.size ?? 0))
  const damaged = open(request.damaged, work)
  const sample = request.sample ? open(request.sample, work) : undefined
  const sampleFormat = sample ? identify(sample, formats) : undefined
  const format = formatOfDamaged(damaged, sampleFormat, formats)
  const about = {
    engine: ENGINE_VERSION,
    format: format?.name ?? 'unknown',
    damaged: { size: damaged.reader.size },
  }
  const refuse = (reason: string, code: string): Report => ({
    ...about,
    ...(format?.kind === 'photo' ? { kind: 'photo', pictures: [] } : { kind: 'recording', tracks: [] }),
    verdict: 'unrepairable',
    findings: [{ code, severity: 'error', message: reason }],
    omittedFindings: 0,
    strategies: [],
    seconds: (now() - started) / 1000,
    reason,
  })
  if (damaged.reader.size === 0) return refuse('The damaged file is empty.', 'file.empty')
  if (!format) return refuse('The file is of no kind that can be repaired.', 'file.unknown')
  const usable = sample && sampleFormat === format ? sample : undefined
  const { sink } = request
  if (!format.copiesAhead && isSeekable(sink)) await sink.hold()
  const job: RepairJob = {
    damaged,
    ...(usable ? { sample: usable } : {}),
    limits: request.limits ?? limitsFor(damaged.reader.size + (sample?.reader.size ?? 0)),
    options: { damagedFrames: 'auto', ...request.options },
    monitor: request.monitor ?? SILENT,
    ...(request.decoder ? { decoder: request.decoder } : {}),
  }
  const outcome = await withinLimits(() => runFormat(format, job, sink, formats), sink)
  if (typeof outcome === 'string') return refuse(outcome, 'file.beyond-limits')
  const wrote = outcome.verdict === 'repaired' || outcome.verdict === 'partial'
  const findings = [...outcome.findings]
  if (sample && !usable) {
    findings.push({
      code: 'sample.other-format',
      severity: 'warning',
      message: `the sample is ${sampleFormat?.name ?? 'of no known format'}, the damaged file ${format.name}: the sample was not used`,
    })
  }
  const keepsName = format.extensions.includes(damaged.extension) && !outcome.stored
  const extension = keepsName ? damaged.extension : (outcome.extension ?? format.extensions[0])
  return {
    ...about,
    ...outcome.media,
    verdict: outcome.verdict,
    findings,
    omittedFindings: outcome.omittedFindings,
    strategies: outcome.strategies,
    ...(sample
      ? {
          sample: {
            size: sample.reader.size,
            format: sampleFormat?.name ?? 'unknown',
            used: outcome.sampleUsed,
          },
        }
      : {}),
    extension,
    ...(wrote ? { output: { size: sink.position } } : {}),
    ...(outcome.doubts?.length ? { doubts: outcome.doubts } : {}),
    ...(outcome.reason === undefined ? {} : { reason: outcome.reason }),
    seconds: (now() - started) / 1000,
  }
}

/**
 * What work gives; where its input goes beyond a limit, the reason as a report has it. @throws LimitError once something was
 * written.
 */
async function withinLimits<T>(work: () => Promise<T>, sink?: ByteSink): Promise<T | string> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof LimitError) || (sink !== undefined && sink.position > 0)) throw error
    return `The file asks for more than any file of its length needs: ${error.message}.`
  }
}

/** A format's repair, with what it says of its kind of media as the report has it. */
async function runFormat(format: Format, job: RepairJob, sink: ByteSink, formats: readonly Format[]) {
  if (format.kind === 'photo') {
    const own = await format.repair(job, sink)
    const stored = await repairStored(own, job, sink, formats)
    const { pictures, ...outcome } = stored ?? own
    return { ...outcome, media: { kind: format.kind, pictures }, stored: stored !== undefined }
  }
  const judged = doubtingTornTracks(await format.repair(job, sink))
  const { tracks, ...outcome } = doubtingEndedSearch(judged, job.damaged.reader.work)
  return { ...outcome, media: { kind: format.kind, tracks }, stored: false }
}

export interface ProfileRequest {
  readonly file: EngineFile
  /** The camera's name, as reports show it. */
  readonly name: string
  readonly limits?: Limits
  readonly monitor?: Monitor
  readonly formats?: readonly Format[]
}

/**
 * Takes the facts of a healthy recording for the library of cameras. @throws EngineError of a kind named in `model/errors.ts`.
 */
export async function profile(request: ProfileRequest): Promise<ProfileText | { readonly reason: string }> {
  const file = open(request.file)
  const format = identify(file, request.formats ?? FORMATS)
  if (!format?.profile) return { reason: 'No profile can be made of recordings of this format.' }
  return format.profile(
    file,
    request.name,
    request.limits ?? limitsFor(file.reader.size),
    request.monitor ?? SILENT,
  )
}

export interface ReadPicturesRequest {
  readonly file: EngineFile
  readonly limits?: Limits
  readonly monitor?: Monitor
  readonly formats?: readonly Format[]
}

/**
 * Reads the pictures of a file that plays to their last bit, where its format and codec can. @throws EngineError of a kind named
 * in `model/errors.ts`.
 */
export async function readPictures(request: ReadPicturesRequest): Promise<readonly ReadPictures[]> {
  const file = open(request.file)
  const format = identify(file, request.formats ?? FORMATS)
  if (!format?.readPictures) return []
  return format.readPictures(file, request.limits ?? limitsFor(file.reader.size), request.monitor ?? SILENT)
}

/** @param work what all searches of the file may take together, with others; by default a part of its own */
function open(file: EngineFile, work?: Allowance): InputFile {
  const name = file.name ?? ''
  const dot = name.lastIndexOf('.')
  return {
    reader: new ByteReader(file.source, work),
    extension: dot < 0 ? '' : name.slice(dot + 1).toLowerCase(),
  }
}
