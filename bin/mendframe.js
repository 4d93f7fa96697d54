import { fileURLToPath } from 'node:url'

// The way in. It runs on any Node, so that an old one gets a clear line instead of a syntax error.
const NEEDED = 26
const major = Number(process.versions.node.split('.')[0])

if (major < NEEDED) {
  console.error(
    `mendframe: it needs Node ${NEEDED} or newer and this is ${process.version}: start it with 'bin/mendframe' or 'npm start', which bring their own`,
  )
  process.exitCode = 1
} else {
  start().catch((error) => {
    if (!/^Cannot find package/.test(error.message)) throw error
    console.error(
      `mendframe: its dependencies are not installed: run 'npm ci' (${error.message.split('\n')[0]})`,
    )
    process.exitCode = 1
  })
}

async function start() {
  // Modules are kept compiled: what has started once starts in a third of the time.
  const { enableCompileCache } = await import('node:module')
  enableCompileCache(fileURLToPath(new URL('../build/compiled', import.meta.url)))
  await import('../apps/cli/src/main.ts')
}
