import { useState } from 'react'
import { cx } from '../lib/cx.ts'
import { formatTimecode } from '../lib/format.ts'
import { nameOfTrack, reasonInWords, stateInWords, stretchInWords, type TrackReport } from './report-words.ts'
import { partsOf } from './strip-model.ts'
import { SmallStripRow, StripRow } from './strip-row.tsx'
import './recovery-strip.css'

/** Below this many seconds the axis shows tenths. */
const SHORT_S = 10

interface RecoveryStripProps {
  readonly tracks: readonly TrackReport[]
  /** Small: the picture alone, for the dashboard. */
  readonly small?: boolean
}

/**
 * The recording as a band of film, one row a track: porcelain where it is recovered, gold at the joints, gaps where it
 * is lost. Pointing at a place, or reaching it by keyboard, tells its time and reason; a table says the same.
 */
export function RecoveryStrip({ tracks, small = false }: RecoveryStripProps) {
  const [told, setTold] = useState<string | null>(null)
  const rows = tracks.filter((track) => partsOf(track).some((part) => part.end > part.start))
  const length = Math.max(
    0.001,
    ...rows.flatMap((track) => [track.duration, ...track.ranges.map((range) => range.end)]),
  )
  if (rows.length === 0) return null
  return (
    <div>
      <div className={cx('film-strip', small ? 'strip-small px-1.5' : 'px-3')}>
        <div className="grid gap-1.5">
          {rows.map((track) => (
            <div key={track.id} className="flex items-center gap-3">
              {small ? null : (
                <span className="w-16 shrink-0 text-tiny text-ink-soft sm:w-24">
                  {nameOfTrack(track, rows)}
                </span>
              )}
              {small ? (
                <SmallStripRow parts={partsOf(track)} length={length} />
              ) : (
                <StripRow
                  parts={partsOf(track)}
                  length={length}
                  name={nameOfTrack(track, rows)}
                  wordsOf={(part) => stretchInWords(part, nameOfTrack(track, rows))}
                  onTell={(part) => setTold(part ? stretchInWords(part, nameOfTrack(track, rows)) : null)}
                />
              )}
            </div>
          ))}
        </div>
        {small ? null : (
          <div className="figures mt-2 flex justify-between pl-19 text-tiny text-ink-soft sm:pl-27">
            <span>0:00</span>
            <span>{formatTimecode(length / 2, length < SHORT_S)}</span>
            <span>{formatTimecode(length, length < SHORT_S)}</span>
          </div>
        )}
      </div>
      {small ? null : (
        <>
          <p className="figures mt-2 min-h-6 text-small" aria-live="polite">
            {told ?? (
              <span className="text-ink-soft">
                {rows.some(hasFaults)
                  ? 'Point at a gap to see what happened there, or use the arrow keys.'
                  : null}
              </span>
            )}
          </p>
          <Legend />
          <StripTable tracks={rows} />
        </>
      )}
    </div>
  )
}

const hasFaults = (track: TrackReport) => partsOf(track).some(({ state }) => state !== 'recovered')

function Legend() {
  return (
    <ul className="mt-1 flex flex-wrap gap-x-6 gap-y-1 text-tiny text-ink-soft">
      {(['recovered', 'damaged', 'lost'] as const).map((state) => (
        <li key={state} className="flex items-center gap-2">
          <span className={`strip-key strip-${state}`} />
          {stateInWords(state)}
        </li>
      ))}
      <li className="flex items-center gap-2">
        <span className="inline-block h-4 w-1 bg-seam" />
        Joint
      </li>
    </ul>
  )
}

function StripTable({ tracks }: { readonly tracks: readonly TrackReport[] }) {
  return (
    <details className="mt-3">
      <summary className="inline-link inline-block min-h-6 text-small font-semibold">
        Show this as a table
      </summary>
      <section
        className="mt-3 max-h-80 overflow-auto"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keyboard.
        tabIndex={0}
        aria-label="Stretches of the recording"
      >
        <table className="figures w-full text-left text-small">
          <thead>
            <tr className="border-b border-mist">
              <th className="py-2 pr-4 font-semibold">Track</th>
              <th className="py-2 pr-4 font-semibold">From</th>
              <th className="py-2 pr-4 font-semibold">To</th>
              <th className="py-2 pr-4 font-semibold">State</th>
              <th className="py-2 font-semibold">Reason</th>
            </tr>
          </thead>
          <tbody>
            {tracks.flatMap((track) =>
              partsOf(track).map((part) => (
                <tr key={`${track.id} ${part.start}`} className="border-b border-mist">
                  <td className="py-1.5 pr-4">{nameOfTrack(track, tracks)}</td>
                  <td className="py-1.5 pr-4">{formatTimecode(part.start, true)}</td>
                  <td className="py-1.5 pr-4">{formatTimecode(part.end, true)}</td>
                  <td className="py-1.5 pr-4">{stateInWords(part.state)}</td>
                  <td className="py-1.5">{reasonInWords(part.reason)}</td>
                </tr>
              )),
            )}
          </tbody>
        </table>
      </section>
    </details>
  )
}
