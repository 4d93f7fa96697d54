import { statfs } from 'node:fs/promises'

/** Room on the disk where this process keeps files. */
export interface Space {
  /** Bytes that may still be taken. */
  free(): Promise<number>
}

/** The disk that holds a folder. */
export function diskSpace(folder: string): Space {
  return {
    free: async () => {
      const { bavail, bsize } = await statfs(folder)
      return bavail * bsize
    },
  }
}
