import { type Context, SetupError } from '@mendframe/backend'
import { type Host, isContained, lookAtHost, type Protection, protectionsOf } from '@mendframe/confined'

/** What holds the processes that work on strangers' files, on this machine. */
export async function containment(): Promise<Protection[]> {
  return protectionsOf(await lookAtHost())
}

/**
 * Says at start what this machine lacks to contain FFmpeg's process.
 * @throws SetupError where that is required and a room of its own, or limits, are missing.
 */
export async function checkContainment({ config, log }: Context, pretended?: Host): Promise<void> {
  const host = pretended ?? (await lookAtHost())
  const lacking = protectionsOf(host).filter(({ present }) => !present)
  for (const { protection, note } of lacking) {
    log.warn({ protection, note }, 'this machine does not contain FFmpeg as it could')
  }
  if (isContained(host) || config.worker.containment === 'preferred') return
  const notes = lacking.map(({ protection, note }) => `${protection}: ${note}`).join('; ')
  throw new SetupError(
    `FFmpeg's process is not contained here. ${notes}. MEDIA_CONTAINMENT=preferred runs all the same.`,
  )
}
