import type { ReactNode } from 'react'
import type { StepKind } from './content.ts'

/** The pieces of a frame: outline and the way each moves out of its place. */
const SHARDS: readonly { readonly d: string; readonly out: readonly [x: number, y: number, turn: number] }[] =
  [
    { d: 'M196 146 162 60H96a10 10 0 0 0-10 10v62Z', out: [-9, -8, -3] },
    { d: 'M196 146 162 60h108l-22 58Z', out: [4, -14, 3] },
    { d: 'M196 146l52-28 22-58h34a10 10 0 0 1 10 10v58Z', out: [15, -7, 4] },
    { d: 'M196 146l118-18v82a10 10 0 0 1-10 10h-62Z', out: [12, 9, -3] },
    { d: 'M196 146l46 74H96a10 10 0 0 1-10-10v-78Z', out: [-10, 11, 2] },
  ]

/** The joints, from the place of the blow outwards. */
const JOINTS = [
  'M196 146 162 60',
  'M196 146l52-28 22-58',
  'M196 146l118-18',
  'M196 146l46 74',
  'M196 146 86 132',
]

/** What runs on from a picture to the next one: the seam, leaving by the right edge where the next frame begins. */
const THREAD: Readonly<Record<StepKind, string | undefined>> = {
  upload: 'M314 128 346 142 372 130 420 138 448 126 486 132',
  repair: 'M314 128 350 120 378 136 424 126 452 138 486 132',
  preview: undefined,
}

function Shards() {
  return (
    <g fill="var(--glaze)" stroke="var(--ink)" strokeWidth="2" strokeLinejoin="round">
      {SHARDS.map(({ d, out: [x, y, turn] }) => (
        <path key={d} d={d} transform={`translate(${x} ${y}) rotate(${turn} 200 140)`} />
      ))}
    </g>
  )
}

function Frame() {
  return (
    <rect
      x="86"
      y="60"
      width="228"
      height="160"
      rx="10"
      fill="var(--glaze)"
      stroke="var(--ink)"
      strokeWidth="2"
    />
  )
}

function Joints({
  paths,
  colour = 'var(--seam-line)',
}: {
  readonly paths: readonly string[]
  readonly colour?: string
}) {
  return (
    <g fill="none" stroke={colour} strokeWidth="3.5" strokeLinejoin="bevel">
      {paths.map((d) => (
        <path key={d} d={d} />
      ))}
    </g>
  )
}

function Repair() {
  return (
    <>
      <Frame />
      <Joints paths={JOINTS.slice(0, 2)} colour="var(--edge)" />
      <Joints paths={JOINTS.slice(2)} />
      <path d="M196 146l22-11" stroke="var(--seam-line)" strokeWidth="3.5" />
      <g stroke="var(--ink)" strokeWidth="2" strokeLinejoin="round">
        <path d="M226 122 292 36l16 13-68 84-22 4Z" fill="var(--porcelain)" />
        <path d="M226 122l14 11-22 4Z" fill="var(--seam)" />
        <path d="M279 53l16 13" fill="none" />
      </g>
    </>
  )
}

function PhotoPreview() {
  return (
    <>
      <Frame />
      <g fill="none" stroke="var(--ink)" strokeWidth="2" strokeLinejoin="round">
        <circle cx="142" cy="98" r="15" />
        <path d="M86 190l52-46 34 28 56-62 86 84" />
      </g>
      <Joints paths={JOINTS} />
      <path d="M248 46v188" stroke="var(--ink)" strokeWidth="2.5" />
      <circle cx="248" cy="182" r="15" fill="var(--ink)" />
      <path
        d="M244 176l-6 6 6 6M252 176l6 6-6 6"
        fill="none"
        stroke="var(--porcelain)"
        strokeWidth="2.5"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </>
  )
}

function FilmPreview() {
  return (
    <>
      <Frame />
      <Joints paths={JOINTS} />
      <circle cx="200" cy="138" r="32" fill="var(--ink)" />
      <path d="M191 122v32l26-16Z" fill="var(--porcelain)" />
      <path d="M106 202h188" stroke="var(--mist)" strokeWidth="6" strokeLinecap="round" />
      <path d="M106 202h19" stroke="var(--seam-line)" strokeWidth="6" strokeLinecap="round" />
      <circle cx="125" cy="202" r="7" fill="var(--ink)" />
    </>
  )
}

type Subject = 'film' | 'photo'

function Picture({ kind, subject }: { readonly kind: StepKind; readonly subject: Subject }): ReactNode {
  if (kind === 'upload') return <Shards />
  if (kind === 'repair') return <Repair />
  return subject === 'photo' ? <PhotoPreview /> : <FilmPreview />
}

/** A step, drawn: the frame in pieces, the gold going in, the frame mended. One seam runs through all three. */
export function StepPicture({
  kind,
  subject = 'film',
}: {
  readonly kind: StepKind
  readonly subject?: Subject
}) {
  return (
    <svg viewBox="84 30 400 214" aria-hidden="true" className="block w-full overflow-visible">
      <path d={THREAD[kind]} fill="none" stroke="var(--seam-line)" strokeWidth="3.5" strokeLinejoin="bevel" />
      <Picture kind={kind} subject={subject} />
    </svg>
  )
}
