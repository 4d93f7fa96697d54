import type { Command } from 'commander'
import { wholeNumber } from '../numbers.ts'
import type { OperationName } from './operations.ts'

interface Flags {
  readonly json?: boolean
}

/** `mendframe admin`: what an operator needs. It finds the running service by the same settings the service has. */
export function addAdmin(program: Command, finish: (exitCode: number) => void): void {
  const admin = program
    .command('admin')
    .description('look after a running service: users, plans, jobs, cases, storage')

  /** Adds a command whose arguments and options become the operation's values. */
  const add = (parent: Command, operation: OperationName, usage: string, description: string): Command => {
    const [name = '', ...names] = usage.split(' ')
    const command = parent.command(name).description(description).option('--json', 'print the result as JSON')
    for (const argument of names) command.argument(`<${argument}>`)
    return command.action(async (...given: unknown[]) => {
      const { json, ...flags } = command.opts<Flags & Record<string, unknown>>()
      const values = Object.fromEntries(names.map((argument, index) => [argument, given[index]]))
      const { adminCommand } = await import('../commands/admin.ts')
      finish(await adminCommand(operation, { ...flags, ...values }, json === true))
    })
  }
  const group = (name: string, description: string): Command => admin.command(name).description(description)

  const users = group('users', 'people with an account')
  add(users, 'users list', 'list', 'newest first')
    .option('--search <text>', 'only whose address or name contains it')
    .option('--limit <rows>', 'how many (default: 50)', wholeNumber)

  const plans = group('plans', 'purchases and grants')
  add(plans, 'plans list', 'list', 'newest first')
    .option('--email <address>', 'only of this person')
    .option('--limit <rows>', 'how many (default: 50)', wholeNumber)
  add(
    plans,
    'plans grant',
    'grant email pack',
    'give a pack, e.g. video-10-monthly, as if it had been bought now',
  )

  const jobs = group('jobs', 'repairs')
  add(jobs, 'jobs list', 'list', 'newest first')
    .option('--state <state>', 'queued, running, completed, failed or cancelled')
    .option('--limit <rows>', 'how many (default: 50)', wholeNumber)
  add(jobs, 'jobs retry', 'retry id', 'start a failed or cancelled repair again')
  add(jobs, 'jobs cancel', 'cancel id', 'stop a waiting or running repair and give its place back')

  const cases = group('cases', 'requests for a manual repair')
  add(cases, 'cases list', 'list', 'open ones, oldest first, with the places of their files').option(
    '--all',
    'closed ones, too',
  )
  add(cases, 'cases take', 'take id', 'mark a case as in work')
  add(cases, 'cases attach', 'attach id file', 'attach a repaired file to a case')
  add(cases, 'cases close', 'close id', 'close a case; its owner is told by mail').requiredOption(
    '--answer <text>',
    'what the owner is told',
  )

  add(admin, 'storage', 'storage', 'files and bytes kept, by kind')
  add(
    admin,
    'containment',
    'containment',
    'what holds the processes that work on strangers’ files, and what is missing',
  )
  const retention = group('retention', 'what is deleted when its time is over')
  add(retention, 'retention run', 'run', 'delete now what is due')
}
