export type { App } from './app.ts'
export { createServer, type ServerOptions } from './server.ts'
