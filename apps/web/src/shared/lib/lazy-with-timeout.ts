/** How long a part of the page may take to arrive before it counts as failed. */
export const CHUNK_TIMEOUT_MS = 120_000

/** A part of the page did not arrive. */
export class ChunkLoadError extends Error {
  override readonly name = 'ChunkLoadError'
}

/**
 * Loads a part of the page, giving up after 120 seconds. The message is the specified one.
 * @throws ChunkLoadError when loading fails or takes too long
 */
export async function loadChunk<T>(
  name: string,
  load: () => Promise<T>,
  timeoutMs: number = CHUNK_TIMEOUT_MS,
): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new ChunkLoadError(`Loading chunk ${name} failed. (timeout)`)), timeoutMs)
  })
  try {
    return await Promise.race([load(), timeout])
  } catch (cause) {
    if (cause instanceof ChunkLoadError) throw cause
    throw new ChunkLoadError(`Loading chunk ${name} failed.`, { cause })
  } finally {
    clearTimeout(timer)
  }
}
