import { EventEmitter } from 'node:events'
import type { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { readAnswers } from '../src/answers.ts'

/** Reads answers that come in these pieces. */
function read(pieces: readonly string[]) {
  const stream = Object.assign(new EventEmitter(), { setEncoding: () => stream })
  const messages: unknown[] = []
  const failures: string[] = []
  readAnswers(
    stream as unknown as Readable,
    (message) => messages.push(message),
    ({ message }) => failures.push(message),
  )
  for (const piece of pieces) stream.emit('data', piece)
  return { messages, failures }
}

test('answers are read however they are cut', () => {
  const { messages, failures } = read(['{"type":"ho', 'ld"}\n{"type":"hold"}\n{"ty', 'pe":"hold"}\n'])
  expect(messages).toEqual([{ type: 'hold' }, { type: 'hold' }, { type: 'hold' }])
  expect(failures).toEqual([])
})

test('an answer without end is given up', () => {
  const piece = ' '.repeat(16 * 1024 * 1024)
  expect(read([piece, piece, piece, piece]).failures).toEqual([])
  expect(read([piece, piece, piece, piece, ' ']).failures).toEqual(['the engine answered without end'])
})

test('what is no message ends the run', () => {
  expect(read(['nonsense\n']).failures).toHaveLength(1)
})
