export type {
  DamagedFrames,
  Doubt,
  EnhancementReport,
  FileDiagnosis,
  Finding,
  PhotoReport,
  PictureReport,
  ProfileText,
  RecordingReport,
  Report,
  Stage,
  TrackReport,
  Verdict,
  Verification,
} from '@mendframe/engine'
export {
  AbortedError,
  EngineError,
  EnvironmentError,
  LimitError,
  UnsupportedError,
  UsageError,
} from '@mendframe/engine/errors'
export { STAGES } from '@mendframe/engine/stages'
export { ENGINE_VERSION } from '@mendframe/engine/version'
export type { EngineRunOptions } from './conversation.ts'
export { EngineCrashError, EngineLimitError } from './errors.ts'
export { FileSink } from './file-sink.ts'
export { FileSource } from './file-source.ts'
export { furtherPhotoPaths } from './further-photos.ts'
export { PendingOutput } from './pending-output.ts'
export { printable } from './printable.ts'
export { type RunDiagnoseRequest, runDiagnose } from './run-diagnose.ts'
export { type RunProfileRequest, runProfile } from './run-profile.ts'
export { type Enhance, type RunRepairRequest, runRepair, type Verify } from './run-repair.ts'
