import { ImageOff } from 'lucide-react'
import { cx } from '../../shared/lib/cx.ts'
import { CompareSlider } from '../../shared/ui/compare-slider.tsx'
import { COMPARISONS } from './content.ts'
import { PhotoPicture } from './photo-picture.tsx'
import { PICTURES } from './pictures.ts'

/** What a viewer shows of a file it cannot open. */
function Unopened() {
  return (
    <div className="film grid size-full content-center justify-items-start gap-3 p-[8%] [--film:oklch(0.24_0.02_262)]">
      <ImageOff aria-hidden size={30} className="text-ink-soft" />
      <p className="max-w-[16ch] text-small text-ink-soft sm:text-body">This file cannot be opened.</p>
    </div>
  )
}

/** On wide screens every picture is 29 rem high, the narrow ones cut at their sides. */
const SIZES = '(min-width: 64rem) 44rem, calc(100vw - 2.5rem)'

/** Six kinds of damage, each with a seam to drag. Wide and narrow ones alternate. */
export function Comparisons() {
  return (
    <section aria-labelledby="comparisons-title" className="page py-20 lg:py-28">
      <div className="grid gap-x-16 gap-y-4 lg:grid-cols-[1fr_1fr] lg:items-end">
        <h2 id="comparisons-title" className="max-w-[18ch] text-title">
          Drag the seam
        </h2>
        <p className="max-w-[36rem] text-lead text-ink-soft">
          We painted these six photos, then damaged their files. On the left is what a browser makes of the
          damage.
        </p>
      </div>
      <ul className="mt-10 grid gap-x-8 gap-y-14 lg:grid-cols-12">
        {COMPARISONS.map(({ kind, title, text, scene }, index) => {
          const { whole, damaged } = PICTURES[kind]
          const wide = index % 4 === 0 || index % 4 === 3
          return (
            <li key={kind} className={cx(wide ? 'lg:col-span-7' : 'lg:col-span-5')}>
              <CompareSlider
                label={title}
                className="aspect-3/2 lg:aspect-auto lg:h-[29rem]"
                before={damaged ? <PhotoPicture sources={damaged} alt="" sizes={SIZES} /> : <Unopened />}
                after={<PhotoPicture sources={whole} alt={scene} sizes={SIZES} />}
              />
              <h3 className="mt-5 text-heading">{title}</h3>
              <p className="mt-1.5 max-w-[34rem] text-ink-soft">{text}</p>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
