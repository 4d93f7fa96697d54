import { closeSync } from 'node:fs'
import type { FileDiagnosis } from '@mendframe/engine'
import type { EngineRunOptions } from './conversation.ts'
import { runEngine } from './engine-process.ts'
import { EngineCrashError } from './errors.ts'
import { handed } from './handed.ts'
import { openInput } from './inputs.ts'

export interface RunDiagnoseRequest extends EngineRunOptions {
  /** Path of the file to look at. */
  readonly file: string
}

/**
 * Says what is wrong with a file, with the engine in a process of its own. Changes nothing.
 * @throws EnvironmentError, AbortedError, EngineLimitError, EngineCrashError, or what the engine itself threw.
 */
export async function runDiagnose(request: RunDiagnoseRequest): Promise<FileDiagnosis> {
  const input = openInput(request.file)
  try {
    const message = await runEngine({ kind: 'diagnose', file: handed(input, 0) }, [input.descriptor], request)
    if (message.type !== 'diagnosed') throw new EngineCrashError('the engine answered something else', '')
    return message.diagnosis
  } finally {
    closeSync(input.descriptor)
  }
}
