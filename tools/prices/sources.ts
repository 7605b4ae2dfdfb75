import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import type { GenaiProvider } from './read-genai.ts'
import type { PiModel } from './read-pi-ai.ts'

/** The packages with the book's data. They are fetched when a book is written, and are not dependencies. */
const PI_AI = { name: '@earendil-works/pi-ai', version: '1.5.2' }
const GENAI = { name: '@pydantic/genai-prices', version: '0.1.8' }

export interface Sources {
  readonly names: readonly string[]
  /** Models of a pi-ai data file, by its name; empty when there is no such file. */
  readonly pi: (file: string) => readonly PiModel[]
  readonly genai: (provider: string) => GenaiProvider | undefined
}

const run = promisify(execFile)
const DATA_FOLDER = 'dist/providers/data'

/** Fetches and reads both packages through a temporary folder. Their code is not installed; npm runs no scripts. */
export async function fetchSources(): Promise<Sources> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-prices-'))
  try {
    const [pi, genai] = await Promise.all([unpack(PI_AI, folder), unpack(GENAI, folder)])
    const files = await readPiFiles(join(pi, DATA_FOLDER))
    const { findProvider } = (await import(pathToFileURL(join(genai, 'dist/index.js')).href)) as {
      findProvider: (by: { readonly providerId: string }) => GenaiProvider | undefined
    }
    return {
      names: [PI_AI, GENAI].map(({ name, version }) => `${name} ${version}`),
      pi: (file) => files.get(file) ?? [],
      genai: (provider) => findProvider({ providerId: provider }),
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function unpack({ name, version }: { name: string; version: string }, parent: string): Promise<string> {
  const folder = join(parent, name.replace('/', '-'))
  await mkdir(folder)
  const { stdout } = await run('npm', ['pack', `${name}@${version}`, '--json', '--ignore-scripts'], { cwd: folder })
  const [packed] = JSON.parse(stdout) as readonly { readonly filename: string }[]
  if (packed === undefined) throw new Error(`${name} could not be fetched`)
  await run('tar', ['xzf', packed.filename], { cwd: folder })
  return join(folder, 'package')
}

async function readPiFiles(folder: string): Promise<ReadonlyMap<string, readonly PiModel[]>> {
  const names = (await readdir(folder)).filter((name) => /^[^.].*\.json$/.test(name))
  const read = async (name: string): Promise<readonly [string, readonly PiModel[]]> => {
    const byApi = JSON.parse(await readFile(join(folder, name), 'utf8')) as Record<string, Record<string, PiModel>>
    return [name.replace('.json', ''), Object.values(byApi).flatMap((models) => Object.values(models))]
  }
  return new Map(await Promise.all(names.map(read)))
}
