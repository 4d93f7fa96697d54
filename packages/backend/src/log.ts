import { type DestinationStream, type Logger, pino } from 'pino'
import type { Config } from './config/config.ts'

export type { Logger } from 'pino'

/**
 * Structured log lines on standard output. Tokens, email addresses and sealed fields are never passed to the logger; the
 * redaction here is the second net.
 */
export function createLogger(config: Pick<Config, 'logLevel'>, destination?: DestinationStream): Logger {
  const settings = {
    level: config.logLevel,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: {
      paths: [
        'email',
        'token',
        'password',
        'authorization',
        '*.email',
        '*.token',
        '*.password',
        '*.authorization',
        '*.cookie',
      ],
      censor: '[hidden]',
    },
  }
  return destination ? pino(settings, destination) : pino(settings)
}
