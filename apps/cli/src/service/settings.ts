import { type Config, loadConfig } from '@mendframe/backend'
import { UsageError } from '@mendframe/runner'
import { type Environment, readEnvironment } from './environment.ts'
import { freePort } from './free-port.ts'

/**
 * The settings of this start. Where people watch, only warnings are logged unless LOG_LEVEL says otherwise.
 * @throws SetupError that names each wrong setting
 */
export async function readSettings(interactive: boolean): Promise<Config> {
  const environment = readEnvironment(process.cwd(), process.env)
  const config = loadConfig(
    interactive && !environment.LOG_LEVEL ? { ...environment, LOG_LEVEL: 'warn' } : environment,
  )
  return config.port === 0 ? withFreePort(environment, config) : config
}

/** Links carry the address, so the port has to be known before anything is built on it. */
async function withFreePort(environment: Environment, config: Config): Promise<Config> {
  const port = await freePort(config.host)
  return loadConfig({ ...environment, LOG_LEVEL: config.logLevel, PORT: String(port) })
}

/** @throws UsageError where processes of their own would need the embedded database, which has one owner */
export function requireServerDatabase(config: Config, command: string): void {
  if (config.databaseUrl !== undefined) return
  throw new UsageError(
    `mendframe ${command} needs DATABASE_URL; with the embedded database use mendframe serve`,
  )
}
