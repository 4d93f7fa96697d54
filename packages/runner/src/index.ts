export {
  AbortedError,
  type DamagedFrames,
  ENGINE_VERSION,
  EngineError,
  type EnhancementReport,
  EnvironmentError,
  type FileDiagnosis,
  type Finding,
  LimitError,
  type ProfileText,
  type Report,
  STAGES,
  type Stage,
  type TrackReport,
  UnsupportedError,
  UsageError,
  type Verdict,
  type Verification,
} from '@mendframe/engine'
export type { EngineRunOptions } from './engine-process.ts'
export { EngineCrashError, EngineLimitError } from './errors.ts'
export { FileSink } from './file-sink.ts'
export { FileSource } from './file-source.ts'
export { PendingOutput } from './pending-output.ts'
export { printable } from './printable.ts'
export { type RunDiagnoseRequest, runDiagnose } from './run-diagnose.ts'
export { type RunProfileRequest, runProfile } from './run-profile.ts'
export { type Enhance, type RunRepairRequest, runRepair, type Verify } from './run-repair.ts'
