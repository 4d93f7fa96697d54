import { createContext, loadConfig } from '@mendframe/backend'
import { startWorker } from '../../src/index.ts'
import { pretendedTools } from './pretended-tools.ts'

/*
 * A worker process to be killed. Arguments: data folder, name of the step at which it says `reached` and then waits to be
 * killed; without a step it works to the end and says `done` when the queue is empty.
 */
const [folder = '', step = ''] = process.argv.slice(2)
const { DATABASE_URL, MENDFRAME_SECRET } = process.env
const config = loadConfig({ MENDFRAME_DATA: folder, LOG_LEVEL: 'fatal', DATABASE_URL, MENDFRAME_SECRET })
const context = await createContext(config)

const halt = (): Promise<void> => {
  process.stdout.write('reached\n')
  return new Promise(() => setInterval(() => {}, 1_000))
}
const tools = pretendedTools((name) => (name === step ? halt() : Promise.resolve()))
const { storage } = context
const storeFile = storage.storeFile.bind(storage)
storage.storeFile = async (key, path, contentType) => {
  await storeFile(key, path, contentType)
  if (step === 'stored' && key.startsWith('results/')) await halt()
}
await startWorker(context, { tools })
process.stdout.write('working\n')
