import type { Readable } from 'node:stream'
import { EngineCrashError } from './errors.ts'
import type { EngineMessage } from './protocol.ts'

/** Longest line of an answer: the report of a recording with a hundred thousand holes. */
const LINE_LIMIT = 64 * 1024 * 1024

/** Splits the answers into messages. A throwing listener or an endless line ends the run. */
export function readAnswers(
  stream: Readable,
  receive: (message: EngineMessage) => void,
  fail: (error: Error) => void,
): void {
  let parts: string[] = []
  let length = 0
  stream.setEncoding('utf8')
  stream.on('error', fail)
  stream.on('data', (text: string) => {
    try {
      let rest = text
      for (let end = rest.indexOf('\n'); end >= 0; end = rest.indexOf('\n')) {
        const line = parts.join('') + rest.slice(0, end)
        parts = []
        length = 0
        rest = rest.slice(end + 1)
        receive(JSON.parse(line))
      }
      length += rest.length
      if (length > LINE_LIMIT) throw new EngineCrashError('the engine answered without end', '')
      if (rest) parts.push(rest)
    } catch (error) {
      fail(error instanceof Error ? error : new Error(String(error)))
    }
  })
}
