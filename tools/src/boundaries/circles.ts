/**
 * A circle for each arrow that closes one, as files in the order in which each imports the next; none where imports run one way
 * only.
 * @param imports what each file imports; targets that are no file of the map are passed over
 */
export function findCircles(imports: ReadonlyMap<string, readonly string[]>): string[][] {
  const found: string[][] = []
  const done = new Set<string>()
  const way: string[] = []
  const visit = (file: string): void => {
    const at = way.indexOf(file)
    if (at >= 0) found.push(way.slice(at))
    if (at >= 0 || done.has(file)) return
    way.push(file)
    for (const target of imports.get(file) ?? []) visit(target)
    way.pop()
    done.add(file)
  }
  for (const file of imports.keys()) visit(file)
  return found
}
