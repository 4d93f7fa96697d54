import { existsSync, readFileSync, rmSync } from 'node:fs'
import { extname } from 'node:path'
import { RendererError, type Verification, verify } from '@mendframe/renderer'
import { type Report, runRepair } from '@mendframe/runner'

/** What may become of a file that is repaired as it is. */
export const KINDS = {
  same: 'came back byte for byte',
  changed: 'played without an error and were changed',
  mended: 'did not play without an error and were written anew',
  refused: 'were refused',
  failed: 'ended in a failure',
} as const

export interface Trial {
  readonly kind: keyof typeof KINDS
  /** It has fewer packets or pictures than before, more errors in decoding, or was changed or refused for nothing. */
  readonly worse: boolean
  readonly words: string
}

/** Repairs a file and holds what comes out against what went in. `work` begins the paths of files that may be made. */
export async function tryFile(path: string, work: string): Promise<Trial> {
  const output = `${work}result${extname(path)}`
  let report: Report
  try {
    report = await runRepair({ damaged: path, output, verify, durable: false, timeoutSeconds: 600 })
  } catch (error) {
    return { kind: 'failed', worse: true, words: error instanceof Error ? error.message : String(error) }
  }
  const written = existsSync(output)
  if (written && readFileSync(path).equals(readFileSync(output))) {
    rmSync(output)
    return {
      kind: 'same',
      worse: false,
      words: `${report.verdict}; ${figures(report.verification)}; ${told(report)}`,
    }
  }
  const before = await decoded(path)
  const after = written ? await decoded(output) : undefined
  rmSync(output, { force: true })
  const words = `${report.verdict}; ${figures(before)} → ${figures(after)}; ${told(report)}`
  if (!after) return { kind: 'refused', worse: before?.decodable === true, words }
  if (!before?.decodable) return { kind: 'mended', worse: false, words }
  const plays = before.tracks.every(({ errors, unchecked }) => errors === 0 && !unchecked)
  return { kind: plays ? 'changed' : 'mended', worse: plays || loses(before, after), words }
}

/** What decoding a file comes to; undefined where the decoder dies of it. */
async function decoded(path: string): Promise<Verification | undefined> {
  try {
    return await verify(path)
  } catch (error) {
    if (error instanceof RendererError && error.kind === 'crashed') return undefined
    throw error
  }
}

function loses(before: Verification, after: Verification): boolean {
  const sum = ({ tracks }: Verification, figure: 'packets' | 'frames' | 'errors'): number =>
    tracks.reduce((total, track) => total + track[figure], 0)
  const fewer = (figure: 'packets' | 'frames' | 'errors'): number => sum(before, figure) - sum(after, figure)
  // a packet that only cost an error, as one that the file's end cuts, is no loss
  return fewer('frames') > 0 || fewer('errors') < 0 || fewer('packets') > fewer('errors')
}

function figures(verification: Report['verification'] | undefined): string {
  if (!verification) return 'nothing'
  const tracks = verification.tracks.map(
    ({ codec, packets, frames, errors }) =>
      `${codec} ${packets}p ${frames}f${errors > 0 ? ` ${errors}e` : ''}`,
  )
  return `${verification.decodable ? '' : 'undecodable '}${tracks.join(', ') || 'no track'}`
}

function told({ findings, doubts = [], reason = '' }: Report): string {
  const faults = findings.filter(({ severity }) => severity === 'error').slice(0, 3)
  const lines = faults.map(({ code, message }) => `${code} ${message}`)
  return [...lines, ...doubts.map(({ code }) => `doubt ${code}`), reason].filter(Boolean).join('; ')
}
