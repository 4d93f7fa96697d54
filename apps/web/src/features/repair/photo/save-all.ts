import { downloadZip } from 'client-zip'

/** A result that goes into the archive. */
export interface SavedPhoto {
  /** As the visitor knows the damaged one. */
  readonly name: string
  /** Of the result, without a dot. */
  readonly extension: string
  readonly url: string
}

/** Names inside the archive: each once, told apart by a number where two photos had the same. */
export function archiveNames(photos: readonly Pick<SavedPhoto, 'name' | 'extension'>[]): readonly string[] {
  const taken = new Set<string>()
  return photos.map(({ name, extension }) => {
    const dot = name.lastIndexOf('.')
    const base = `${(dot > 0 ? name.slice(0, dot) : name).replace(/[/\\:]/g, '_')}_repaired`
    let free = `${base}.${extension}`
    for (let number = 2; taken.has(free.toLowerCase()); number++) free = `${base} (${number}).${extension}`
    taken.add(free.toLowerCase())
    return free
  })
}

/** All results as one archive, fetched one after the other. @throws TypeError when one cannot be had */
export async function zipOf(photos: readonly SavedPhoto[]): Promise<Blob> {
  const names = archiveNames(photos)
  async function* entries() {
    for (const [index, { url }] of photos.entries()) {
      const input = await fetch(url)
      if (!input.ok) throw new TypeError(`a result answered ${input.status}`)
      yield { name: names[index] ?? url, input }
    }
  }
  return downloadZip(entries()).blob()
}

/** Hands a file to the browser's downloads. */
export function saveBlob(blob: Blob, name: string): void {
  const address = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  // The download has its own hold on the bytes by then.
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}
