import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { extname, join, relative, sep } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'

/** The built console in memory, about 2 MB: no request touches the disk or reaches a file outside the build directory. */
export type ConsoleFiles = ReadonlyMap<string, ConsoleFile>

export interface ConsoleFile {
  readonly type: string
  /** The name carries a content hash, so the file can be cached forever. */
  readonly hashed: boolean
  readonly etag: string
  readonly plain: Buffer
  readonly br: Buffer | undefined
  readonly gzip: Buffer | undefined
}

/** More than this in the build directory is a mistake, not a console. */
const MAX_TOTAL_BYTES = 64 * 1_048_576

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.txt': 'text/plain; charset=utf-8',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
}

export const PAGE = '/index.html'

/** Vite's `name-<8 characters of hash>.ext` under `assets/`. */
const HASHED = /^\/assets\/.+-[\w-]{8}\.\w+$/

/** `x.br` and `x.gz` become variants of `x`; dot files and unknown types are left out. An absent directory yields no files. */
export async function loadConsoleFiles(directory: string, basePath = ''): Promise<ConsoleFiles> {
  const files = new Map<string, ConsoleFile>()
  const names = await listFiles(directory)
  let total = 0
  for (const name of names) {
    const type = TYPES[extname(name)]
    const path = `/${relative(directory, name).split(sep).join('/')}`
    if (type === undefined || path.includes('/.')) continue
    const [plain, br, gzip] = await Promise.all([
      readFile(name),
      names.has(`${name}.br`) ? readFile(`${name}.br`) : undefined,
      names.has(`${name}.gz`) ? readFile(`${name}.gz`) : undefined,
    ])
    total += plain.length + (br?.length ?? 0) + (gzip?.length ?? 0)
    if (total > MAX_TOTAL_BYTES) throw new Error(`${directory} holds more than ${MAX_TOTAL_BYTES} bytes`)
    files.set(path, { type, hashed: HASHED.test(path), etag: etagOf(plain), plain, br, gzip })
  }
  const page = files.get(PAGE)
  if (page !== undefined && basePath !== '') files.set(PAGE, pageBelow(basePath, page))
  return files
}

const etagOf = (plain: Buffer): string => `"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`

/** The page, with the base path before the addresses of its files, which stay absolute: the policy allows no `<base>`. */
function pageBelow(basePath: string, page: ConsoleFile): ConsoleFile {
  const html = page.plain.toString().replace(/ (src|href)="\/(?!\/)/g, (_, name: string) => ` ${name}="${basePath}/`)
  const plain = Buffer.from(html)
  return { ...page, etag: etagOf(plain), plain, br: brotliCompressSync(plain), gzip: gzipSync(plain) }
}

async function listFiles(directory: string): Promise<Set<string>> {
  try {
    const entries = await readdir(directory, { recursive: true, withFileTypes: true })
    return new Set(entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name)))
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return new Set()
    throw error
  }
}
