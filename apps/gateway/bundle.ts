import { dirname, join, resolve } from 'node:path'
import { type Plugin, rolldown } from 'rolldown'

/**
 * Bundles the gateway's program into a few files: `node bundle.ts <directory>` writes `sluice.js` there, and the modules that it
 * loads later or in a thread. The bundle needs no package and can be moved, as long as it stays three folders below the folder that
 * contains `console/dist`. See decisions 51 and 72.
 */
const [directory = ''] = process.argv.slice(2)
const ROOT = join(import.meta.dirname, '..', '..')
/** As far below `apps` as a bundle, so that relative paths work from a bundle as well. */
const AS_DEEP = join(import.meta.dirname, 'src', 'cli')

const OWN_ADDRESS = /new URL\('(\.[^']+\.ts)', import\.meta\.url\)/g

/** A module that refers to another by its URL starts a thread with it: the other becomes a separate, loadable file. */
const threads: Plugin = {
  name: 'threads',
  transform(code, id) {
    if (!isOurs(id) || !code.includes('import.meta')) return undefined
    const moved = code.replaceAll(OWN_ADDRESS, (_, file: string) => {
      const module = resolve(dirname(id), file)
      return `new URL(import.meta.ROLLUP_FILE_URL_${this.emitFile({ type: 'chunk', id: module })})`
    })
    for (const [kept] of moved.matchAll(/import\.meta(?!\.ROLLUP_FILE_URL_)[.\w]*/g)) {
      const isSame = kept === 'import.meta.dirname' && dirname(id) === AS_DEEP
      if (!isSame) this.error(`${id}: a bundle has another ${kept} than its sources`)
    }
    return moved
  },
}

/** V8 stores a source with even one character beyond Latin 1 at two bytes per character. */
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
  plugins: [threads, oneByteCharacters],
  logLevel: 'warn',
})
await bundle.write({ dir: resolve(directory), format: 'esm', comments: false })
await bundle.close()
