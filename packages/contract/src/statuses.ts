import { z } from 'zod'

/** Statuses of an uploaded file; the first one's spelling is the specification's. */
export const FILE_STATUSES = ['Corrut_File_Uploaded', 'Sample_File_Uploaded', 'Repair_Completed'] as const
export const fileStatusSchema = z.enum(FILE_STATUSES)
export type FileStatus = z.infer<typeof fileStatusSchema>

/** Whether the objects of a record still exist. */
export const FILE_PRESENCES = ['Available', 'Deleted'] as const
export const filePresenceSchema = z.enum(FILE_PRESENCES)

/** What `checkprogress` answers; a queued repair reads as `Running`. */
export const PROGRESS_STATUSES = ['Running', 'Completed', 'Failed'] as const
export const progressStatusSchema = z.enum(PROGRESS_STATUSES)
export type ProgressStatus = z.infer<typeof progressStatusSchema>

/** What can be done to a film beyond its repair, never unasked. */
export const ENHANCEMENTS = ['conceal', 'deflicker', 'sharpen', 'retime'] as const
export const enhancementSchema = z.enum(ENHANCEMENTS)
export type Enhancement = z.infer<typeof enhancementSchema>

/** Stages of a repair in their order, as progress names them. */
export const REPAIR_STAGES = [
  'queued',
  'fetch',
  'survey',
  'diagnose',
  'recover',
  'timeline',
  'write',
  'verify',
  'preview',
  'store',
  'done',
] as const
export const repairStageSchema = z.enum(REPAIR_STAGES)
export type RepairStage = z.infer<typeof repairStageSchema>

/** `repairingStatus`: the stage in words. */
export const STAGE_TEXTS: Readonly<Record<RepairStage, string>> = {
  queued: 'Waiting for a free place',
  fetch: 'Repairing Started',
  survey: 'Reading the file',
  diagnose: 'Finding the damage',
  recover: 'Recovering frames and sound',
  timeline: 'Rebuilding the timeline',
  write: 'Writing the repaired file',
  verify: 'Checking the result',
  preview: 'Generating Preview',
  store: 'Storing the result',
  done: 'Repair finished',
}

/** The engine's verdict. `healthy` gives the place back and leaves the record's status as it was. */
export const VERDICTS = ['repaired', 'partial', 'healthy', 'unrepairable'] as const
export const verdictSchema = z.enum(VERDICTS)
export type Verdict = z.infer<typeof verdictSchema>

/** States of a request for manual repair. */
export const MANUAL_STATES = ['Requested', 'In_Progress', 'Closed'] as const
export const manualStateSchema = z.enum(MANUAL_STATES)
export type ManualState = z.infer<typeof manualStateSchema>
