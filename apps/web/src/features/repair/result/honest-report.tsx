import type { RepairReport } from '@mendframe/contract'
import { RecoveryStrip } from '../../../shared/recovery/recovery-strip.tsx'
import { nameOfTrack, trackInWords } from '../../../shared/recovery/report-words.ts'
import { doubtsInWords } from './doubt-words.ts'
import { enhancementInWords } from './enhancement-words.ts'
import { damageInWords } from './finding-words.ts'
import { ReportRow } from './report-row.tsx'

/** The report in plain words, as a picture, and in full for those who want to know. */
export function HonestReport({ report }: { readonly report: RepairReport }) {
  const damage = damageInWords(report.findings)
  const doubts = doubtsInWords(report.doubts ?? [])
  return (
    <div className="mt-6 grid grid-cols-1 gap-8">
      <RecoveryStrip tracks={report.tracks} />
      <dl className="grid max-w-[72ch] gap-3">
        {report.tracks
          .filter((track) => track.kind === 'video' || track.kind === 'audio')
          .map((track) => (
            <ReportRow key={track.id} term={nameOfTrack(track, report.tracks)}>
              {trackInWords(track, report.doubts).join(' ')}
            </ReportRow>
          ))}
        {damage.length > 0 ? <ReportRow term="What was wrong">{damage.join(' ')}</ReportRow> : null}
        {doubts.length > 0 ? <ReportRow term="What is uncertain">{doubts.join(' ')}</ReportRow> : null}
        {(report.enhancements ?? []).map((enhancement) => {
          const { label, line } = enhancementInWords(enhancement)
          return (
            <ReportRow key={enhancement.operation} term={label}>
              {line}
            </ReportRow>
          )
        })}
      </dl>
      <FullReport report={report} />
    </div>
  )
}

/** Everything the engine has to say, for those who know its words. */
export function FullReport({ report }: { readonly report: RepairReport }) {
  const checked = report.verification
  return (
    <details>
      <summary className="inline-link inline-block min-h-6 text-small font-semibold">
        Details for engineers
      </summary>
      <div className="mt-3 grid grid-cols-1 gap-4 text-small">
        {checked ? (
          <p className="figures">
            Checked by decoding:{' '}
            {checked.tracks
              .map((track) => `${track.kind} ${track.codec}, ${track.frames} frames, ${track.errors} errors`)
              .join('; ')}
            .
          </p>
        ) : null}
        {report.strategies.length > 0 ? (
          <ul className="list-disc pl-5">
            {report.strategies.map((strategy) => (
              <li key={`${strategy.name} ${strategy.outcome}`}>
                {strategy.name}: {strategy.outcome}
              </li>
            ))}
          </ul>
        ) : null}
        <ul className="grid max-h-80 gap-2 overflow-auto">
          {report.findings.map((finding) => (
            <li key={`${finding.code} ${finding.offset ?? ''} ${finding.message}`}>
              <code className="text-tiny">{finding.code}</code> {finding.message}
              {finding.clause ? <span className="text-ink-soft"> ({finding.clause})</span> : null}
            </li>
          ))}
        </ul>
        {report.omittedFindings > 0 ? <p>{report.omittedFindings} further findings are not listed.</p> : null}
        <p className="text-ink-soft">Engine {report.engine}</p>
      </div>
    </details>
  )
}
