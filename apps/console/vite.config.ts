import { readdir, readFile, writeFile } from 'node:fs/promises'
import { extname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

const COMPRESSED = new Set(['.js', '.css', '.html', '.svg', '.json', '.txt', '.webmanifest'])
/** Below this size a compressed copy saves no packet. */
const SMALLEST_COMPRESSED_BYTES = 512

/**
 * Writes `x.br` and `x.gz` next to every text file of the build, so that the gateway never has to compress. Omits copies that are
 * larger than the original.
 */
function precompress(): Plugin {
  let directory: string | undefined
  return {
    name: 'sluice:precompress',
    apply: 'build',
    configResolved(config) {
      directory = config.build.write ? resolve(config.root, config.build.outDir) : undefined
    },
    async closeBundle() {
      if (directory === undefined) return
      const entries = await readdir(directory, { recursive: true, withFileTypes: true })
      const files = entries
        .filter((entry) => entry.isFile() && COMPRESSED.has(extname(entry.name)))
        .map((entry) => join(entry.parentPath, entry.name))
      await Promise.all(files.map(compressBoth))
    },
  }
}

async function compressBoth(file: string): Promise<void> {
  const content = await readFile(file)
  if (content.length < SMALLEST_COMPRESSED_BYTES) return
  const [brotli, gzipped] = await Promise.all([
    promisify(brotliCompress)(content, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
        [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
      },
    }),
    promisify(gzip)(content, { level: 9 }),
  ])
  if (brotli.length < content.length) await writeFile(`${file}.br`, brotli)
  if (gzipped.length < content.length) await writeFile(`${file}.gz`, gzipped)
}

/** Every component imports these; both are CommonJS. */
const REACT = ['react', 'react/jsx-runtime']
const AS_MODULE = '\0module:'

/**
 * Turns React into ES modules. A bundler cannot look into CommonJS: every chunk would wrap all of React again and read each name
 * from it at each use, as in `(0,react.useState)`. Imported names save 4 kB of the whole console after gzip.
 */
function reactModules(): Plugin {
  return {
    name: 'sluice:react-modules',
    apply: 'build',
    enforce: 'pre',
    resolveId(id, importer, { kind }) {
      if (!REACT.includes(id) || kind !== 'import-statement' || importer?.startsWith(AS_MODULE) === true) return null
      return { id: AS_MODULE + id, moduleSideEffects: false }
    },
    async load(id) {
      if (!id.startsWith(AS_MODULE)) return null
      const name = id.slice(AS_MODULE.length)
      const { default: all }: { default: object } = await import(name)
      const named = Object.keys(all).map((key) => `export const ${key} = /* @__PURE__ */ (() => all.${key})()`)
      return [`import all from '${name}'`, 'export default all', ...named].join('\n')
    },
  }
}

const gateway = process.env['SLUICE_GATEWAY'] ?? 'http://127.0.0.1:3000'

/** What every page of a signed-in user needs besides its own code. */
const SIGNED_IN = [
  /features\/shell\/ui\/(navigation-|signed-in-|preference-)/,
  /src\/ui\/(load-failure|menu|tip-layer|icons|skeleton|badge|time|copy-button|dialog|name-dialog|panel|segments)\.tsx?$/,
  /src\/ui\/(combobox\/(use-|matching-options)|toast\/use-)/,
  // Shared by the charts of the dashboard and of the logs; too small to be worth a request.
  /src\/ui\/chart\/(chart-icons|tooltip|use-width)/,
  /src\/lib\/(?!dom\/save-file|format\/csv|list\/|navigation\/use-leave-guard)/,
  /src\/routes\/query-scope/,
  // Excludes what only the pages of one area need.
  /packages\/contract\/src\/(?!fields\/|routes\/(?!(dashboard|session|system|account)\.)|receipt\.|import\.|charges-csv\.|ledger-check\.|channel(-json|-kinds)?\.|routing\.|log\.|token\.|budget\.)/,
  /node_modules\/(@tanstack\/(query-core|react-query)|tinykeys)\//,
]

/** Parts of an area that its first page does not need. */
const LATER =
  /features\/dashboard\/(?:\w+\/)?(first-steps|audit|ledger-checks|series)|features\/playground\/model\/(export|model-families)/
/** What the dashboard shares with its charts, which load separately. */
const WITH_CHARTS = /features\/dashboard\/ui\/segments|ui\/chart\/chart-placeholder/

/** Groups one feature's calls, rules and English texts: small files that its pages need together. Translations load when chosen. */
function areaOf(id: string): string | null {
  if (LATER.test(id)) return null
  if (WITH_CHARTS.test(id)) return 'area-dashboard'
  if (id.endsWith('contract/src/channel-kinds.ts')) return 'area-channels'
  const area = /src\/features\/(\w+)\/(?:[\w-]+\.ts|(?:model|texts)\/(?!.*zh-cn))/.exec(id)?.[1]
  return area === undefined || area === 'session' ? null : `area-${area}`
}

/** Groups the pages that create and edit the rows of one area, with the form that they share. */
function formOf(id: string): string | null {
  const [, area] = /features\/(tokens|users|redemptions)\/ui\/[\w-]*(form|fields)\.tsx$/.exec(id) ?? []
  return area === undefined ? null : `${area}-form`
}

/**
 * Named chunks, because the bundler would make a request for every few lines that two pages share. The first two gather what every
 * visit loads anyway and pull nothing else in; the others combine what is needed together. A chunk includes what its modules
 * import, so they are ordered from the ground up. `src/app/bundle.test.ts` fails when a chunk grows into something it should not
 * contain.
 */
const CHUNKS = [
  { name: 'libraries', tags: ['$initial' as const], test: /node_modules/, priority: 9 },
  { name: 'shell', tags: ['$initial' as const], priority: 8 },
  {
    name: 'basics',
    test: /src\/ui\/(field|notice|page|icon)\.tsx$|contract\/src\/routes\/session\.ts$/,
    priority: 7,
  },
  { name: 'signed-in', test: (id: string) => SIGNED_IN.some((pattern) => pattern.test(id)), priority: 6 },
  // Sign-in, with what the other access screens share with it.
  {
    name: 'sign-in',
    test: /features\/session\/(ui\/(login-page|access-card|passkey-button|password-input|totp-field|use-bot-challenge)|model\/sign-in|texts\/session-texts)\.tsx?$/,
    priority: 5,
  },
  // Register and both halves of a password reset: small pages with the same fields.
  {
    name: 'registration',
    test: /features\/session\/(ui\/(register|reset-|password-fields|email-proof|use-access)|model\/(registration|password-strength))/,
    priority: 1,
  },
  {
    name: 'lists',
    test: /src\/(ui\/(table\/|combobox\/search-box)|lib\/list\/)|node_modules\/(@tanstack\/(react-table|table-core)|virtua)\//,
    minShareCount: 2,
    priority: 4,
  },
  {
    name: 'forms',
    test: /src\/ui\/(form\/|quota\/(budget-fields|quota-estimate))|node_modules\/(react-hook-form|@hookform)\//,
    minShareCount: 2,
    priority: 3,
  },
  // Calls of one area that another area also makes, without the rest of the first.
  {
    name: 'calls',
    test: /packages\/contract\/src\/(routes\/(public|tokens|receipts)|token|receipt)\./,
    minShareCount: 2,
    priority: 3,
  },
  { name: 'quota', test: /src\/ui\/quota\/(?!budget-fields|quota-estimate)/, minShareCount: 2, priority: 4 },
  { name: 'routing', test: /src\/ui\/routing\//, minShareCount: 2, priority: 3 },
  // Shared by the playground and forms, which must not load each other.
  { name: 'choice-box', test: /src\/ui\/combobox\/choice-box/, priority: 3 },
  {
    name: 'parts',
    test: /src\/ui\/(fact|masked-secret|switch|use-resting-text)\.tsx?$/,
    minShareCount: 2,
    priority: 3,
  },
  { name: areaOf, debugName: 'areas', priority: 2 },
  { name: formOf, debugName: 'forms of areas', priority: 1 },
]

export default defineConfig({
  root: import.meta.dirname,
  plugins: [reactModules(), react(), tailwindcss(), precompress()],
  // As in tsconfig.base.json.
  resolve: { alias: { '~': join(import.meta.dirname, 'src') } },
  server: { proxy: { '/api': gateway, '/v1': gateway } },
  // Workers load their dependencies on demand, as pages do.
  worker: { format: 'es' },
  experimental: {
    // The gateway may serve the console below a path that no build knows, so scripts and style sheets load what lies beside them.
    // The page is shown at every path of the console, so its addresses are absolute, and the gateway completes them.
    renderBuiltUrl: (_file, { hostType }) => (hostType === 'html' ? undefined : { relative: true }),
  },
  build: {
    target: 'baseline-widely-available',
    sourcemap: false,
    // All supported browsers preload modules themselves.
    modulePreload: { polyfill: false },
    manifest: true,
    // Inlined files would require data: in the content security policy.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rolldownOptions: {
      output: { codeSplitting: { groups: CHUNKS } },
    },
  },
})
