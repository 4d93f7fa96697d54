import { FULL_WIDTH, SMALL_WIDTH, type Sources } from './picture-sizes.ts'

/** One of the page's photos, fetched when it comes near the window. */
export function PhotoPicture({
  sources,
  alt,
  sizes,
}: {
  readonly sources: Sources
  readonly alt: string
  readonly sizes: string
}) {
  return (
    <img
      src={sources.full}
      srcSet={`${sources.small} ${SMALL_WIDTH}w, ${sources.full} ${FULL_WIDTH}w`}
      sizes={sizes}
      width={FULL_WIDTH}
      height={(FULL_WIDTH * 2) / 3}
      loading="lazy"
      decoding="async"
      alt={alt}
    />
  )
}
