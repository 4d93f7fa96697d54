import type { Project } from '../boundaries/project.ts'

/**
 * The test files that reach `path` by imports, nearest first: those at its own door before those that pass by on the way
 * to something else. Where none does, those of its workspace.
 */
export function nearestTests(project: Project, path: string): string[] {
  const importers = importersOf(project)
  const seen = new Set([path])
  const tests: string[] = []
  for (let ring = [path]; ring.length > 0; ) {
    const next = ring.flatMap((file) => importers.get(file) ?? []).filter((file) => !seen.has(file))
    ring = [...new Set(next)].sort()
    for (const file of ring) seen.add(file)
    tests.push(...ring.filter(isTest))
  }
  if (tests.length > 0) return tests
  const folder = project.workspaces.find((workspace) => path.startsWith(`${workspace.folder}/`))?.folder
  return project.files
    .map((file) => file.path)
    .filter((file) => isTest(file) && file.startsWith(`${folder}/`))
}

/** Journeys run the built product as a whole, `services/` needs servers: neither is of the quick suites. */
function isTest(path: string): boolean {
  return /\.test\.tsx?$/.test(path) && !/(^e2e|\/services)\//.test(path)
}

function importersOf(project: Project): Map<string, string[]> {
  const importers = new Map<string, string[]>()
  for (const { path, imports } of project.files) {
    for (const { target, typeOnly } of imports) {
      if (typeOnly) continue
      const known = importers.get(target)
      if (known) known.push(path)
      else importers.set(target, [path])
    }
  }
  return importers
}
