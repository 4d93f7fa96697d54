import { execFileSync, spawn } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Project } from '../boundaries/project.ts'
import { isRecord } from '../records.ts'

/** Milliseconds for one test: a fault shows by what comes out, not by a busy machine. */
const PATIENCE = '180000'

/** Below the project's root, where packages are found and nothing is kept. */
const PLACE = 'tmp'

/** What came of running tests. */
export interface Run {
  /** Test files that failed, from the project's root. */
  readonly failed: readonly string[]
  /** The tests had not ended in time. */
  readonly endless: boolean
}

/** A copy of the project to plant faults in: nothing of the project itself is ever touched. */
export interface Sandbox {
  /** Replaces the text of a file until `restore`. */
  plant(path: string, text: string): void
  restore(path: string): void
  /** Runs test files, or those of their tests whose names `only` fits, until the first one fails, for `seconds` at most. */
  run(tests: readonly string[], seconds: number, only?: string): Promise<Run>
  remove(): void
}

export function openSandbox(project: Project): Sandbox {
  mkdirSync(join(project.root, PLACE), { recursive: true })
  const folder = mkdtempSync(join(project.root, PLACE, 'mutants-'))
  for (const path of projectFiles(project.root)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    cpSync(join(project.root, path), join(folder, path))
  }
  linkWorkspaces(project, folder)
  return {
    plant: (path, text) => writeFileSync(join(folder, path), text),
    restore: (path) => cpSync(join(project.root, path), join(folder, path)),
    run: (tests, seconds, only) => runTests(folder, tests, seconds, only),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

function projectFiles(root: string): string[] {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
  })
  const deleted = execFileSync('git', ['ls-files', '-z', '--deleted'], { cwd: root })
  const gone = new Set(deleted.toString().split('\0'))
  return listed
    .toString()
    .split('\0')
    .filter((path) => path !== '' && !gone.has(path))
}

/**
 * Packages are found in the project around the copy, and those of one workspace alone beside it, but the project's own workspaces
 * are those of the copy.
 */
function linkWorkspaces(project: Project, folder: string): void {
  for (const { name, folder: place } of project.workspaces) {
    mkdirSync(dirname(join(folder, 'node_modules', name)), { recursive: true })
    symlinkSync(join(folder, place), join(folder, 'node_modules', name))
    const own = join(project.root, place, 'node_modules')
    if (existsSync(own)) symlinkSync(own, join(folder, place, 'node_modules'))
  }
}

function runTests(folder: string, tests: readonly string[], seconds: number, only?: string): Promise<Run> {
  const answer = join(folder, 'node_modules', '.tests.json')
  rmSync(answer, { force: true })
  const bin = join(dirname(fileURLToPath(import.meta.resolve('vitest/package.json'))), 'vitest.mjs')
  const options = ['--bail', '1', '--testTimeout', PATIENCE, '--reporter', 'json', '--outputFile', answer]
  if (only !== undefined) options.push('--testNamePattern', only)
  const child = spawn(process.execPath, [bin, 'run', ...options, ...tests], {
    cwd: folder,
    stdio: 'ignore',
    detached: true,
  })
  return new Promise((resolve, reject) => {
    let endless = false
    const clock = setTimeout(() => {
      endless = true
      if (child.pid) process.kill(-child.pid, 'SIGKILL')
    }, seconds * 1000)
    child.on('error', reject)
    child.on('exit', () => {
      clearTimeout(clock)
      if (endless) resolve({ failed: [], endless })
      else resolve({ failed: failedFiles(answer, folder, tests), endless })
    })
  })
}

/** A run that broke without naming a file may have broken on any of its files. */
function failedFiles(answer: string, folder: string, tests: readonly string[]): readonly string[] {
  const report: unknown = existsSync(answer) ? JSON.parse(readFileSync(answer, 'utf8')) : undefined
  if (!isRecord(report) || !Array.isArray(report.testResults)) return tests
  const failed = report.testResults
    .filter(isRecord)
    .filter(hasFailed)
    .map(({ name }) => String(name).replace(`${folder}/`, ''))
  return failed.length > 0 || report.success === true ? failed : tests
}

/** A file that was only called off after another one's failure has neither a failed test nor an error of its own. */
function hasFailed({ assertionResults, message }: Record<string, unknown>): boolean {
  const results = Array.isArray(assertionResults) ? assertionResults.filter(isRecord) : []
  return results.some(({ status }) => status === 'failed') || (results.length === 0 && Boolean(message))
}
