import { dirname, join, relative, resolve } from 'node:path'
import { type Plugin, rolldown } from 'rolldown'

/**
 * Writes the gateway's program into a few files: `node bundle.ts <directory>` leaves `sluice.js` there, with what it loads later or
 * in a thread. Paths relative to the sources still resolve against the sources, so the result cannot be moved. See decision 51.
 */
const [directory = ''] = process.argv.slice(2)
const out = resolve(directory)
const ROOT = join(import.meta.dirname, '..', '..')

const OWN_ADDRESS = /new URL\('(\.[^']+\.ts)', import\.meta\.url\)/g

/** A module that refers to another by its URL starts a thread with it: the other becomes a file that can be loaded by itself. */
const threads: Plugin = {
  name: 'threads',
  transform(code, id) {
    if (!isOurs(id) || !code.includes('import.meta')) return undefined
    const moved = code
      .replaceAll(OWN_ADDRESS, (_, file: string) => {
        const module = resolve(dirname(id), file)
        return `new URL(import.meta.ROLLUP_FILE_URL_${this.emitFile({ type: 'chunk', id: module })})`
      })
      // A directory relative to the sources is still looked for from there.
      .replaceAll('import.meta.dirname', `(import.meta.dirname + ${JSON.stringify(`/${relative(out, dirname(id))}`)})`)
    const kept = /import\.meta(?!\.ROLLUP_FILE_URL_|\.dirname \+ ")[.\w]*/.exec(moved)
    if (kept !== null) this.error(`${id}: a bundle has another ${kept[0]} than its sources`)
    return moved
  },
}

/** Packages that are loaded on demand stay outside the bundle, as do those that look for files of their own. */
const onDemand: Plugin = {
  name: 'on demand',
  resolveId: (id, _, { kind }) =>
    kind === 'dynamic-import' && !/^(\.|@sluice\/)/.test(id) ? { id, external: true } : undefined,
}
const PACKAGES_WITH_FILES = ['pino', 'pg']

/** V8 stores a source that holds even one character beyond Latin 1 at two bytes per character. */
const oneByteCharacters: Plugin = {
  name: 'one byte for a character',
  renderChunk: (code) => ({ code: code.replaceAll(/[^\0-\x7f]/g, escaped) }),
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}

function isOurs(id: string): boolean {
  return id.startsWith(ROOT) && !id.includes('node_modules')
}

const bundle = await rolldown({
  input: { sluice: join(import.meta.dirname, 'src', 'cli', 'sluice.ts') },
  cwd: ROOT,
  platform: 'node',
  external: PACKAGES_WITH_FILES,
  plugins: [threads, onDemand, oneByteCharacters],
  logLevel: 'warn',
})
await bundle.write({ dir: out, format: 'esm', comments: false })
await bundle.close()
