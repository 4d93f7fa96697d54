import type { RepairReport } from '@mendframe/contract'
import { doubtsInWords } from '../result/doubt-words.ts'
import { damageInWords } from '../result/finding-words.ts'
import { FullReport } from '../result/honest-report.tsx'
import { ReportRow } from '../result/report-row.tsx'
import { AREA_WORDS, mainPicture, pictureInWords, rebuiltInWords } from './photo-words.ts'

/** Areas that the table lists. */
const MOST_LISTED = 50

/** What was wrong with a photo, what is back, and what is not. */
export function PhotoReport({ report }: { readonly report: RepairReport }) {
  const picture = mainPicture(report)
  const damage = damageInWords(report.findings)
  const rebuilt = picture ? rebuiltInWords(picture) : []
  const doubts = doubtsInWords(report.doubts ?? [])
  return (
    <div className="mt-8 grid grid-cols-1 gap-8">
      <dl className="grid max-w-[72ch] gap-3">
        {picture ? (
          <ReportRow term="Picture">{pictureInWords(picture, report.doubts).join(' ')}</ReportRow>
        ) : null}
        {damage.length > 0 ? <ReportRow term="What was wrong">{damage.join(' ')}</ReportRow> : null}
        {rebuilt.length > 0 ? <ReportRow term="Put together anew">{rebuilt.join(' ')}</ReportRow> : null}
        {doubts.length > 0 ? <ReportRow term="What is uncertain">{doubts.join(' ')}</ReportRow> : null}
      </dl>
      {picture && picture.areas.length > 0 ? <Areas picture={picture} /> : null}
      <FullReport report={report} />
    </div>
  )
}

/** The outlined areas once more, for those who do not see the picture. */
function Areas({ picture }: { readonly picture: RepairReport['pictures'][number] }) {
  const listed = picture.areas.slice(0, MOST_LISTED)
  const more = picture.areas.length - listed.length
  return (
    <details>
      <summary className="inline-link inline-block min-h-6 text-small font-semibold">
        Damaged areas as a table
      </summary>
      <section
        aria-label="Damaged areas"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keyboard.
        tabIndex={0}
        className="mt-3 max-h-80 overflow-auto rounded-sm border border-mist"
      >
        <table className="figures w-full text-left text-small">
          <thead>
            <tr className="border-b border-mist">
              {['State', 'Left', 'Top', 'Width', 'Height'].map((column) => (
                <th key={column} scope="col" className="px-3 py-2 font-semibold">
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {listed.map(({ x, y, width, height, state }) => (
              <tr key={`${x} ${y} ${state}`} className="border-b border-mist last:border-0">
                <td className="px-3 py-1.5">{AREA_WORDS[state] ?? state}</td>
                {[x, y, width, height].map((pixels, index) => (
                  // The four figures of a rectangle have no other identity than their place.
                  // biome-ignore lint/suspicious/noArrayIndexKey: they never change their order.
                  <td key={index} className="whitespace-nowrap px-3 py-1.5">
                    {pixels} px
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {more > 0 ? <p className="mt-2 text-small">{more} more are outlined in the picture.</p> : null}
    </details>
  )
}
