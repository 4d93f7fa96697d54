import { findCircles } from './circles.ts'
import { type Project, readProject } from './project.ts'
import { RULES } from './rules.ts'

/** Lines beyond which a file holds more than one idea. */
const LONG_FILE_LINES = 500

/** Names through which engine code would reach its host although nothing is imported. */
const HOST_GLOBALS = /(?<![\w.'"])(globalThis|eval|Function)\s*[.([]/

export interface Verdicts {
  /** Broken rules, one line each. */
  readonly violations: readonly string[]
  /** What deserves a look, one line each. */
  readonly warnings: readonly string[]
}

/** Holds the project at `root` against the arrows of the architecture. */
export function checkBoundaries(root: string): Verdicts {
  const project = readProject(root)
  return {
    violations: [...brokenRules(project), ...hostAccess(project), ...circles(project)],
    warnings: project.files
      .filter((file) => file.lines > LONG_FILE_LINES)
      .map((file) => `${file.path}: ${file.lines} lines, more than ${LONG_FILE_LINES}`),
  }
}

function brokenRules(project: Project): string[] {
  return project.files.flatMap((file) =>
    file.imports.flatMap((imported) =>
      RULES.filter((rule) => rule.breaks(file, imported, project)).map(
        (rule) =>
          `${file.path}:${imported.line}: imports ${imported.specifier}: ${rule.name} (${rule.reason})`,
      ),
    ),
  )
}

/** Circles of imports, types included: what needs each other is one thing, and nobody can read it alone. */
function circles(project: Project): string[] {
  const imports = new Map(
    project.files.map(({ path, imports }) => [path, imports.map(({ target }) => target)]),
  )
  return findCircles(imports).map((circle) => `${circle[0]}: a circle of imports: ${circle.join(' → ')}`)
}

function hostAccess(project: Project): string[] {
  return project.files
    .filter((file) => file.path.startsWith('packages/engine/src/'))
    .flatMap((file) =>
      file.text.split('\n').flatMap((line, index) => {
        const code = line.replace(/^\s*\*.*|\/\/.*|\/\*.*?\*\//g, '')
        const name = HOST_GLOBALS.exec(code)?.[1]
        return name
          ? [`${file.path}:${index + 1}: ${name}: engine imports nothing, by no back door either`]
          : []
      }),
    )
}
