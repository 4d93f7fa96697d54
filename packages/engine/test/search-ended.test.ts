import { describe, expect, it } from 'vitest'
import { MemorySink, MemorySource, repair } from '../src/index.ts'
import { Allowance } from '../src/model/allowance.ts'
import { DOUBT } from '../src/model/doubt.ts'
import type { Report } from '../src/model/report.ts'
import { doubtingEndedSearch, SEARCH_ENDED } from '../src/recording/judge/ended-search.ts'
import { smallRecording } from '../testing/index.ts'

const SAMPLE = smallRecording('h264-pcm', 60, 2)
const WHOLE = smallRecording('h264-pcm', 600, 1)
/** Without the index at its end. */
const DAMAGED = WHOLE.subarray(0, WHOLE.length - (WHOLE.length >> 3))

const repaired = (work: Allowance): Promise<Report> =>
  repair({
    damaged: { source: new MemorySource(DAMAGED), name: 'a.mp4' },
    sample: { source: new MemorySource(SAMPLE), name: 'b.mp4' },
    sink: new MemorySink(),
    work,
  })

/** Tells how many steps were taken. */
class CountingAllowance extends Allowance {
  taken = 0

  override take(steps = 1): boolean {
    this.taken += steps
    return super.take(steps)
  }
}

const spent = new Allowance(0)
spent.take()

describe('searches of one repair take steps of one allowance', () => {
  it('of which an ordinary recording needs far less than a quarter', async () => {
    const quarter = new Allowance(300e6 / 4)
    const report = await repaired(quarter)
    expect(quarter.spent).toBe(false)
    expect(report.findings).not.toContainEqual(SEARCH_ENDED)
    expect(report.doubts ?? []).not.toContainEqual(DOUBT.searchEnded)
  })

  it('and end with what was found where it is spent, in doubt', async () => {
    const needed = new CountingAllowance(300e6)
    const full = await repaired(needed)
    const cut = await repaired(new Allowance(0.9 * needed.taken))
    expect(cut.verdict).toBe('partial')
    expect(cut.doubts).toContainEqual(DOUBT.searchEnded)
    expect(cut.findings).toContainEqual(SEARCH_ENDED)
    const found = (report: Report): number =>
      (report.kind === 'recording' && report.tracks.find(({ kind }) => kind === 'video')?.recovered) || 0
    expect(found(cut)).toBeGreaterThan(0)
    expect(found(cut)).toBeLessThan(found(full))
  })

  it('so that nothing is called healthy or repaired of which not all was looked at', () => {
    const judged = (verdict: 'healthy' | 'repaired' | 'unrepairable') =>
      doubtingEndedSearch({ verdict, findings: [] }, spent)
    expect(judged('healthy')).toMatchObject({ verdict: 'unrepairable', findings: [SEARCH_ENDED] })
    expect(judged('repaired')).toMatchObject({ verdict: 'partial', doubts: [DOUBT.searchEnded] })
    expect(judged('unrepairable')).toEqual({ verdict: 'unrepairable', findings: [SEARCH_ENDED] })
    const outcome = { verdict: 'repaired', findings: [] } as const
    expect(doubtingEndedSearch(outcome, new Allowance(1))).toBe(outcome)
  })
})
