import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseEnv } from 'node:util'
import { printable } from '@mendframe/runner'

export type Environment = Readonly<Record<string, string | undefined>>

/** The settings in force: the environment, and below it what a file `.env` in the current folder says. */
export function readEnvironment(folder: string, environment: Environment): Environment {
  const file = resolve(folder, '.env')
  if (!existsSync(file)) return environment
  const fromFile = parseEnv(readFileSync(file, 'utf8'))
  // A variable that is set to nothing counts as not set, as everywhere.
  const set = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''),
  )
  return { ...fromFile, ...set }
}

/** What the person at the terminal is told once the service answers. */
export function readyLines(address: string, dataFolder: string): string {
  return `Mendframe is ready at ${address}\nData folder: ${printable(dataFolder)}\nStop it with Ctrl-C.\n`
}
