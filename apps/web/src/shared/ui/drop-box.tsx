import { type DragEvent, type ReactNode, useId, useRef, useState } from 'react'
import { cx } from '../lib/cx.ts'
import { buttonClass } from './button.tsx'

interface DropBoxProps {
  /** Text of the button. */
  readonly action: string
  /** Beside the button: 'or drop it here'. */
  readonly hint: string
  /** Name of the file input, for people who hear the page. */
  readonly label: string
  /** Extensions for the file dialog, without dots. */
  readonly extensions: readonly string[]
  readonly mediaType: 'video' | 'image'
  readonly onFiles: (files: readonly File[]) => void
  /** Asked before the file dialog opens, or with what was dropped; `false` goes no further (a guest signs in first). */
  readonly onBeforeChoose?: ((dropped?: readonly File[]) => boolean) | undefined
  /** Several files may be chosen at once. */
  readonly multiple?: boolean | undefined
  readonly disabled?: boolean | undefined
  readonly children?: ReactNode
}

/** A box to drop a file on, with a button that opens the file dialog. */
export function DropBox(props: DropBoxProps) {
  const input = useRef<HTMLInputElement>(null)
  const id = useId()
  const [over, setOver] = useState(false)

  const choose = () => {
    if (props.disabled) return
    if (props.onBeforeChoose?.() === false) return
    input.current?.click()
  }
  const drag = (event: DragEvent) => {
    if (!event.dataTransfer.types.includes('Files')) return
    event.preventDefault()
    event.dataTransfer.dropEffect = props.disabled ? 'none' : 'copy'
    setOver(true)
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    const files = [...event.dataTransfer.files]
    if (!props.disabled && files.length > 0 && props.onBeforeChoose?.(files) !== false) props.onFiles(files)
  }

  return (
    // The box is a target for the pointer only; the button inside does the same for the keyboard.
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping has no keyboard form, choosing by the button has.
    <div
      onDragEnter={drag}
      onDragOver={drag}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
      className={cx('drop-box relative rounded-sm p-6 sm:p-8', over && 'drop-box-over')}
    >
      <svg aria-hidden="true" className="drop-box-edge pointer-events-none absolute inset-0 size-full">
        <rect x="1" y="1" rx="6" style={{ width: 'calc(100% - 2px)', height: 'calc(100% - 2px)' }} />
      </svg>
      <div className="relative flex flex-wrap items-center gap-x-5 gap-y-3">
        <button
          type="button"
          onClick={choose}
          // Not `disabled`: that would take the focus away from people who are on it.
          aria-disabled={props.disabled}
          className={buttonClass('primary', 'large')}
          aria-describedby={`${id}-hint`}
        >
          <UploadGlyph />
          {props.action}
        </button>
        <span id={`${id}-hint`} className="text-ink-soft">
          {props.hint}
        </span>
        <input
          ref={input}
          type="file"
          multiple={props.multiple}
          tabIndex={-1}
          aria-label={props.label}
          className="sr-only"
          accept={[`${props.mediaType}/*`, ...props.extensions.map((extension) => `.${extension}`)].join(',')}
          onChange={(event) => {
            const files = [...(event.target.files ?? [])]
            event.target.value = ''
            if (files.length > 0) props.onFiles(files)
          }}
        />
      </div>
      {props.children ? <div className="relative">{props.children}</div> : null}
    </div>
  )
}

/** An arrow into a frame. Drawn here because the landing pages load no icon library before they are touched. */
function UploadGlyph() {
  return (
    <svg
      aria-hidden="true"
      width="22"
      height="22"
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <path d="M12 15V3M7 8l5-5 5 5M4 14v5a2 2 0 0 0 2 2h12a2 2 0 0 0 2-2v-5" />
    </svg>
  )
}
