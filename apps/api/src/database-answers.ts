import type { Context } from '@mendframe/backend'

const PATIENCE_MS = 2_000

/** Whether the database answers soon. */
export async function databaseAnswers(context: Context): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), PATIENCE_MS)
  })
  const asked = context.queue.counts().then(
    () => true,
    (error: unknown) => {
      context.log.warn({ err: error }, 'the database does not answer')
      return false
    },
  )
  const answer = await Promise.race([asked, late])
  clearTimeout(timer)
  return answer
}
