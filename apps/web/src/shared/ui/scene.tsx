/**
 * The moment on our film: two people and a kite above the sea. Drawn flat, like a print, in a 560 by 360 frame; every
 * illustration of a frame, whole or damaged, uses it.
 */
export function Scene() {
  return (
    <g>
      <rect width="560" height="360" fill="#e9e4d6" />
      <rect y="70" width="560" height="60" fill="#dfe0d2" />
      <rect y="130" width="560" height="100" fill="#cfdcd0" />
      <circle cx="408" cy="138" r="46" fill="#e7b549" />
      <path d="M0 186 62 150l44 20 66-58 58 52 40-22 62 44 70-28 58 24 100-34v100H0Z" fill="#8fb0a6" />
      <path d="M0 214 84 182l70 26 88-30 76 32 92-20 150 26v30H0Z" fill="#5f8a84" />
      <rect y="226" width="560" height="90" fill="#2f5766" />
      <path
        d="M370 238h76M352 250h112M384 262h52M364 274h84M60 246h70M22 262h54M150 274h88M236 252h40"
        stroke="#7fa6a4"
        strokeWidth="3"
        strokeLinecap="round"
      />
      <path
        d="M388 238h40M380 250h58M396 262h28M386 274h42"
        stroke="#e7b549"
        strokeWidth="3"
        strokeLinecap="round"
      />
      <path d="M0 300 120 282l150 12 150-16 140 16v66H0Z" fill="#22364a" />
      <g fill="#0f1828">
        <circle cx="172" cy="232" r="9" />
        <path d="M163 244q9-5 18 0l5 30-3 1-3 32h-6l-2-26-2 26h-6l-3-32-3-1Z" />
        <path d="m180 247 22-20 3 4-22 23Z" />
        <circle cx="216" cy="262" r="7" />
        <path d="M210 271q6-3 12 0l4 20-3 1-2 17h-4l-1-14-1 14h-4l-2-17-3-1Z" />
      </g>
      <path d="M204 228C250 180 268 130 300 84" fill="none" stroke="#0f1828" strokeWidth="1.6" />
      <path d="m300 84-8-34 30-16 14 30Z" fill="#c2452d" />
      <path d="m292 50 44 14M322 34 300 84" stroke="#f4ead3" strokeWidth="2" />
      <path d="M300 84q-12 8-6 18t-6 18" fill="none" stroke="#c2452d" strokeWidth="3" />
    </g>
  )
}
