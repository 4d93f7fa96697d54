import { expect } from 'vitest'
import type { Finding } from '../../src/model/finding.ts'
import { type Monitor, STAGES, type Stage } from '../../src/model/monitor.ts'
import { MAX_AREAS } from '../../src/model/photo.ts'
import type { PhotoReport, Report } from '../../src/model/report.ts'

const CODE = /^[a-z0-9]+(?:-[a-z0-9]+)*\.[a-z0-9]+(?:-[a-z0-9]+)*$/

/** A finding has a code `family.defect`, one line of words, and a place inside its file. */
export function expectFindings(findings: readonly Finding[], fileSize: number): void {
  for (const finding of findings) {
    const { code, severity, message, offset, length } = finding
    expect(code).toMatch(CODE)
    expect(['info', 'warning', 'error']).toContain(severity)
    expect(message.length, code).toBeGreaterThan(0)
    expect(message, code).not.toMatch(/[\r\n]|undefined|NaN|\[object/)
    for (const number of [offset, length]) {
      if (number !== undefined)
        expect(Number.isSafeInteger(number) && number >= 0, `${code} at ${offset}+${length}`).toBe(true)
    }
    if (offset !== undefined) expect(offset, code).toBeLessThanOrEqual(fileSize)
  }
}

/** A report that a page can show: whole numbers, ranges in order, and the same after a trip through JSON. */
export function expectReport(report: Report, fileSize: number): void {
  expectFindings(report.findings, fileSize)
  expect(report.omittedFindings).toBeGreaterThanOrEqual(0)
  expect(JSON.parse(JSON.stringify(report))).toEqual(report)
  expect(report.doubts !== undefined, report.verdict).toBe(report.verdict === 'partial')
  if (report.verdict === 'unrepairable') expect(report.reason ?? '').toMatch(/\S/)
  if (report.kind === 'photo') {
    expectPictures(report)
    return
  }
  for (const track of report.tracks) {
    for (const count of [track.recovered, track.damaged, track.lost]) {
      expect(Number.isSafeInteger(count) && count >= 0, `${track.codec}: ${count}`).toBe(true)
    }
    expect(Number.isFinite(track.duration) && track.duration >= 0).toBe(true)
    for (const range of track.ranges) {
      expect(Number.isFinite(range.start) && range.end >= range.start, `${range.start} to ${range.end}`).toBe(
        true,
      )
    }
  }
}

function expectPictures({ pictures }: PhotoReport): void {
  for (const { width, height, total, recovered, estimated, lost, areas } of pictures) {
    for (const count of [width, height, total, recovered, estimated, lost])
      expect(Number.isSafeInteger(count) && count >= 0, `${count}`).toBe(true)
    expect(recovered + estimated + lost).toBe(total)
    expect(areas.length).toBeLessThanOrEqual(MAX_AREAS)
    for (const area of areas) {
      expect(Math.min(area.x, area.y)).toBeGreaterThanOrEqual(0)
      expect(area.x + area.width).toBeLessThanOrEqual(width)
      expect(area.y + area.height).toBeLessThanOrEqual(height)
    }
  }
}

/** Listens to a repair and remembers what broke the rules of progress. */
export class ListeningMonitor implements Monitor {
  pauses = 0
  readonly faults: string[] = []
  #stage: Stage = 'survey'
  #fraction = 0

  progress(stage: Stage, fraction: number): void {
    const step = STAGES.indexOf(stage) - STAGES.indexOf(this.#stage)
    if (!(fraction >= 0 && fraction <= 1)) this.faults.push(`${stage} at ${fraction}`)
    if (step < 0) this.faults.push(`${stage} after ${this.#stage}`)
    if (step === 0 && fraction < this.#fraction)
      this.faults.push(`${stage} back from ${this.#fraction} to ${fraction}`)
    this.#stage = stage
    this.#fraction = fraction
  }

  async pause(): Promise<void> {
    this.pauses++
  }
}
