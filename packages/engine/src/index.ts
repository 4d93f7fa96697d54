export { type Limits, DEFAULT_LIMITS } from './bytes/limits.ts'
export { type ByteSink, MemorySink } from './bytes/sink.ts'
export { type ByteSource, MemorySource } from './bytes/source.ts'
export {
  type DiagnoseRequest,
  diagnose,
  type EngineFile,
  type FileDiagnosis,
  identify,
  type RepairRequest,
  repair,
} from './engine.ts'
export type { DamagedFrames, Diagnosis, Format, RepairOptions } from './formats/format.ts'
export { FORMATS } from './formats/index.ts'
export * from './model/errors.ts'
export type { Finding, Severity } from './model/finding.ts'
export { type Monitor, SILENT, type Stage, STAGES } from './model/monitor.ts'
export type { Report, TimeRange, TrackKind, TrackReport, Verdict, Verification } from './model/report.ts'
export { ENGINE_VERSION } from './version.ts'
