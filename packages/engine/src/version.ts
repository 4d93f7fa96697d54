/** The engine's version, part of every report. */
export const ENGINE_VERSION = '0.1.0'
