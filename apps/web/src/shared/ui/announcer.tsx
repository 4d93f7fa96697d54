/** Says a milestone to people who hear the page. */
export function Announcer({ text }: { readonly text: string }) {
  return (
    <p role="status" aria-live="polite" className="sr-only">
      {text}
    </p>
  )
}
