/**
 * The path before every path of this console, such as `/ai` where a proxy shows it at `https://host/ai/`; empty at the root of the
 * host. The build does not know it, but the address of its scripts, in a folder below that path, reveals it. Empty for the
 * development server.
 */
export const BASE_PATH = import.meta.env.PROD ? basePathOf(import.meta.url) : ''

/** `script`: address of a script of the build, `…/assets/name.js`. */
export function basePathOf(script: string): string {
  return new URL('..', script).pathname.slice(0, -1)
}
