import { writeFile } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import { AbortedError, type Report } from '@mendframe/runner'
import type { MediaTools } from '../../src/index.ts'

/** What a repair pretends to find. */
export function reportOf(verdict: Report['verdict'], reason?: string): Report {
  return {
    engine: 'pretended',
    kind: 'recording',
    verdict,
    format: 'isobmff',
    damaged: { size: 1 },
    findings: [],
    omittedFindings: 0,
    strategies: [],
    tracks: [],
    seconds: 0,
    ...(reason === undefined ? {} : { reason }),
  }
}

const NOTHING = { decodable: true, duration: 1, tracks: [] }

/** Tools that need no media; each tells when it is called and may be made to wait or fail by `at`. */
export function pretendedTools(
  at: (step: string, signal?: AbortSignal) => Promise<void>,
  verdict: Report['verdict'] = 'repaired',
): MediaTools {
  return {
    runRepair: async (request) => {
      request.onProgress?.('recover', 0.5)
      await at('repair', request.signal)
      await writeFile(request.output, 'mended')
      return reportOf(verdict, verdict === 'unrepairable' ? 'Nothing in it can be repaired.' : undefined)
    },
    verify: async () => NOTHING,
    preview: async (request) => {
      await at('preview', request.signal)
      await writeFile(request.output, 'preview')
      return { seconds: 1, pictures: 1, soundFrames: 1, width: 1, height: 1 }
    },
    extractSegment: async (request) => {
      await at('segment', request.signal)
      await writeFile(request.output, 'segment')
      return { path: request.output, own: true }
    },
    renderPhoto: async (request) => {
      await writeFile(request.output, request.format)
      return { width: 1, height: 1 }
    },
    stillImage: async (request) => {
      await writeFile(request.output, 'still')
      return { seconds: 0, width: 1, height: 1 }
    },
  }
}

/** Waits until stopped, as an engine at a long file does. */
export async function waitForStop(signal: AbortSignal | undefined): Promise<void> {
  try {
    await setTimeout(60_000, undefined, signal ? { signal } : {})
  } catch {
    throw new AbortedError('stopped')
  }
}
