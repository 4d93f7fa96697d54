import { resolve } from 'node:path'
import { createContext, hasEmbedded } from '@mendframe/backend'
import { printable, UsageError } from '@mendframe/runner'
import { askService } from '../admin/channel.ts'
import { type OperationName, performOn } from '../admin/operations.ts'
import { readSettings } from '../service/settings.ts'
import { formatBytes, table } from '../text.ts'

/** `mendframe admin …`: does one operator's command and prints what came of it. */
export async function adminCommand(
  operation: OperationName,
  values: Readonly<Record<string, unknown>>,
  json: boolean,
): Promise<number> {
  const absolute = typeof values.file === 'string' ? { ...values, file: resolve(values.file) } : values
  const result = await perform(operation, absolute)
  process.stdout.write(json ? `${JSON.stringify(result ?? null, null, 2)}\n` : describe(result))
  return 0
}

/**
 * The embedded database belongs to the running service, which is asked; else the command opens it itself.
 * @throws UsageError in a folder where no service has run: a command that looks is no reason to found one there
 */
async function perform(
  operation: OperationName,
  values: Readonly<Record<string, unknown>>,
): Promise<unknown> {
  const config = await readSettings(true)
  if (config.databaseUrl === undefined) {
    const answer = await askService(config.dataFolder, operation, values)
    if (answer) return answer.result
    if (!hasEmbedded(config.dataFolder)) {
      throw new UsageError(
        `no service has kept anything in ${config.dataFolder}; MENDFRAME_DATA names its data folder`,
      )
    }
  }
  const context = await createContext(config)
  try {
    return await performOn(context)(operation, values)
  } finally {
    await context.close()
  }
}

function describe(result: unknown): string {
  if (result === undefined || result === null) return 'Done.\n'
  if (!Array.isArray(result)) return lines([result])
  return result.length === 0 ? 'Nothing found.\n' : lines(result)
}

function lines(rows: readonly unknown[]): string {
  const entries = rows.map((row) => (typeof row === 'object' && row !== null ? Object.entries(row) : []))
  const names = entries[0].map(([name]) => name)
  const columns = names.map((name, index) => ({
    title: name,
    align: entries.every((row) => typeof row[index]?.[1] === 'number')
      ? ('right' as const)
      : ('left' as const),
  }))
  const cells = entries.map((row) => row.map(([name, value]) => cell(name, value)))
  return `${table(columns, cells, '').join('\n')}\n`
}

function cell(name: string, value: unknown): string {
  return name === 'bytes' && typeof value === 'number' ? formatBytes(value) : printable(String(value ?? ''))
}
