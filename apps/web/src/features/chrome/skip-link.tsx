/** The first stop of the keyboard: past the header to the content. */
export function SkipLink() {
  return (
    <a
      href="#main"
      className="absolute left-4 z-50 -translate-y-24 rounded-sm bg-ink px-4 py-3 font-semibold text-porcelain focus:translate-y-3"
    >
      Skip to content
    </a>
  )
}
