export { DEFAULT_LIMITS, type Limits } from './bytes/limits.ts'
export { type ByteSink, isSeekable, MemorySink, type SeekableSink } from './bytes/sink.ts'
export { type ByteSource, MemorySource } from './bytes/source.ts'
export {
  type DiagnoseRequest,
  diagnose,
  type EngineFile,
  type FileDiagnosis,
  identify,
  type ProfileRequest,
  profile,
  type ReadPicturesRequest,
  type RepairRequest,
  readPictures,
  repair,
} from './engine.ts'
export type {
  DamagedFrames,
  Diagnosis,
  Format,
  ProfileText,
  ReadPictures,
  RepairOptions,
} from './formats/format.ts'
export { FORMATS } from './formats/index.ts'
export { DECODER_BYTES, type Decoded, type DecodedTrack, type Decoder } from './model/decoder.ts'
export { DOUBT, type Doubt } from './model/doubt.ts'
export * from './model/errors.ts'
export type { Finding, Severity } from './model/finding.ts'
export { type Monitor, SILENT, STAGES, type Stage } from './model/monitor.ts'
export type { PhotoArea, PictureReport } from './model/photo.ts'
export type {
  DecodingFault,
  EnhancementReport,
  PhotoReport,
  RecordingReport,
  Report,
  TimeRange,
  TornPicture,
  TrackKind,
  TrackReport,
  Verdict,
  Verification,
} from './model/report.ts'
export { ENGINE_VERSION } from './version.ts'
