import { ButtonLink } from '../shared/ui/button.tsx'

/** A page that only the whole link of a mail makes useful, opened without it. */
export function LinkMissing({ title }: { readonly title: string }) {
  return (
    <section className="page py-16 lg:py-24">
      <h1 className="text-title">{title}</h1>
      <p className="mt-4 max-w-[60ch] text-lead">
        This page needs the whole link of our mail. Please open it from the mail once more.
      </p>
      <div className="mt-8">
        <ButtonLink to="/">Go to the start page</ButtonLink>
      </div>
    </section>
  )
}
