import { TEXTS, type UploadedFile } from '@mendframe/contract'
import useEmblaCarousel from 'embla-carousel-react'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useCallback, useEffect, useState } from 'react'
import { cx } from '../../../shared/lib/cx.ts'
import { Skeleton } from '../../../shared/ui/skeleton.tsx'
import { FileCard } from './file-card.tsx'
import './recent-files.css'

/** Arrows appear with more files than this. */
const ARROWS_ABOVE = 4

interface RecentFilesProps {
  readonly title: string
  readonly files: readonly UploadedFile[]
  readonly loading: boolean
  readonly onManual: (file: UploadedFile) => void
  readonly onDelete: (file: UploadedFile) => void
}

/** The files of late, as slides: one below 640 px, two below 1024, three from there. */
export function RecentFiles(props: RecentFilesProps) {
  const { title, files, loading } = props
  return (
    <section aria-labelledby="recent-heading" className="mt-12">
      <h2 id="recent-heading" className="text-heading">
        {title}
      </h2>
      {loading && files.length === 0 ? (
        <div className="mt-5 grid gap-5 sm:grid-cols-2 lg:grid-cols-3">
          <Skeleton className="h-80" />
          <Skeleton className="h-80 max-sm:hidden" />
          <Skeleton className="h-80 max-lg:hidden" />
        </div>
      ) : null}
      {!loading && files.length === 0 ? <Empty /> : null}
      {files.length > 0 ? <Carousel {...props} /> : null}
    </section>
  )
}

function Carousel({ title, files, onManual, onDelete }: RecentFilesProps) {
  const [frame, embla] = useEmblaCarousel({ align: 'start', containScroll: 'trimSnaps' })
  const [dots, setDots] = useState(0)
  const [at, setAt] = useState(0)

  const read = useCallback(() => {
    if (!embla) return
    setDots(embla.scrollSnapList().length)
    setAt(embla.selectedScrollSnap())
  }, [embla])
  useEffect(() => {
    if (!embla) return
    read()
    embla.on('select', read).on('reInit', read)
    return () => {
      embla.off('select', read).off('reInit', read)
    }
  }, [embla, read])

  return (
    <div>
      <div className="mt-5 overflow-hidden" ref={frame}>
        <ul className="recent-slides" aria-label={title}>
          {files.map((file) => (
            <li key={file.timestamp} className="recent-slide">
              <FileCard file={file} onManual={() => onManual(file)} onDelete={() => onDelete(file)} />
            </li>
          ))}
        </ul>
      </div>
      {dots > 1 ? (
        <div className="mt-5 flex items-center justify-between gap-4">
          <div className="flex flex-wrap">
            {Array.from({ length: dots }, (_, index) => (
              <button
                // biome-ignore lint/suspicious/noArrayIndexKey: a dot is its place.
                key={index}
                type="button"
                aria-label={`Show slide ${index + 1} of ${dots}`}
                aria-current={index === at ? 'true' : undefined}
                onClick={() => embla?.scrollTo(index)}
                className="grid size-7 place-items-center rounded-sm"
              >
                <span
                  className={cx(
                    'size-2.5 rounded-full border',
                    index === at ? 'border-seam-line bg-seam-line' : 'border-edge',
                  )}
                />
              </button>
            ))}
          </div>
          {files.length > ARROWS_ABOVE ? (
            <div className="flex gap-2">
              <button
                type="button"
                aria-label="Previous files"
                aria-disabled={at === 0}
                onClick={() => embla?.scrollPrev()}
                className={ARROW}
              >
                <ChevronLeft aria-hidden size={20} />
              </button>
              <button
                type="button"
                aria-label="Next files"
                aria-disabled={at >= dots - 1}
                onClick={() => embla?.scrollNext()}
                className={ARROW}
              >
                <ChevronRight aria-hidden size={20} />
              </button>
            </div>
          ) : null}
        </div>
      ) : null}
    </div>
  )
}

const ARROW =
  'grid size-11 place-items-center rounded-sm border border-edge hover:border-ink off:border-mist off:text-ink-soft'

function Empty() {
  return (
    <div className="mt-5 grid place-items-center gap-4 rounded-sm border border-dashed border-edge px-6 py-14 text-center">
      <svg aria-hidden="true" width="96" height="60" viewBox="0 0 96 60" fill="none" className="text-edge">
        <rect
          x="1"
          y="1"
          width="94"
          height="58"
          rx="4"
          stroke="currentColor"
          strokeWidth="1.5"
          strokeDasharray="7 5"
        />
        <path
          d="M14 8h8M34 8h8M54 8h8M74 8h8M14 52h8M34 52h8M54 52h8M74 52h8"
          stroke="currentColor"
          strokeWidth="5"
        />
      </svg>
      <p className="text-ink-soft">{TEXTS.noUploads}</p>
    </div>
  )
}
