import { expect, test } from 'vitest'
import { printable } from '../src/printable.ts'

test('line ends and terminal commands in a name show as escapes', () => {
  expect(printable('a\nb\x1b[31m\x7f.mp4')).toBe('a\\x0ab\\x1b[31m\\x7f.mp4')
})

test('marks that turn the writing direction show as escapes', () => {
  expect(printable('photo\u202egpj.exe')).toBe('photo\\u{202e}gpj.exe')
})

test('ordinary names of every script and joined emoji stay as they are', () => {
  const name = 'été 日本 \'x\' "y" 👩\u200d👧.mp4'
  expect(printable(name)).toBe(name)
})
