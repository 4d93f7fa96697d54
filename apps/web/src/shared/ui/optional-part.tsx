import { Component, type ReactNode } from 'react'
import { ChunkLoadError } from '../lib/lazy-with-timeout.ts'

interface OptionalPartProps {
  readonly children: ReactNode
}

interface OptionalPartState {
  readonly error?: unknown
}

/**
 * A part that the page can do without. When its script does not arrive, a line says so and everything else stays as it
 * is; any other fault is the page's.
 */
export class OptionalPart extends Component<OptionalPartProps, OptionalPartState> {
  override state: OptionalPartState = {}

  static getDerivedStateFromError(error: unknown): OptionalPartState {
    return { error }
  }

  override render(): ReactNode {
    const { error } = this.state
    if (error === undefined) return this.props.children
    if (!(error instanceof ChunkLoadError)) throw error
    return (
      <p
        role="alert"
        className="fixed inset-x-4 bottom-4 z-50 mx-auto max-w-[60ch] rounded-sm border border-edge bg-glaze px-5 py-3 text-small text-ink"
      >
        {error.message} What you do here goes on. Check your connection; to have this part back, load the page
        again when nothing is under way.
      </p>
    )
  }
}
