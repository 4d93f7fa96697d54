import { run } from './program.ts'

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // A reader that has seen enough (`mendframe diagnose … | head`) is no fault of the command.
  if (error.code !== 'EPIPE') throw error
})

process.exitCode = await run(process.argv.slice(2))
