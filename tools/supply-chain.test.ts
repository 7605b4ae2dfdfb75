import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '..')

interface Manifest {
  readonly name?: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly scripts?: Readonly<Record<string, string>>
}

interface Locked {
  readonly link?: boolean
  readonly optional?: boolean
  readonly integrity?: string
  readonly version?: string
}

const read = async <T>(file: string): Promise<T> => JSON.parse(await readFile(join(ROOT, file), 'utf8')) as T

async function manifests(): Promise<readonly (readonly [file: string, manifest: Manifest])[]> {
  const files = ['package.json']
  for await (const file of glob(['{apps,packages}/*/package.json', 'tests/testkit/package.json'], { cwd: ROOT }))
    files.push(file)
  return await Promise.all(files.map(async (file) => [file, await read<Manifest>(file)] as const))
}

describe('dependencies', { tags: 'S30' }, () => {
  it('run nothing when they are installed', async () => {
    expect(await readFile(join(ROOT, '.npmrc'), 'utf8')).toMatch(/^ignore-scripts=true$/m)
    const hooks = ['preinstall', 'install', 'postinstall', 'prepare', 'prepublish']
    for (const [file, { scripts = {} }] of await manifests()) {
      expect(
        hooks.filter((hook) => scripts[hook] !== undefined),
        file,
      ).toEqual([])
    }
  })

  it('are named by exact versions', async () => {
    for (const [file, { dependencies, devDependencies }] of await manifests()) {
      for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies })) {
        expect(version, `${name} in ${file}`).toMatch(/^(npm:[\w@/.-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/)
      }
    }
  })

  it('are pinned with a checksum, however deep', async () => {
    const { packages } = await read<{ packages: Record<string, Locked> }>('package-lock.json')
    // Binaries for other platforms than that of the lock file's author are optional, and npm never fetched them there.
    const fetched = Object.entries(packages).filter(
      ([path, { link, optional, integrity }]) => path.includes('node_modules/') && !link && (!optional || integrity),
    )
    expect(fetched.length).toBeGreaterThan(100)
    const loose = fetched.filter(([, { integrity = '' }]) => !/^sha512-[\w+/=]{80,}$/.test(integrity))
    expect(loose.map(([path]) => path)).toEqual([])
  })
})
