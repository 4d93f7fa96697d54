/**
 * Unpacks the browser that comes with its npm package into the folder that TMPDIR names. A process of its own,
 * because the package decides by environment variables and changes them.
 */
import chromium from '@sparticuz/chromium'

await chromium.executablePath()
