import { z } from 'zod'
import { verdictSchema } from './statuses.ts'

/*
 * The engine's report as the page reads it. Codes, stage names and clauses are open texts, and unknown fields pass:
 * an older page still shows a newer report.
 */

export const findingSchema = z.looseObject({
  code: z.string(),
  severity: z.string(),
  message: z.string(),
  offset: z.number().optional(),
  length: z.number().optional(),
  clause: z.string().optional(),
})

/** A stretch of the recording, in seconds of the output's time. */
export const timeRangeSchema = z.looseObject({
  start: z.number(),
  end: z.number(),
  state: z.string(),
  reason: z.string().optional(),
})

export const trackReportSchema = z.looseObject({
  id: z.number(),
  kind: z.string(),
  codec: z.string(),
  recovered: z.number(),
  damaged: z.number(),
  lost: z.number(),
  duration: z.number(),
  times: z.string(),
  ranges: z.array(timeRangeSchema),
})

export const verificationSchema = z.looseObject({
  decodable: z.boolean(),
  duration: z.number(),
  tracks: z.array(
    z.looseObject({
      kind: z.string(),
      codec: z.string(),
      packets: z.number(),
      frames: z.number(),
      errors: z.number(),
    }),
  ),
})

/** What was done to the pictures beyond the repair, because somebody asked for it. */
export const enhancementReportSchema = z.looseObject({
  operation: z.string(),
  outcome: z.string(),
  pictures: z.number(),
  ranges: z.array(z.looseObject({ start: z.number(), end: z.number() })),
  reason: z.string().optional(),
})

export const repairReportSchema = z.looseObject({
  engine: z.string(),
  verdict: verdictSchema,
  format: z.string(),
  findings: z.array(findingSchema),
  omittedFindings: z.number(),
  strategies: z.array(z.looseObject({ name: z.string(), outcome: z.string() })),
  tracks: z.array(trackReportSchema),
  seconds: z.number(),
  verification: verificationSchema.optional(),
  enhancements: z.array(enhancementReportSchema).optional(),
  doubts: z.array(z.string()).optional(),
  reason: z.string().optional(),
})
export type RepairReport = z.infer<typeof repairReportSchema>
