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

/** A rectangle of a picture, in its own pixels. */
export const photoAreaSchema = z.looseObject({
  x: z.number(),
  y: z.number(),
  width: z.number(),
  height: z.number(),
  state: z.string(),
})

/** One picture of a photo file. */
export const pictureReportSchema = z.looseObject({
  role: z.string(),
  codec: z.string(),
  width: z.number(),
  height: z.number(),
  orientation: z.number(),
  layout: z.string(),
  unit: z.string(),
  total: z.number(),
  recovered: z.number(),
  estimated: z.number(),
  lost: z.number(),
  areas: z.array(photoAreaSchema),
  rebuilt: z.array(z.looseObject({ part: z.string(), from: z.string() })),
})

/** A doubt by its code, with a sentence for those who do not know the code. Reports of old have the sentence alone. */
export const doubtSchema = z.union([
  z.looseObject({ code: z.string(), message: z.string() }),
  z.string().transform((message) => ({ code: '', message })),
])

export const repairReportSchema = z.looseObject({
  engine: z.string(),
  /** `recording` has tracks, `photo` has pictures. */
  kind: z.string().default('recording'),
  verdict: verdictSchema,
  format: z.string(),
  /** What the result is called, without a dot. */
  extension: z.string().optional(),
  findings: z.array(findingSchema),
  omittedFindings: z.number(),
  strategies: z.array(z.looseObject({ name: z.string(), outcome: z.string() })),
  tracks: z.array(trackReportSchema).default([]),
  pictures: z.array(pictureReportSchema).default([]),
  seconds: z.number(),
  verification: verificationSchema.optional(),
  enhancements: z.array(enhancementReportSchema).optional(),
  doubts: z.array(doubtSchema).optional(),
  reason: z.string().optional(),
})
export type RepairReport = z.infer<typeof repairReportSchema>
