import type { Context } from '../context.ts'

export interface StorageUse {
  /** What the objects are for. */
  readonly folder: string
  readonly objects: number
  readonly bytes: number
}

/** Objects and bytes by folder, and altogether. */
export async function storageUse(context: Context): Promise<StorageUse[]> {
  const folders = new Map(
    ['uploads', 'sealed', 'results', 'previews', 'manual'].map((name) => [name, { objects: 0, bytes: 0 }]),
  )
  const all = { objects: 0, bytes: 0 }
  for await (const found of context.storage.list('')) {
    const folder = folders.get(found.key.split('/')[0] ?? '')
    for (const sum of folder ? [folder, all] : [all]) {
      sum.objects++
      sum.bytes += found.size
    }
  }
  return [...folders, ['all', all] as const].map(([folder, sum]) => ({ folder, ...sum }))
}
