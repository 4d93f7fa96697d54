import { ENGINE_VERSION } from '@mendframe/runner'
import { Command, CommanderError, Option } from 'commander'
import { addAdmin } from './admin/program.ts'
import { type DiagnoseFlags, diagnoseCommand } from './commands/diagnose.ts'
import { type ProfileFlags, profileCommand } from './commands/profile.ts'
import { type RepairFlags, repairCommand } from './commands/repair.ts'
import { enhancementList } from './enhancement-list.ts'
import { EXIT } from './exit-codes.ts'
import { failureOf, isAbort } from './failure.ts'
import { Interruption } from './interruption.ts'
import { positiveNumber } from './numbers.ts'

const REPAIR_HELP = `
Further photos in a photo's file, as on recovered cards, are in the output and
are saved beside it as well, each as a file: name-2.jpg, name-3.jpg, …

Exit codes of a repair:
  0  repaired: every frame and packet whose bytes survive is in the output;
     or nothing was wrong, and the output is improved by --enhance
  3  repaired in part: the output plays, with less, or nobody can prove that
     nothing is missing
  4  nothing was wrong: the output is a copy
  5  not repairable        2  wrong usage        1  fault of the system
On 5, 2 and 1 there is no output.`

const DIAGNOSE_HELP = `
Exit codes of a diagnosis:
  0  the file was read, whatever is wrong with it
  2  wrong usage        1  fault of the system`

/** Runs one command line (without the program's own name) and returns its exit code. Never throws. */
export async function run(args: readonly string[]): Promise<number> {
  using stop = new Interruption()
  let exitCode = 0
  const program = createProgram(stop, (code) => {
    exitCode = code
  })
  try {
    await program.parseAsync(args, { from: 'user' })
    return exitCode
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT.usage
    if (stop.signal.aborted || isAbort(error)) {
      process.stderr.write('mendframe: stopped\n')
      return stop.exitCode
    }
    const failure = failureOf(error)
    process.stderr.write(`mendframe: ${failure.line}\n`)
    return failure.exitCode
  }
}

/** Takes what the process ends with. */
type Finish = (exitCode: number) => void

function createProgram(stop: Interruption, finish: Finish): Command {
  const program = new Command('mendframe')
    .description('Repairs corrupt videos and photos.')
    .version(`mendframe ${ENGINE_VERSION}`, '--version', 'show the version')
    .helpOption('--help', 'show this help')
    .exitOverride()
    .configureOutput({
      outputError: (text, write) =>
        write(
          `mendframe: ${text
            .replace(/^error: /, '')
            .trim()
            .replace(/\s*\n\s*/g, ' ')}\n`,
        ),
    })
  addRepair(program, stop, finish)
  addDiagnose(program, stop, finish)
  addProfile(program, stop, finish)
  addService(program, stop, finish)
  addAdmin(program, finish)
  return program
}

function addRepair(program: Command, stop: Interruption, finish: Finish): void {
  program
    .command('repair')
    .description('repair a damaged video or photo into a new file')
    .argument('<damaged>', 'the damaged file; it is never changed')
    .option('--sample <file>', 'a healthy recording or photo from the same camera with the same settings')
    .requiredOption('--output <file>', 'where the repaired file goes')
    .option('--report <file>', 'write the full report as JSON')
    .option('--no-verify', 'neither check the result by decoding nor wait until it is on the disk')
    .addOption(
      new Option('--damaged-frames <how>', 'what becomes of pictures whose bytes are damaged')
        .choices(['auto', 'keep', 'drop'])
        .default('auto'),
    )
    .addOption(
      new Option(
        '--enhance <list>',
        'change the repaired pictures: any of conceal, deflicker, sharpen, retime, separated by commas',
      ).argParser(enhancementList),
    )
    .option('--force', 'replace the output when it exists')
    .addOption(memoryLimit())
    .addOption(timeLimit())
    .addOption(
      new Option('--progress <style>', 'how to show progress (default: a bar on a terminal)').choices([
        'bar',
        'lines',
        'none',
      ]),
    )
    .addHelpText('after', REPAIR_HELP)
    .action(async (damaged: string, flags: RepairFlags) => finish(await repairCommand(damaged, flags, stop)))
}

function addDiagnose(program: Command, stop: Interruption, finish: Finish): void {
  program
    .command('diagnose')
    .description('say what is wrong with a file, without changing anything')
    .argument('<file>', 'the file to look at')
    .option('--json', 'print the findings as JSON')
    .addOption(memoryLimit())
    .addOption(timeLimit())
    .addHelpText('after', DIAGNOSE_HELP)
    .action(async (file: string, flags: DiagnoseFlags) => finish(await diagnoseCommand(file, flags, stop)))
}

function addProfile(program: Command, stop: Interruption, finish: Finish): void {
  program
    .command('profile')
    .description(
      'take the facts of a healthy recording for the library of cameras, without pictures or sound',
    )
    .argument('<file>', 'the healthy recording')
    .option('--name <camera>', 'the name of the camera, as reports show it (default: the name of the file)')
    .option('--output <file>', 'where the profile goes (default: the standard output)')
    .option('--force', 'replace the output when it exists')
    .addOption(memoryLimit())
    .addOption(timeLimit())
    .action(async (file: string, flags: ProfileFlags) => finish(await profileCommand(file, flags, stop)))
}

function addService(program: Command, stop: Interruption, finish: Finish): void {
  program
    .command('serve')
    .description('run the whole service on one address; settings are environment variables, see .env.example')
    .action(async () => finish(await (await import('./commands/serve.ts')).serveCommand(stop)))
  program
    .command('api')
    .description('run pages and API only, beside other processes on one PostgreSQL')
    .action(async () => finish(await (await import('./commands/serve.ts')).apiCommand(stop)))
  program
    .command('worker')
    .description('take jobs only, beside other processes on one PostgreSQL')
    .action(async () => finish(await (await import('./commands/serve.ts')).workerCommand(stop)))
}

function memoryLimit(): Option {
  return new Option('--memory <MiB>', 'most memory the engine may use (default: 1024)').argParser(
    positiveNumber,
  )
}

function timeLimit(): Option {
  return new Option('--timeout <seconds>', 'most time the engine may take').argParser(positiveNumber)
}
