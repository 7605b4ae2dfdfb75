import { resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build, type Rolldown } from 'vite'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'

type Chunk = Rolldown.OutputChunk
type Bundle = readonly (Chunk | Rolldown.OutputAsset)[]

/** Bytes after gzip. */
const BUDGET = {
  login: 121_000,
  dashboard: 160_000,
  routeChunk: 35_000,
  /** What only the playground uses, markdown included. */
  playground: 60_000,
  /** What a visit to the playground downloads beyond what the dashboard already has. */
  playgroundVisit: 65_700,
  /** What one reader can download, see decision record 97. */
  whole: 504_300,
  /** TeX to MathML, in a worker that is loaded with the first formula. */
  formulas: 65_000,
  css: 12_000,
  loginFiles: 10,
} as const

/** Sign-in must not download modules whose ids contain these. */
const NOT_AT_SIGN_IN = [
  '/@base-ui/',
  '/d3-',
  '/react-hook-form/',
  '/@hookform/',
  '/@tanstack/react-table/',
  '/@tanstack/table-core/',
  '/@tanstack/query-core/',
  '/virtua/',
  '/tinykeys/',
]

const ROOT = resolve(import.meta.dirname, '../..')

const gzipped = (code: string | Uint8Array) => gzipSync(code, { level: 9 }).length
const isChunk = (file: Bundle[number]): file is Chunk => file.type === 'chunk'

/** The chunk and everything it imports statically. */
function withImports(chunks: ReadonlyMap<string, Chunk>, start: Chunk): Set<Chunk> {
  const reached = new Set<Chunk>()
  const visit = (chunk: Chunk | undefined) => {
    if (chunk === undefined || reached.has(chunk)) return
    reached.add(chunk)
    for (const name of chunk.imports) visit(chunks.get(name))
  }
  visit(start)
  return reached
}

/** Translations replace English texts: no reader downloads both. */
const isTranslation = (chunk: Chunk) => chunk.moduleIds.every((id) => id.includes('zh-cn'))
/** Loaded only with servers that do not say what their models accept; ours does. */
const isForOthers = (chunk: Chunk) => chunk.moduleIds.every((id) => id.includes('/model-families'))
/** Workers and what they load, which the page itself does not download. */
const isOfWorker = (file: Bundle[number]): file is Rolldown.OutputAsset =>
  file.type === 'asset' && file.fileName.endsWith('.js')

const kilobytes = (bytes: number) => `${(bytes / 1_000).toFixed(1)} kB`

describe('bundle', () => {
  let bundle: Bundle
  let chunks: ReadonlyMap<string, Chunk>
  let atSignIn: Set<Chunk>

  beforeAll(async () => {
    // Built here and not read from dist/, so that the figures are those of the sources under test.
    vi.stubEnv('NODE_ENV', 'production')
    const built = await build({ root: ROOT, logLevel: 'error', build: { write: false } })
    if (!('output' in built)) throw new Error('expected one output of a build that does not watch')
    bundle = built.output
    chunks = new Map(bundle.filter(isChunk).map((chunk) => [chunk.fileName, chunk]))
    const entry = [...chunks.values()].find((chunk) => chunk.isEntry)
    const login = [...chunks.values()].find((chunk) => chunk.moduleIds.some((id) => id.endsWith('/login-page.tsx')))
    if (entry === undefined || login === undefined) throw new Error('entry or sign-in chunk not found')
    atSignIn = new Set([...withImports(chunks, entry), ...withImports(chunks, login)])
  }, 60_000)

  afterAll(() => {
    vi.unstubAllEnvs()
  })

  it('keeps the download for sign-in small', () => {
    const files = [...atSignIn].map((chunk) => ({ name: chunk.name, bytes: gzipped(chunk.code) }))
    const total = files.reduce((sum, { bytes }) => sum + bytes, 0)
    console.info(
      `sign-in: ${kilobytes(total)} in ${files.map(({ name, bytes }) => `${name} ${kilobytes(bytes)}`).join(', ')}`,
    )
    expect(total).toBeLessThanOrEqual(BUDGET.login)
    // Plus the document, the style sheet, the theme script, the picture, and the call for the settings.
    expect(files.length + 5).toBeLessThanOrEqual(BUDGET.loginFiles)
  })

  it('keeps the download for the first visit to the dashboard small', () => {
    const page = [...chunks.values()].find((chunk) => chunk.facadeModuleId?.endsWith('/dashboard-page.tsx') === true)
    const entry = [...chunks.values()].find((chunk) => chunk.isEntry)
    if (entry === undefined || page === undefined) throw new Error('entry or dashboard chunk not found')
    const files = [...new Set([...withImports(chunks, entry), ...withImports(chunks, page)])]
    const total = files.reduce((sum, chunk) => sum + gzipped(chunk.code), 0)
    console.info(`dashboard: ${kilobytes(total)} in ${files.length} files`)
    expect(files.map(({ name }) => name)).toContain('signed-in')
    expect(total).toBeLessThanOrEqual(BUDGET.dashboard)
  })

  it.each(NOT_AT_SIGN_IN)('keeps %s away from sign-in', (name) => {
    const found = [...atSignIn].flatMap((chunk) => Object.keys(chunk.modules)).filter((id) => id.includes(name))
    expect(found).toEqual([])
  })

  it('keeps the API calls of features away from sign-in', () => {
    const modules = [...atSignIn].flatMap((chunk) => Object.keys(chunk.modules))
    const allowed = /contract\/src\/routes\/(session|system)\.ts$/
    expect(modules.filter((id) => /\/src\/features\/\w+\/[\w-]+\.ts$/.test(id))).toEqual([])
    expect(modules.filter((id) => /contract\/src\/routes\//.test(id) && !allowed.test(id))).toEqual([])
  })

  it('keeps the download for the playground small, without formulas and syntax highlighting', () => {
    const pageOf = (name: string) => [...chunks.values()].find((chunk) => chunk.facadeModuleId?.endsWith(name) === true)
    const page = pageOf('/playground-page.tsx')
    const dashboard = pageOf('/dashboard-page.tsx')
    const entry = [...chunks.values()].find((chunk) => chunk.isEntry)
    if (entry === undefined || page === undefined || dashboard === undefined) throw new Error('chunks not found')
    const known = new Set([...withImports(chunks, entry), ...withImports(chunks, dashboard)])
    const files = [...withImports(chunks, page)].filter((chunk) => !known.has(chunk))
    const own = files.filter(({ moduleIds }) =>
      moduleIds.some((id) => /features\/playground\/|ui\/markdown\//.test(id)),
    )
    const bytes = (some: readonly Chunk[]) => some.reduce((sum, chunk) => sum + gzipped(chunk.code), 0)
    console.info(
      `playground: ${kilobytes(bytes(own))} of its own, ${kilobytes(bytes(files))} in ${files.map(({ name }) => name).join(', ')}`,
    )
    expect(bytes(own)).toBeLessThanOrEqual(BUDGET.playground)
    expect(bytes(files)).toBeLessThanOrEqual(BUDGET.playgroundVisit)
    const modules = [...chunks.values()].flatMap(({ moduleIds }) => moduleIds)
    expect(modules.filter((id) => /node_modules\/(temml|lowlight|highlight\.js)\//.test(id))).toEqual([])
  })

  it('lets workers load the parts that a text needs, each small', () => {
    const parts = bundle.filter(isOfWorker).map(({ fileName, source }) => ({ fileName, bytes: gzipped(source) }))
    const formulas = parts.filter(({ fileName }) => fileName.includes('formula-tree'))
    const others = parts.filter((part) => !formulas.includes(part))
    console.info(
      `on demand: formulas ${kilobytes(formulas[0]?.bytes ?? 0)}, ${others.length} other parts with ${kilobytes(others.reduce((sum, { bytes }) => sum + bytes, 0))}`,
    )
    expect(formulas.map(({ bytes }) => bytes <= BUDGET.formulas)).toEqual([true])
    expect(others.length).toBeGreaterThan(20)
    expect(others.filter(({ bytes }) => bytes > 12_000)).toEqual([])
  })

  it('keeps every other chunk small', () => {
    const others = [...chunks.values()].filter((chunk) => !atSignIn.has(chunk))
    const sizes = others.map((chunk) => ({ name: chunk.name, bytes: gzipped(chunk.code) }))
    const largest = sizes.toSorted((a, b) => b.bytes - a.bytes).slice(0, 5)
    console.info(`largest: ${largest.map(({ name, bytes }) => `${name} ${kilobytes(bytes)}`).join(', ')}`)
    expect(sizes.filter(({ bytes }) => bytes > BUDGET.routeChunk)).toEqual([])
  })

  it('keeps the total small', () => {
    const read = [...chunks.values()].filter((chunk) => !isTranslation(chunk) && !isForOthers(chunk))
    const total = read.reduce((sum, chunk) => sum + gzipped(chunk.code), 0)
    console.info(`all scripts: ${kilobytes(total)} in ${read.length} files`)
    expect(read.length).toBeLessThan(chunks.size)
    expect(total).toBeLessThanOrEqual(BUDGET.whole)
  })

  it('keeps the style sheet small', () => {
    const styles = bundle.filter((file) => file.type === 'asset' && file.fileName.endsWith('.css'))
    const total = styles.reduce((sum, file) => sum + (file.type === 'asset' ? gzipped(file.source) : 0), 0)
    console.info(`styles: ${kilobytes(total)}`)
    expect(total).toBeLessThanOrEqual(BUDGET.css)
  })

  it('does not reveal where the sources are', () => {
    expect(bundle.filter((file) => file.fileName.endsWith('.map'))).toEqual([])
    expect([...chunks.values()].filter((chunk) => chunk.code.includes('sourceMappingURL'))).toEqual([])
  })

  it('loads every file relatively to the one that asks for it, except in the page, which the gateway completes', () => {
    const page = bundle.find((file) => file.fileName === 'index.html')
    expect(page?.type === 'asset' ? String(page.source) : '').toContain(' src="/assets/')
    const absolute = /["'`(]\/?assets\//
    const wrong = bundle.filter((file) => {
      if (!/\.(js|css)$/.test(file.fileName)) return false
      return absolute.test(file.type === 'chunk' ? file.code : String(file.source))
    })
    expect(wrong.map(({ fileName }) => fileName)).toEqual([])
  })

  it('runs under a policy without inline code', () => {
    const page = bundle.find((file) => file.fileName === 'index.html')
    const html = page?.type === 'asset' ? String(page.source) : ''
    expect(html).toContain('<script')
    expect(html).not.toMatch(/<script(?![^>]*\ssrc=)[^>]*>/)
    expect(html).not.toMatch(/<style|\sstyle=|\son\w+=/)
  })
})
