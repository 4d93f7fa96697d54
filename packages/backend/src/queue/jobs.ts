import type { Product } from '@mendframe/contract'
import type { MailKind } from '../mail/messages.ts'

/**
 * Every kind of job and what it carries. `Handlers` maps over it, so that a kind without a handler is a compile error.
 * Jobs carry ids, never addresses or tokens in clear: what is secret is looked up or made when the job runs.
 */
export interface Jobs {
  repair: { readonly repairId: string }
  /** Repairs whose every attempt was lost with its worker. */
  'repair-lost': { readonly repairId: string }
  mail: {
    readonly userId: string
    readonly kind: MailKind
    readonly uploadId?: string
    /** The flavour that the mail leads back to, where no upload tells it. */
    readonly product?: Product
  }
  retention: Record<string, never>
}

export type JobName = keyof Jobs

export interface TakenJob<Name extends JobName> {
  readonly data: Jobs[Name]
  /** Aborted when the job was cancelled or given to another worker, or the worker stops. */
  readonly signal: AbortSignal
}

export type Handlers = { readonly [Name in JobName]: (job: TakenJob<Name>) => Promise<void> }

export const JOB_NAMES = ['repair', 'repair-lost', 'mail', 'retention'] as const satisfies readonly JobName[]

export function isJobName(name: string): name is JobName {
  return JOB_NAMES.some((known) => known === name)
}
