import { closeSync } from 'node:fs'
import type { ProfileText } from '@mendframe/engine'
import type { EngineRunOptions } from './conversation.ts'
import { runEngine } from './engine-process.ts'
import { EngineCrashError } from './errors.ts'
import { handed } from './handed.ts'
import { openInput } from './inputs.ts'

export interface RunProfileRequest extends EngineRunOptions {
  /** Path of a healthy recording. */
  readonly file: string
  /** The camera's name, as reports show it. */
  readonly camera: string
}

/**
 * Takes the facts of a healthy recording for the library of cameras, with the engine in a process of its own; a reason in plain
 * words when the recording does not serve.
 * @throws EnvironmentError, AbortedError, EngineLimitError, EngineCrashError, or what the engine itself threw.
 */
export async function runProfile(
  request: RunProfileRequest,
): Promise<ProfileText | { readonly reason: string }> {
  const input = openInput(request.file)
  try {
    const job = { kind: 'profile' as const, file: handed(input, 0), camera: request.camera }
    const message = await runEngine(job, [input.descriptor], request)
    if (message.type !== 'profiled') throw new EngineCrashError('the engine answered something else', '')
    return message.profile
  } finally {
    closeSync(input.descriptor)
  }
}
