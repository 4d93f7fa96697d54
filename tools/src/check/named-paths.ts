import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { listFiles } from '../boundaries/project.ts'

/** Documents that tell what is so today. Decisions tell what was so when they were made. */
const DOCUMENT = /^(?!docs\/decisions\/).*\.md$/
/** A file of code or a folder, as documents write it: `model/doubt.ts`, `recording/judge/`. */
const NAMED = /`([\w.-]+(?:\/[\w.-]+)*(?:\/|\.tsx?))`/g

/** Files of code and folders that documents name and that are not there (any more), wherever in the project they would be. */
export function checkNamedPaths(root: string): string[] {
  const files = listFiles(root, () => true)
  const known = endings(files)
  return files
    .filter((path) => DOCUMENT.test(path))
    .flatMap((path) =>
      readFileSync(join(root, path), 'utf8')
        .split('\n')
        .flatMap((line, index) =>
          missing(line, known).map((name) => `${path}:${index + 1}: there is no ${name}`),
        ),
    )
}

function missing(line: string, known: ReadonlySet<string>): string[] {
  return [...line.matchAll(NAMED)]
    .map(([, name]) => name)
    .filter((name) => !known.has(name.replace(/\/$/, '')))
}

/** Every way to name the files and the folders around them from some folder of the project. */
function endings(files: readonly string[]): ReadonlySet<string> {
  const all = new Set<string>()
  for (const file of files)
    for (let path = file; path !== '.'; path = dirname(path)) {
      const parts = path.split('/')
      for (let from = 0; from < parts.length; from++) all.add(parts.slice(from).join('/'))
    }
  return all
}
