import { type ComponentProps, useId } from 'react'
import { cx } from '../lib/cx.ts'

interface FieldProps extends Omit<ComponentProps<'input'>, 'id'> {
  readonly label: string
  readonly hint?: string | undefined
  /** Shown under the field and tied to it for screen readers. */
  readonly error?: string | undefined
}

/** A labelled input with its error under it. */
export function Field({ label, hint, error, className, ...rest }: FieldProps) {
  const id = useId()
  const hintId = hint ? `${id}-hint` : undefined
  const errorId = error ? `${id}-error` : undefined
  const described = [hintId, errorId].filter(Boolean).join(' ')
  return (
    <div className={className}>
      <label htmlFor={id} className="mb-1.5 block text-small font-semibold">
        {label}
      </label>
      <input
        id={id}
        aria-invalid={error ? true : undefined}
        aria-describedby={described || undefined}
        className={cx(
          'h-12 w-full rounded-sm border bg-glaze px-3.5 text-body text-ink placeholder:text-ink-soft/80',
          error ? 'border-vermilion' : 'border-edge hover:border-ink',
        )}
        {...rest}
      />
      {hint ? (
        <p id={hintId} className="mt-1 text-tiny text-ink-soft">
          {hint}
        </p>
      ) : null}
      {error ? (
        <p id={errorId} className="mt-1 text-small text-vermilion">
          {error}
        </p>
      ) : null}
    </div>
  )
}
