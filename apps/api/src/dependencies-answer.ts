import type { Context } from '@mendframe/backend'

const PATIENCE_MS = 2_000

/** Any valid key; nothing is stored under it. */
const PROBE = 'uploads/probe'

/** Whether database and store answer soon. */
export async function dependenciesAnswer(context: Context): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), PATIENCE_MS)
  })
  const asked = Promise.all([context.queue.counts(), context.storage.head(PROBE)]).then(
    () => true,
    (error: unknown) => {
      context.log.warn({ err: error }, 'database or store does not answer')
      return false
    },
  )
  const answer = await Promise.race([asked, late])
  clearTimeout(timer)
  return answer
}
