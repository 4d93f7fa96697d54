import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, posix, relative, sep } from 'node:path'
import { isRecord } from '../records.ts'

/** Folders that hold nothing written by hand. */
const SKIPPED = new Set([
  'node_modules',
  '.git',
  'build',
  'dist',
  '.react-router',
  'data',
  'tmp',
  'artefacts',
  'migrations',
])

/** One import of a source file, whatever form it has. */
export interface Import {
  /** As written. */
  readonly specifier: string
  /** `packages/engine/src/index.ts` for files of the project, `node:fs` for the runtime, `npm:zod` for everything else. */
  readonly target: string
  /** Erased before running: names types only. */
  readonly typeOnly: boolean
  readonly line: number
}

export interface SourceFile {
  /** Path from the project's root, with forward slashes. */
  readonly path: string
  readonly text: string
  readonly lines: number
  readonly imports: readonly Import[]
}

export interface Workspace {
  /** Folder from the project's root. */
  readonly folder: string
  readonly name: string
  /** Names of all declared dependencies. */
  readonly dependencies: ReadonlySet<string>
  /** Subpath (`.` for the root) to file, from the package's `exports`. */
  readonly exports: ReadonlyMap<string, string>
}

/** The project's sources and how they hang together. Paths are relative to `root`. */
export interface Project {
  readonly root: string
  readonly files: readonly SourceFile[]
  readonly workspaces: readonly Workspace[]
}

export function readProject(root: string): Project {
  const workspaces = readWorkspaces(root)
  const files = listFiles(root, (name) => /\.tsx?$/.test(name)).map((path) =>
    readSource(root, path, workspaces),
  )
  return { root, files, workspaces }
}

/** Every file below `root` whose name is wanted, sorted, with forward slashes; generated folders are left out. */
export function listFiles(root: string, wanted: (name: string) => boolean): string[] {
  const found: string[] = []
  const visit = (folder: string): void => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      if (entry.isDirectory() && !SKIPPED.has(entry.name)) visit(join(folder, entry.name))
      else if (entry.isFile() && wanted(entry.name)) {
        found.push(relative(root, join(folder, entry.name)).split(sep).join('/'))
      }
    }
  }
  visit(root)
  return found.sort()
}

function readWorkspaces(root: string): Workspace[] {
  const manifest = readManifest(join(root, 'package.json'))
  const patterns = Array.isArray(manifest.workspaces)
    ? manifest.workspaces.filter((entry) => typeof entry === 'string')
    : []
  return patterns.flatMap((pattern) => {
    const folders = pattern.endsWith('/*')
      ? readdirSync(join(root, dirname(pattern))).map((name) => `${dirname(pattern)}/${name}`)
      : [pattern]
    return folders
      .filter((folder) => existsSync(join(root, folder, 'package.json')))
      .map((folder) => readWorkspace(root, folder))
  })
}

function readWorkspace(root: string, folder: string): Workspace {
  const manifest = readManifest(join(root, folder, 'package.json'))
  const dependencies = [
    'dependencies',
    'devDependencies',
    'optionalDependencies',
    'peerDependencies',
  ].flatMap((key) => {
    const part = manifest[key]
    return isRecord(part) ? Object.keys(part) : []
  })
  const exports = isRecord(manifest.exports)
    ? Object.entries(manifest.exports).flatMap(([key, file]) =>
        typeof file === 'string' ? [[key, file] as const] : [],
      )
    : []
  return {
    folder,
    name: typeof manifest.name === 'string' ? manifest.name : folder,
    dependencies: new Set(dependencies),
    exports: new Map(exports),
  }
}

function readManifest(path: string): Record<string, unknown> {
  const value: unknown = JSON.parse(readFileSync(path, 'utf8'))
  return isRecord(value) ? value : {}
}

function readSource(root: string, path: string, workspaces: readonly Workspace[]): SourceFile {
  const text = readFileSync(join(root, path), 'utf8')
  const imports = findImports(text).map((found) => ({
    ...found,
    target: resolve(path, found.specifier, workspaces),
  }))
  return { path, text, lines: text.split('\n').length - 1, imports }
}

/** Statements at the start of a line (where the formatter puts them), and dynamic or type imports anywhere. */
const STATEMENT = /^(?:import|export)(\s+type\b)?(?:[^'";]*?\bfrom)?\s*['"]([^'"\n]+)['"]/gm
const EXPRESSION = /(?<!['"`\w.])(?:import|require)\(\s*['"]([^'"\n]+)['"]/g

/** The imports a source file's text shows. */
export function findImports(text: string): Omit<Import, 'target'>[] {
  const lineOf = (index: number): number => text.slice(0, index).split('\n').length
  const found: Omit<Import, 'target'>[] = []
  for (const match of text.matchAll(STATEMENT)) {
    const [statement, type, specifier] = match
    if (specifier === undefined) continue
    found.push({
      specifier,
      typeOnly: type !== undefined || namesOnlyTypes(statement),
      line: lineOf(match.index),
    })
  }
  for (const match of text.matchAll(EXPRESSION)) {
    const [, specifier] = match
    const line = text.slice(text.lastIndexOf('\n', match.index) + 1, match.index)
    if (specifier !== undefined && !/^\s*(?:\*|\/\/|\/\*)/.test(line))
      found.push({ specifier, typeOnly: false, line: lineOf(match.index) })
  }
  return found
}

/** `import { type A, type B } from …` brings in no value. */
function namesOnlyTypes(statement: string): boolean {
  const names = /^(?:import|export)\s*\{([^}]*)\}/.exec(statement)?.[1]
  if (names === undefined) return false
  return names.split(',').every((name) => name.trim() === '' || name.trim().startsWith('type '))
}

function resolve(from: string, specifier: string, workspaces: readonly Workspace[]): string {
  if (specifier.startsWith('node:')) return specifier
  if (specifier.startsWith('.'))
    return posix.normalize(posix.join(posix.dirname(from), specifier.replace(/\?.*$/, '')))
  const own = workspaces.find(({ name }) => specifier === name || specifier.startsWith(`${name}/`))
  if (own) {
    const subpath = `.${specifier.slice(own.name.length)}`
    return posix.join(own.folder, own.exports.get(subpath) ?? subpath)
  }
  const parts = specifier.split('/')
  return `npm:${specifier.startsWith('@') ? parts.slice(0, 2).join('/') : (parts[0] ?? specifier)}`
}
