import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { checkBoundaries } from '../boundaries/check.ts'
import { readProject } from '../boundaries/project.ts'
import { checkNamedPaths } from './named-paths.ts'
import { checkTexts } from './texts.ts'

/** One line of `npm run check`. */
export interface Step {
  readonly name: string
  run(): Promise<Outcome>
}

export interface Outcome {
  readonly passed: boolean
  /** What to read: the complaints when it failed, notes when it passed. */
  readonly output: string
}

/** Everything that must hold before a change is taken, cheapest last so that the long ones start first. */
export function steps(root: string): Step[] {
  return [
    ...readProject(root).workspaces.flatMap(({ folder }) => typeSteps(root, folder)),
    {
      name: 'lint and format',
      run: () => tool(root, '@biomejs/biome/bin/biome', ['ci', '.', '--colors=off', '--max-diagnostics=60']),
    },
    { name: 'boundaries', run: async () => boundaries(root) },
    { name: 'texts', run: async () => lines([...checkTexts(root), ...checkNamedPaths(root)]) },
  ]
}

function typeSteps(root: string, folder: string): Step[] {
  const manifest = readFileSync(join(root, folder, 'package.json'), 'utf8')
  if (/"typecheck"\s*:/.test(manifest)) {
    return [{ name: `types ${folder}`, run: () => script(root, folder, 'typecheck') }]
  }
  return [`${folder}/tsconfig.json`, `${folder}/test/tsconfig.json`]
    .filter((config) => existsSync(join(root, config)))
    .map((config) => ({
      name: `types ${config.replace('/tsconfig.json', '')}`,
      run: () => tool(root, 'typescript/bin/tsc', ['-p', config, '--pretty', 'false']),
    }))
}

function boundaries(root: string): Outcome {
  const { violations, warnings } = checkBoundaries(root)
  return {
    passed: violations.length === 0,
    output: [...violations, ...warnings.map((line) => `note  ${line}`)].join('\n'),
  }
}

function lines(complaints: readonly string[]): Outcome {
  return { passed: complaints.length === 0, output: complaints.join('\n') }
}

function tool(root: string, bin: string, args: readonly string[]): Promise<Outcome> {
  return run(process.execPath, [join(root, 'node_modules', bin), ...args], root)
}

/** A workspace's own npm script, on this very Node. */
function script(root: string, folder: string, name: string): Promise<Outcome> {
  return run('npm', ['run', '--silent', name, '--workspace', folder], root)
}

function run(command: string, args: readonly string[], cwd: string): Promise<Outcome> {
  const bins = join(cwd, 'node_modules', '.bin')
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, PATH: `${bins}${delimiter}${process.env.PATH ?? ''}`, NO_COLOR: '1' },
      shell: process.platform === 'win32',
    })
    let output = ''
    const collect = (chunk: Buffer): void => {
      output += chunk.toString()
    }
    child.stdout.on('data', collect)
    child.stderr.on('data', collect)
    child.on('error', (error) => resolve({ passed: false, output: error.message }))
    child.on('close', (code) => resolve({ passed: code === 0, output: code === 0 ? '' : output }))
  })
}
