import { spawn } from 'node:child_process'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { EnvironmentError } from '@mendframe/runner'
import { PROJECT, WEB } from '../project.ts'
import { fingerprint } from './fingerprint.ts'

/** What the built pages are made of. */
const SOURCES = [
  ...[
    ...['src', 'public', 'package.json'],
    ...['vite.config.ts', 'ready-to-prerender.ts', 'react-router.config.ts'],
  ].map((name) => join(WEB, name)),
  join(PROJECT, 'packages', 'contract', 'src'),
  join(PROJECT, 'package-lock.json'),
]
/** The built pages. */
export const WEB_FOLDER = join(WEB, 'build', 'client')
const PAGE = join(WEB_FOLDER, 'index.html')
const STAMP = join(WEB, 'build', '.sources')
/** Characters of the build's output kept for the message when it fails. */
const DETAIL_LIMIT = 4_000

/**
 * Builds the web app when its build is missing or was made from other sources. `announce` is called before a build.
 * @throws EnvironmentError when the build fails
 */
export async function ensureWebBuild(announce: () => void, signal: AbortSignal): Promise<void> {
  const current = fingerprint(SOURCES)
  if (existsSync(PAGE) && existsSync(STAMP) && readFileSync(STAMP, 'utf8') === current) return
  announce()
  rmSync(STAMP, { force: true })
  await build(signal)
  writeFileSync(STAMP, current)
}

function build(signal: AbortSignal): Promise<void> {
  const script: unknown = JSON.parse(readFileSync(join(WEB, 'package.json'), 'utf8')).scripts?.build
  if (typeof script !== 'string') throw new EnvironmentError('the web app has no build script')
  const path = [dirname(process.execPath), join(PROJECT, 'node_modules', '.bin'), process.env.PATH ?? '']
  return new Promise((resolve, reject) => {
    const child = spawn(script, {
      shell: true,
      cwd: WEB,
      env: { ...process.env, PATH: path.join(delimiter), NODE_ENV: 'production' },
      stdio: ['ignore', 'pipe', 'pipe'],
      signal,
    })
    let detail = ''
    const keep = (text: string): void => {
      detail = (detail + text).slice(-DETAIL_LIMIT)
    }
    child.stdout.setEncoding('utf8').on('data', keep)
    child.stderr.setEncoding('utf8').on('data', keep)
    child.once('error', (error) =>
      reject(new EnvironmentError(`the web app could not be built: ${error.message}`)),
    )
    child.once('close', (code) => {
      if (code === 0) return resolve()
      process.stderr.write(`${detail.trim()}\n`)
      reject(new EnvironmentError(`the web app could not be built (exit ${code})`))
    })
  })
}
