import { RotateCcw } from 'lucide-react'
import { useState } from 'react'
import { Scene } from '../../../shared/ui/scene.tsx'
import { SEAM_LIGHT, SEAMS, SHARDS } from './cracks.ts'

const HOLES = Array.from({ length: 13 }, (_, index) => 18 + index * 48)

/** The demonstration: a shattered frame of film comes together and its cracks fill with gold. */
export function MendedFrame() {
  const [run, setRun] = useState(0)
  return (
    <figure className="mended relative">
      <svg
        key={run}
        viewBox="0 0 640 472"
        role="img"
        aria-label="A shattered frame of film is put together again; its cracks are filled with gold."
        className="block w-full"
      >
        <defs>
          {SHARDS.map((shard, index) => (
            <clipPath key={shard.points} id={`shard-${index}`}>
              <polygon points={shard.points} />
            </clipPath>
          ))}
        </defs>
        <rect
          width="640"
          height="472"
          rx="10"
          style={{ fill: 'light-dark(oklch(0.2 0.032 262), oklch(0.29 0.034 262))' }}
        />
        {HOLES.map((x) => (
          <g key={x} fill="var(--porcelain)">
            <rect x={x} y="14" width="26" height="20" rx="4" />
            <rect x={x} y="438" width="26" height="20" rx="4" />
          </g>
        ))}
        <g fill="#d9a53a" fontSize="11" fontWeight="600" letterSpacing="1.5" fontFamily="var(--font-display)">
          <text x="44" y="49">
            MENDFRAME 5203
          </text>
          <text x="330" y="49">
            24
          </text>
          <text x="584" y="49">
            25
          </text>
        </g>
        <rect x="40" y="56" width="560" height="360" rx="3" fill="oklch(0.13 0.02 262)" />
        <svg x="40" y="56" width="560" height="360" viewBox="0 0 560 360" overflow="hidden">
          <title>Film frame</title>
          {SHARDS.map((shard, index) => (
            <g
              key={shard.points}
              className="mended-shard"
              style={{
                ['--dx' as string]: `${shard.dx}px`,
                ['--dy' as string]: `${shard.dy}px`,
                ['--turn' as string]: `${shard.turn}deg`,
              }}
            >
              <g clipPath={`url(#shard-${index})`}>
                <Scene />
              </g>
            </g>
          ))}
          <g className="mended-seams">
            <path d={SEAMS} fill="#bd8a26" />
            <path d={SEAM_LIGHT} fill="#f5d585" />
            <circle cx="325" cy="165" r="6.5" fill="#bd8a26" />
            <circle cx="324" cy="164" r="3.5" fill="#f5d585" />
          </g>
          <rect width="560" height="360" fill="none" stroke="oklch(0.13 0.02 262)" strokeWidth="3" />
        </svg>
      </svg>
      <button
        type="button"
        onClick={() => setRun(run + 1)}
        aria-label="Show again how the frame is mended"
        className="mended-again absolute right-[7.5%] bottom-[13.5%] grid size-9 place-items-center rounded-full bg-[#0f1828]/75 text-[#f6f1e4] hover:bg-[#0f1828]"
      >
        <RotateCcw aria-hidden size={16} />
      </button>
    </figure>
  )
}
