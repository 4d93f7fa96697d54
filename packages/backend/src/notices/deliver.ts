import { FREE_KEEP_HOURS, PREMIUM_KEEP_HOURS, type RepairReport } from '@mendframe/contract'
import { and, desc, eq } from 'drizzle-orm'
import { issueMailToken } from '../accounts/mail-tokens.ts'
import type { Context } from '../context.ts'
import { manualCases, repairs, type UploadRow, type UserRow, uploads, users } from '../db/schema.ts'
import { compose, type StripPiece } from '../mail/layout.ts'
import { LETTERS, type MailFacts, type MailKind, RESET_HOURS, VERIFY_HOURS } from '../mail/messages.ts'
import type { Jobs } from '../queue/jobs.ts'

/** Pieces of the strip; finer ones are joined. */
const STRIP_PIECES = 40

/** Writes and sends one message. A user or a file that is gone in the meantime needs none. */
export async function deliverMail(context: Context, job: Jobs['mail']): Promise<void> {
  const [user] = await context.db.select().from(users).where(eq(users.id, job.userId))
  if (!user) return
  const facts = await gather(context, user, job)
  if (facts) await context.mailer.send(compose(user.email, LETTERS[job.kind](facts)))
}

async function gather(context: Context, user: UserRow, job: Jobs['mail']): Promise<MailFacts | undefined> {
  const site = context.config.publicUrl
  if (job.kind === 'verify-email') {
    return { site, token: await issueMailToken(context, user, 'verify', VERIFY_HOURS) }
  }
  if (job.kind === 'reset-password') {
    const token = await issueMailToken(context, user, 'reset', RESET_HOURS)
    return { site, token, ...(job.product === undefined ? {} : { product: job.product }) }
  }
  if (job.uploadId === undefined) return { site }
  const [upload] = await context.db.select().from(uploads).where(eq(uploads.id, job.uploadId))
  if (!upload) return undefined
  const page = upload.product === 'video' ? '/admin/dashboard#myplan' : '/photo/app/dashboard#dashboard'
  const facts = { site, fileName: upload.originalName, fileUrl: site + page }
  return { ...facts, ...(await about(context, upload, job.kind)) }
}

async function about(context: Context, upload: UploadRow, kind: MailKind): Promise<Partial<MailFacts>> {
  const keepHours = upload.plan === 'Premium' ? PREMIUM_KEEP_HOURS : FREE_KEEP_HOURS
  if (kind === 'manual-answered') {
    const [found] = await context.db.select().from(manualCases).where(eq(manualCases.uploadId, upload.id))
    return {
      keepHours: PREMIUM_KEEP_HOURS,
      attached: found?.resultKey !== null && found?.resultKey !== undefined,
      ...(found?.answer ? { answer: found.answer } : {}),
    }
  }
  if (kind !== 'repair-ready') return {}
  const [repair] = await context.db
    .select({ verdict: repairs.verdict, report: repairs.report })
    .from(repairs)
    .where(and(eq(repairs.uploadId, upload.id), eq(repairs.state, 'completed')))
    .orderBy(desc(repairs.createdAt))
    .limit(1)
  const strip = repair?.report ? stripOf(repair.report) : []
  return { keepHours, partial: repair?.verdict === 'partial', ...(strip.length > 0 ? { strip } : {}) }
}

/** The recovery strip of the longest track, in equal pieces: each is as bad as the worst stretch in it. */
export function stripOf(report: RepairReport): StripPiece[] {
  const longest = [...report.tracks].sort((a, b) => b.duration - a.duration)[0]
  if (!longest || longest.ranges.length === 0) return []
  const end = Math.max(longest.duration, ...longest.ranges.map((range) => range.end))
  if (!(end > 0)) return []
  const pieces: StripPiece[] = []
  for (let index = 0; index < STRIP_PIECES; index++) {
    const from = (index / STRIP_PIECES) * end
    const to = ((index + 1) / STRIP_PIECES) * end
    const inside = longest.ranges
      .filter((range) => range.start < to && range.end > from)
      .map((range) => range.state)
    const state = inside.includes('lost') ? 'lost' : inside.includes('damaged') ? 'damaged' : 'recovered'
    const last = pieces.at(-1)
    if (last?.state === state) pieces[pieces.length - 1] = { state, share: last.share + 1 / STRIP_PIECES }
    else pieces.push({ state, share: 1 / STRIP_PIECES })
  }
  return pieces
}
