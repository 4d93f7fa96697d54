import { type ReactNode, useId } from 'react'
import { Scene } from '../../shared/ui/scene.tsx'
import type { ScenarioKind } from './content.ts'

const SCENE_ID = 'landing-scene'

/** The one drawing that every frame of the strip refers to. */
export function ScenarioDefinitions() {
  return (
    <svg aria-hidden="true" width="0" height="0" className="absolute">
      <defs>
        <g id={SCENE_ID}>
          <Scene />
        </g>
      </defs>
    </svg>
  )
}

function Print({ x = 0, y = 0 }: { readonly x?: number; readonly y?: number }) {
  return <use href={`#${SCENE_ID}`} x={x} y={y} />
}

/** The seam between what the file shows and what it held: from the top edge to the bottom edge. */
const SEAMS: Readonly<Record<ScenarioKind, string>> = {
  corrupted: '322 -6 300 62 338 118 286 190 310 236 262 366',
  glitch: '286 -6 316 70 276 128 326 206 300 262 330 366',
  blurry: '340 -6 304 84 322 140 268 214 296 288 258 366',
  slow: '276 -6 312 58 288 132 334 198 290 268 318 366',
  unplayable: '316 -6 282 74 328 150 290 222 318 280 288 366',
  flickering: '296 -6 326 66 280 142 310 196 270 278 300 366',
}

type Block = readonly [x: number, y: number, width: number, height: number]

const SHIFTED: readonly Block[] = [
  [40, 80, 120, 40],
  [160, 40, 80, 40],
  [0, 160, 80, 40],
  [120, 200, 120, 40],
  [200, 120, 120, 40],
  [80, 240, 160, 40],
]
const GREY: readonly Block[] = [
  [0, 280, 330, 80],
  [80, 120, 40, 40],
  [240, 200, 80, 40],
  [0, 40, 40, 40],
]
const GREEN: readonly Block[] = [
  [160, 80, 40, 40],
  [120, 160, 40, 40],
  [0, 240, 40, 40],
  [240, 40, 40, 40],
]

function Blocks({ blocks }: { readonly blocks: readonly Block[] }) {
  return blocks.map(([x, y, width, height]) => (
    <rect key={`${x},${y}`} x={x} y={y} width={width} height={height} />
  ))
}

function Corrupted({ id }: { readonly id: string }) {
  return (
    <>
      <clipPath id={`${id}-shifted`}>
        <Blocks blocks={SHIFTED} />
      </clipPath>
      <Print />
      <g clipPath={`url(#${id}-shifted)`}>
        <Print x={-136} y={64} />
      </g>
      <g fill="#85898a">
        <Blocks blocks={GREY} />
      </g>
      <g fill="#3d8a57">
        <Blocks blocks={GREEN} />
      </g>
    </>
  )
}

/** Torn lines: where each begins, how high it is, how far it slid. */
const TEARS: readonly (readonly [y: number, height: number, slide: number])[] = [
  [46, 18, 54],
  [64, 10, -40],
  [118, 26, 34],
  [170, 8, -72],
  [196, 34, 62],
  [230, 14, -30],
  [276, 22, 88],
  [316, 12, -56],
]

function Glitch({ id }: { readonly id: string }) {
  return (
    <>
      <Print />
      {TEARS.map(([y, height, slide], index) => (
        <g key={y}>
          <clipPath id={`${id}-tear-${index}`}>
            <rect y={y} width="560" height={height} />
          </clipPath>
          <g clipPath={`url(#${id}-tear-${index})`}>
            <Print x={slide} />
            <Print x={slide - 560} />
            <rect y={y} width="560" height={height} fill={index % 2 ? '#c2368f' : '#1f9fb4'} opacity="0.34" />
          </g>
        </g>
      ))}
    </>
  )
}

function Blurry({ id }: { readonly id: string }) {
  return (
    <>
      <filter id={`${id}-melt`} x="0" y="0" width="100%" height="100%">
        <feGaussianBlur stdDeviation="11 5" />
      </filter>
      <Print />
      <g filter={`url(#${id}-melt)`}>
        <Print />
      </g>
    </>
  )
}

function Slow() {
  return (
    <>
      <Print />
      {[-26, -54, -84].map((x) => (
        <g key={x} opacity="0.42">
          <Print x={x} y={-x / 9} />
        </g>
      ))}
      <path d="M0 342h560" stroke="#0f1828" strokeWidth="36" opacity="0.82" />
      <path d="M18 332v20M122 332v20M226 332v20" stroke="#f4ead3" strokeWidth="3" />
    </>
  )
}

function Unplayable() {
  return (
    <>
      <rect width="560" height="360" fill="#0b111d" />
      <circle cx="214" cy="178" r="42" fill="none" stroke="#707b8c" strokeWidth="4" />
      <path d="M202 157v42l34-21Z" fill="none" stroke="#707b8c" strokeWidth="4" strokeLinejoin="round" />
      <path d="m176 218 76-80" stroke="#0b111d" strokeWidth="14" />
      <path d="m176 218 76-80" stroke="#707b8c" strokeWidth="4" strokeLinecap="round" />
    </>
  )
}

function Flickering() {
  return (
    <>
      <Print />
      <g fill="#fffdf6">
        <rect width="70" height="360" opacity="0.62" />
        <rect x="176" width="34" height="360" opacity="0.74" />
        <rect x="262" width="90" height="360" opacity="0.5" />
      </g>
      <g fill="#070c16">
        <rect x="70" width="58" height="360" opacity="0.72" />
        <rect x="210" width="52" height="360" opacity="0.6" />
      </g>
    </>
  )
}

const DAMAGE: Readonly<Record<ScenarioKind, (props: { readonly id: string }) => ReactNode>> = {
  corrupted: Corrupted,
  glitch: Glitch,
  blurry: Blurry,
  slow: Slow,
  unplayable: Unplayable,
  flickering: Flickering,
}

/** A frame of film: on the left as the damaged file shows it, right of the seam as it was. */
export function ScenarioPicture({ kind }: { readonly kind: ScenarioKind }) {
  const id = useId()
  const Damage = DAMAGE[kind]
  const seam = `M${SEAMS[kind]}`
  return (
    <svg
      viewBox="0 0 560 360"
      preserveAspectRatio="xMidYMid slice"
      aria-hidden="true"
      className="block size-full"
    >
      <clipPath id={`${id}-mended`}>
        <path d={`${seam} 570 366 570-6Z`} />
      </clipPath>
      <Damage id={id} />
      <g clipPath={`url(#${id}-mended)`}>
        <Print />
        {kind === 'slow' ? (
          <>
            <path d="M0 342h560" stroke="#0f1828" strokeWidth="36" opacity="0.82" />
            <path
              d="M330 332v20M356 332v20M382 332v20M408 332v20M434 332v20M460 332v20M486 332v20M512 332v20M538 332v20"
              stroke="#f4ead3"
              strokeWidth="3"
            />
          </>
        ) : null}
      </g>
      <g fill="none" strokeLinejoin="bevel">
        <path d={seam} stroke="#b98420" strokeWidth="8" />
        <path d={seam} stroke="#f3cf74" strokeWidth="3.4" />
      </g>
    </svg>
  )
}
