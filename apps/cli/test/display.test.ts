import { STAGES } from '@mendframe/runner'
import { expect, test } from 'vitest'
import { barLine, createProgress } from '../src/progress.ts'
import { type Terminal, terminalOf } from '../src/terminal.ts'
import { formatBytes, formatDuration, table } from '../src/text.ts'

function terminal(columns: number, change: Partial<Terminal> = {}): Terminal {
  return { interactive: true, colour: false, unicode: true, columns: () => columns, ...change }
}

test('the bar is shorter than the line on every width, for every stage and fraction', () => {
  for (let columns = 1; columns <= 200; columns++) {
    for (const stage of STAGES) {
      for (const fraction of [-1, 0, 0.5, 1, 2, Number.NaN]) {
        expect(barLine(stage, fraction, 3_725, terminal(columns)).length).toBeLessThan(columns)
      }
    }
  }
})

test('the bar shows stage, share and time', () => {
  expect(barLine('recover', 0.5, 65, terminal(48))).toBe('3/6 recover  ━━━━━━━━━━━━───────────  50%  1:05')
  expect(barLine('recover', 0.5, 65, terminal(48, { unicode: false }))).toContain('############-----------')
})

test('colour appears only where it is wanted', () => {
  expect(barLine('write', 0.5, 1, terminal(80, { colour: true }))).toContain('\x1b[')
  expect(barLine('write', 0.5, 1, terminal(80))).not.toContain('\x1b[')
})

test('settings decide about colour and bar: NO_COLOR, a dumb terminal, a pipe', () => {
  const tty = Object.assign(Object.create(process.stderr), { isTTY: true, columns: 100 })
  const pipe = Object.assign(Object.create(process.stderr), { isTTY: false, columns: undefined })
  expect(terminalOf(tty, { TERM: 'xterm' })).toMatchObject({
    interactive: true,
    colour: true,
    unicode: false,
  })
  expect(terminalOf(tty, { TERM: 'xterm', NO_COLOR: '1', LANG: 'en_US.UTF-8' })).toMatchObject({
    interactive: true,
    colour: false,
    unicode: true,
  })
  expect(terminalOf(tty, { TERM: 'dumb' }).interactive).toBe(false)
  expect(terminalOf(pipe, {}).interactive).toBe(false)
  expect(terminalOf(pipe, {}).columns()).toBe(80)
})

test('without a terminal nothing is drawn, and lines name each stage once', () => {
  const written: string[] = []
  const draw = (style?: 'lines'): string => {
    written.length = 0
    const progress = createProgress((text) => written.push(text), terminal(80, { interactive: false }), style)
    for (const stage of STAGES) for (const fraction of [0, 0.5, 1]) progress.update(stage, fraction)
    progress.clear()
    return written.join('')
  }
  expect(draw()).toBe('')
  expect(draw('lines')).toBe('survey\ndiagnose\nrecover\ntimeline\nwrite\nverify\n')
})

test('a cleared bar leaves an empty line', () => {
  const written: string[] = []
  const progress = createProgress((text) => written.push(text), terminal(80))
  progress.update('survey', 0)
  progress.clear()
  expect(written.at(-1)).toBe('\r\x1b[K')
})

test('times and sizes read as people write them', () => {
  expect([0, 59.9995, 61, 3_600, 90_061.5].map((seconds) => formatDuration(seconds, true))).toEqual([
    '0:00.000',
    '1:00.000',
    '1:01.000',
    '1:00:00.000',
    '25:01:01.500',
  ])
  expect([0, 1023, 1024, 1_572_864, 5 * 2 ** 30].map(formatBytes)).toEqual([
    '0 bytes',
    '1023 bytes',
    '1.0 KiB',
    '1.5 MiB',
    '5.0 GiB',
  ])
})

test('table columns line up', () => {
  const lines = table(
    [{ title: 'kind' }, { title: 'n', align: 'right' }],
    [
      ['video', '7'],
      ['a', '1234'],
    ],
  )
  expect(lines).toEqual(['  kind      n', '  video     7', '  a      1234'])
})
