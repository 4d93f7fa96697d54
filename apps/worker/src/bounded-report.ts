import { type RepairReport, repairReportSchema } from '@mendframe/contract'
import type { Report } from '@mendframe/runner'

/** Kept of a report: what a page can show. A recording with a hundred thousand holes has a report of many megabytes. */
const MOST_RANGES = 2_000
const MOST_FINDINGS = 300
const MOST_STRATEGIES = 100

/** The engine's report in the contract's form, cut to a bounded length; what was left out is counted. */
export function boundedReport(report: Report): RepairReport {
  const findings = report.findings.slice(0, MOST_FINDINGS)
  return repairReportSchema.parse(
    structuredClone({
      ...report,
      findings,
      omittedFindings: report.omittedFindings + report.findings.length - findings.length,
      strategies: report.strategies.slice(0, MOST_STRATEGIES),
      ...(report.kind === 'recording' && {
        tracks: report.tracks.map((track) => ({
          ...track,
          ranges: track.ranges.slice(0, MOST_RANGES),
          omittedRanges: Math.max(0, track.ranges.length - MOST_RANGES),
        })),
      }),
      ...(report.enhancements && {
        enhancements: report.enhancements.map((each) => ({
          ...each,
          ranges: each.ranges.slice(0, MOST_RANGES),
        })),
      }),
    }),
  )
}
