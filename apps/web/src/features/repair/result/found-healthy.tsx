import { FileName } from '../../../shared/ui/file-name.tsx'

/** What became of a file that nothing is wrong with. */
export function FoundHealthy({ name }: { readonly name: string }) {
  return (
    <p className="mt-3 max-w-[65ch]">
      We read <FileName name={name} /> from beginning to end and found no damage. It was left as it is, and
      this does not count against your plan.
    </p>
  )
}
