import { Pause, Play } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Scene } from '../../../shared/ui/scene.tsx'
import { SEAM_LIGHT, SEAMS, SHARDS } from './cracks.ts'
import poster from './demonstration.jpg'
import demonstration from './demonstration.mp4'

const HOLES = Array.from({ length: 13 }, (_, index) => 18 + index * 48)

/**
 * The demonstration: a shattered frame of film comes together, its cracks fill with gold, and in it plays a film that the
 * engine has repaired. Nobody who asked for less motion sees it move before pressing its button.
 */
export function MendedFrame() {
  const seams = useRef<SVGGElement>(null)
  const video = useRef<HTMLVideoElement>(null)
  const [shown, setShown] = useState(false)
  const [playing, setPlaying] = useState(false)

  useEffect(() => {
    if (window.matchMedia('(prefers-reduced-motion: reduce)').matches) return
    let over = false
    const mended = seams.current?.getAnimations().map(({ finished }) => finished) ?? []
    Promise.all(mended).then(
      () => {
        if (!over) setShown(true)
      },
      () => undefined,
    )
    return () => {
      over = true
    }
  }, [])

  const press = () => {
    if (!shown) setShown(true)
    else if (playing) video.current?.pause()
    else void video.current?.play()
  }
  return (
    <figure className="mended relative">
      <svg
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
          <g ref={seams} className="mended-seams">
            <path d={SEAMS} fill="#bd8a26" />
            <path d={SEAM_LIGHT} fill="#f5d585" />
            <circle cx="325" cy="165" r="6.5" fill="#bd8a26" />
            <circle cx="324" cy="164" r="3.5" fill="#f5d585" />
          </g>
          <rect width="560" height="360" fill="none" stroke="oklch(0.13 0.02 262)" strokeWidth="3" />
        </svg>
      </svg>
      {shown ? (
        <video
          ref={video}
          src={demonstration}
          poster={poster}
          muted
          autoPlay
          playsInline
          onPlay={() => setPlaying(true)}
          onPause={() => setPlaying(false)}
          aria-label="A film whose index was lost: at first its bytes, then the film as it was repaired."
          className="mended-film absolute object-cover"
        />
      ) : null}
      <button
        type="button"
        onClick={press}
        aria-label={playing ? 'Pause the repaired film' : 'Play the repaired film'}
        className="mended-again absolute right-[7.5%] grid size-9 place-items-center rounded-full bg-[#0f1828]/75 text-[#f6f1e4] hover:bg-[#0f1828]"
      >
        {playing ? <Pause aria-hidden size={16} /> : <Play aria-hidden size={16} />}
      </button>
      <figcaption className="mt-3 text-small text-ink-soft">
        A real repair: the bytes of a film whose index was lost, and every picture of it back.
      </figcaption>
    </figure>
  )
}
