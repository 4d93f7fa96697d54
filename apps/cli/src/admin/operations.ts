import {
  attachResult,
  type Context,
  cancelJob,
  closeCase,
  grantPlan,
  listCases,
  listJobs,
  listPlans,
  listUsers,
  type RepairState,
  retryJob,
  storageUse,
  sweep,
  takeCase,
} from '@mendframe/backend'
import { UsageError } from '@mendframe/runner'
import { containment } from '@mendframe/worker'
import type { Perform } from './channel.ts'

type Values = Readonly<Record<string, unknown>>
type Operation = (context: Context, values: Values) => Promise<unknown>

/** Rows shown when nobody says how many. */
const DEFAULT_LIMIT = 50
const MOST_ROWS = 10_000

/** What an operator can do, by command. Results go through JSON. */
export const OPERATIONS = {
  'users list': (context, values) => listUsers(context, optionalText(values, 'search') ?? '', limit(values)),
  'plans list': (context, values) => listPlans(context, optionalText(values, 'email'), limit(values)),
  'plans grant': (context, values) => grantPlan(context, text(values, 'email'), text(values, 'pack')),
  'jobs list': (context, values) => listJobs(context, states(values), limit(values)),
  'jobs retry': (context, values) => retryJob(context, text(values, 'id')),
  'jobs cancel': (context, values) => cancelJob(context, text(values, 'id')),
  'cases list': (context, values) => listCases(context, values.all === true),
  'cases take': (context, values) => takeCase(context, text(values, 'id')),
  'cases attach': (context, values) => attachResult(context, text(values, 'id'), text(values, 'file')),
  'cases close': (context, values) => closeCase(context, text(values, 'id'), text(values, 'answer')),
  containment: () => containment(),
  storage: (context) => storageUse(context),
  'retention run': (context) => sweep(context, { orphans: true }),
} satisfies Record<string, Operation>

export type OperationName = keyof typeof OPERATIONS

function isOperation(name: string): name is OperationName {
  return Object.hasOwn(OPERATIONS, name)
}

/** Does operators' commands on an open context. */
export function performOn(context: Context): Perform {
  return async (command, values) => {
    if (!isOperation(command)) throw new UsageError(`there is no command ${command}`)
    const operation: Operation = OPERATIONS[command]
    return operation(context, values)
  }
}

function optionalText(values: Values, name: string): string | undefined {
  const value = values[name]
  if (value !== undefined && typeof value !== 'string') throw new UsageError(`${name} must be a text`)
  return value
}

function text(values: Values, name: string): string {
  const value = optionalText(values, name)
  if (value === undefined) throw new UsageError(`${name} is missing`)
  return value
}

function limit(values: Values): number {
  const value = values.limit ?? DEFAULT_LIMIT
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 1 || value > MOST_ROWS) {
    throw new UsageError(`limit must be a whole number from 1 to ${MOST_ROWS}`)
  }
  return value
}

const STATES: readonly RepairState[] = ['queued', 'running', 'completed', 'failed', 'cancelled']

function states(values: Values): RepairState[] | undefined {
  const wanted = optionalText(values, 'state')
  if (wanted === undefined) return undefined
  const state = STATES.find((known) => known === wanted)
  if (!state) throw new UsageError(`state must be one of ${STATES.join(', ')}`)
  return [state]
}
