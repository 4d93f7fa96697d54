import type { Config } from '@react-router/dev/config'

/** A static site: no server rendering; the pages people land on are prerendered at build time. */
export default {
  appDirectory: 'src',
  buildDirectory: 'build',
  ssr: false,
  prerender: ['/', '/photo'],
} satisfies Config
