let handed: readonly File[] = []

/** Keeps files that were dropped on one page for the page that takes them, which is on its way. */
export function handFiles(files: readonly File[]): void {
  handed = files
}

/** The files that were handed over, once. */
export function takeHandedFiles(): readonly File[] {
  const files = handed
  handed = []
  return files
}
