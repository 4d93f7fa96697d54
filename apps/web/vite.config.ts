import { reactRouter } from '@react-router/dev/vite'
import tailwindcss from '@tailwindcss/vite'
import { defineConfig } from 'vite'
import { readyToPrerender } from './ready-to-prerender.ts'

/** Where `npm run dev` finds a running Mendframe service; the built site is served by that service itself. */
const service = process.env.MENDFRAME_DEV_SERVICE ?? 'http://127.0.0.1:8787'

/** Our own part of what every page needs before it is touched. Nothing here may import more than the framework. */
const SHELL = new RegExp(
  [
    'contract/src/limits',
    'web/src/root',
    'web/src/app/overlays',
    'web/src/features/auth/photo-app-path',
    'web/src/features/chrome/(error-screen|public-header|skip-link)',
    'web/src/features/photo-landing/picture-sizes',
    'web/src/routes/site-layout',
    'web/src/shared/brand/brand',
    'web/src/shared/lib/(cx|deferred|in-words|interaction|lazy-with-timeout|page-meta|platform|starts|theme|unknown-page)',
    'web/src/shared/notify/notify',
    'web/src/shared/overlay/overlay',
    'web/src/shared/storage/(session-keys|session-signal|use-signed-in)',
    'web/src/shared/ui/(button|desktop-link|drop-box|logo|theme-toggle)',
  ]
    .map((path) => `${path}\\.tsx?$`)
    .join('|'),
)

export default defineConfig({
  plugins: [tailwindcss(), reactRouter(), readyToPrerender('build/server')],
  // The style sheets use light-dark() and nesting as they are; lowering them would fix every colour at the root.
  build: {
    target: 'es2023',
    cssTarget: ['chrome123', 'edge123', 'firefox121', 'safari17.5'],
    assetsInlineLimit: 2048,
    // What every page needs travels in two pieces: it compresses better than in a dozen.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            {
              name: 'framework',
              test: /node_modules[\\/](react|react-dom|react-router|scheduler|cookie)[\\/]/,
            },
            { name: 'shell', test: SHELL },
          ],
        },
      },
    },
  },
  server: { proxy: { '/api': service, '/files': service } },
})
