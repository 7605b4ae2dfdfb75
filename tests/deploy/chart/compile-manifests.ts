import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Manifest } from './helm.ts'

const execute = promisify(execFile)
const ROOT = join(import.meta.dirname, '..', '..', '..')

const MODULES: Readonly<Record<string, string>> = {
  'apps/v1': 'apps/v1',
  v1: 'core/v1',
  'autoscaling/v2': 'autoscaling/v2',
  'policy/v1': 'policy/v1',
  'networking.k8s.io/v1': 'networking/v1',
}

/**
 * Kinds that Kubernetes itself does not have, with the fields that the chart uses (https://gateway-api.sigs.k8s.io/reference/spec/,
 * https://prometheus-operator.dev/docs/api-reference/api/).
 */
const OTHERS = `
import type { LabelSelector, ObjectMeta } from 'kubernetes-types/meta/v1'
interface HTTPRoute {
  apiVersion: 'gateway.networking.k8s.io/v1'
  kind: 'HTTPRoute'
  metadata: ObjectMeta
  spec: {
    parentRefs: { name: string; namespace?: string; sectionName?: string; port?: number }[]
    hostnames?: string[]
    rules: {
      matches: { path: { type: 'Exact' | 'PathPrefix' | 'RegularExpression'; value: string } }[]
      timeouts?: { request?: string; backendRequest?: string }
      backendRefs: { name: string; port: number; weight?: number }[]
    }[]
  }
}
interface ServiceMonitor {
  apiVersion: 'monitoring.coreos.com/v1'
  kind: 'ServiceMonitor'
  metadata: ObjectMeta
  spec: {
    selector: LabelSelector
    endpoints: {
      port: string
      path: string
      interval: string
      authorization: { type: 'Bearer'; credentials: { name: string; key: string } }
    }[]
  }
}
`

/** The compiler's errors for manifests as literals of Kubernetes' types: unknown, missing and wrong fields. Empty for none. */
export async function compileManifests(manifests: readonly Manifest[]): Promise<string> {
  const imports = new Map<string, string>()
  for (const { apiVersion, kind } of manifests) {
    const module = MODULES[apiVersion]
    if (module !== undefined) imports.set(kind, `import type { ${kind} } from 'kubernetes-types/${module}'`)
  }
  const literals = manifests.map(
    (manifest, at) => `export const m${at}: ${manifest.kind} = ${JSON.stringify(manifest, null, 1)}`,
  )
  const cache = join(ROOT, '.cache')
  await mkdir(cache, { recursive: true })
  const folder = await mkdtemp(join(cache, 'sluice-manifests-'))
  try {
    const file = join(folder, 'manifests.ts')
    await writeFile(file, [...imports.values(), OTHERS, ...literals].join('\n'))
    const tsc = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc')
    await execute(process.execPath, [
      tsc,
      '--ignoreConfig',
      '--noEmit',
      '--strict',
      '--types',
      '',
      '--module',
      'esnext',
      '--moduleResolution',
      'bundler',
      file,
    ])
    return ''
  } catch (error) {
    return error instanceof Error && 'stdout' in error ? String(error.stdout) : String(error)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
