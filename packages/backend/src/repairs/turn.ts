import { and, count, eq, gt, inArray, isNotNull, ne, or } from 'drizzle-orm'
import type { Context } from '../context.ts'
import type { Database } from '../db/database.ts'
import { repairs } from '../db/schema.ts'
import type { Turn } from '../queue/queue.ts'
import { HOUR_MS } from '../uploads/begin.ts'

/** Repairs of the last hour that cost nothing, after which one more has to wait. */
const FREE_TRIES = 2
const FIRST_WAIT_SECONDS = 15
const LONGEST_WAIT_SECONDS = 600

/**
 * When a repair comes in turn. Accounts take turns: each further repair that one has waiting or running comes after the first
 * of everybody else. A repair that fails, finds nothing wrong or is cancelled costs its user nothing but the machine its time:
 * who has had several within an hour waits longer for each.
 */
export async function turnOf(
  context: Context,
  tx: Database,
  userId: string,
  repairId: string,
): Promise<Turn> {
  const own = and(eq(repairs.userId, userId), ne(repairs.id, repairId))
  const ahead = await tx.$count(repairs, and(own, inArray(repairs.state, ['queued', 'running'])))
  const since = new Date(context.clock.now().getTime() - HOUR_MS)
  const [vain] = await tx
    .select({ count: count() })
    .from(repairs)
    .where(
      and(
        own,
        isNotNull(repairs.startedAt),
        gt(repairs.finishedAt, since),
        or(inArray(repairs.state, ['failed', 'cancelled']), eq(repairs.verdict, 'healthy')),
      ),
    )
  return { account: userId, priority: -ahead, waitSeconds: waitAfter(vain?.count ?? 0) }
}

/** Seconds to wait after so many repairs in vain: none, then 15, and twice as long each time up to ten minutes. */
export function waitAfter(vain: number): number {
  if (vain < FREE_TRIES) return 0
  return Math.min(LONGEST_WAIT_SECONDS, FIRST_WAIT_SECONDS * 2 ** (vain - FREE_TRIES))
}
