/** Node's permission model: the code at `readable` may be read, and nothing else exists. */
export function sandboxFlags(readable: readonly string[]): string[] {
  return ['--permission', ...readable.map((path) => `--allow-fs-read=${path}`)]
}

/** Secrets in our environment are none of the engine's business; Windows needs its system folder to start anything. */
export function sandboxEnvironment(): Record<string, string> {
  const root = process.env.SystemRoot
  return root === undefined ? {} : { SystemRoot: root }
}
