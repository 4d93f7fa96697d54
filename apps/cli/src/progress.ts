import { STAGES, type Stage } from '@mendframe/runner'
import type { Terminal } from './terminal.ts'
import { formatDuration } from './text.ts'

/** Shows how far a repair is. */
export interface Progress {
  update(stage: Stage, fraction: number): void
  /** Takes the display away, before anything else is printed. */
  clear(): void
}

export type ProgressStyle = 'bar' | 'lines' | 'none'

/** Milliseconds between two drawings of the bar. */
const REDRAW_INTERVAL = 50
const LONGEST_BAR = 40

/** Chooses how to show progress: a bar where somebody watches, silence elsewhere, unless told otherwise. */
export function createProgress(
  write: (text: string) => void,
  terminal: Terminal,
  style: ProgressStyle = terminal.interactive ? 'bar' : 'none',
): Progress {
  if (style === 'none') return { update: () => {}, clear: () => {} }
  return style === 'bar' ? bar(write, terminal) : lines(write)
}

function lines(write: (text: string) => void): Progress {
  let current: Stage | undefined
  return {
    update(stage) {
      if (stage === current) return
      current = stage
      write(`${stage}\n`)
    },
    clear() {},
  }
}

function bar(write: (text: string) => void, terminal: Terminal): Progress {
  const started = performance.now()
  let drawnAt = Number.NEGATIVE_INFINITY
  let drawnStage: Stage | undefined
  return {
    update(stage, fraction) {
      const now = performance.now()
      if (stage === drawnStage && fraction < 1 && now - drawnAt < REDRAW_INTERVAL) return
      drawnAt = now
      drawnStage = stage
      write(`\r${barLine(stage, fraction, (now - started) / 1000, terminal)}\x1b[K`)
    },
    clear() {
      if (drawnStage !== undefined) write('\r\x1b[K')
      drawnStage = undefined
    },
  }
}

/** One drawing of the bar, always shorter than a line: `3/6 recover   ━━━━━━━────  58%  0:12`. */
export function barLine(stage: Stage, fraction: number, seconds: number, terminal: Terminal): string {
  const whole = Math.min(1, Math.max(0, Number.isFinite(fraction) ? fraction : 0))
  const label = `${STAGES.indexOf(stage) + 1}/${STAGES.length} ${stage.padEnd(LONGEST_STAGE)}`
  const figures = `${String(Math.floor(whole * 100)).padStart(3)}%  ${formatDuration(Math.floor(seconds))}`
  // One column stays free: some terminals wrap when the last one is written.
  const room = terminal.columns() - 1
  const width = Math.min(LONGEST_BAR, room - label.length - figures.length - 2)
  if (width < 4) return `${label} ${figures}`.slice(0, Math.max(0, room))
  const done = Math.round(whole * width)
  const [full, empty] = terminal.unicode ? ['━', '─'] : ['#', '-']
  const drawn = full.repeat(done)
  const left = empty.repeat(width - done)
  return `${label} ${terminal.colour ? `\x1b[33m${drawn}\x1b[2m${left}\x1b[0m` : drawn + left} ${figures}`
}

const LONGEST_STAGE = Math.max(...STAGES.map((stage) => stage.length))
