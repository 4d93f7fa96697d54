import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Paths of files, and of all files in folders, whose path contains a text; a folder's in the order of their names. */
export function filesOf(places: readonly string[], only: string): string[] {
  return places
    .flatMap((place) =>
      statSync(place).isFile()
        ? [place]
        : readdirSync(place, { recursive: true, encoding: 'utf8' })
            .sort()
            .map((name) => join(place, name)),
    )
    .filter((path) => path.includes(only) && statSync(path).isFile())
}
