import { reactRouter } from '@react-router/dev/vite'
import tailwindcss from '@tailwindcss/vite'
import { defineConfig } from 'vite'

/** Where `npm run dev` finds a running Mendframe service; the built site is served by that service itself. */
const service = process.env.MENDFRAME_DEV_SERVICE ?? 'http://127.0.0.1:8787'

/** Our own part of what every page needs before it is touched. Nothing here may import more than the framework. */
const SHELL =
  /src\/(shared\/(lib\/(cx|interaction|deferred|lazy-with-timeout|platform|theme|page-meta)|overlay\/overlay|notify\/notify|brand\/brand|storage\/(use-signed-in|session-signal|session-keys)|ui\/(button|logo|theme-toggle|drop-box|desktop-link))|app\/overlays|features\/chrome\/(public-header|skip-link))\.tsx?$/

export default defineConfig({
  plugins: [tailwindcss(), reactRouter()],
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
