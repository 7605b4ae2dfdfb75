// @module-tag slow
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import type { Container, PodSpec } from 'kubernetes-types/core/v1.d.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { loadConfig } from '../../apps/gateway/src/environment/environment.ts'
import { METRICS } from '../../packages/observe/src/metrics/catalogue.ts'
import { readChartValues } from '../../tools/reference/chart-values.ts'
import { compileManifests } from './chart/compile-manifests.ts'
import {
  CHART,
  chartFile,
  findHelm,
  lintChart,
  type Manifest,
  refusalOf,
  renderChart,
  renderNotes,
} from './chart/helm.ts'
import { REFUSED } from './chart/refused-values.ts'

const helm = findHelm() ?? ''
const EXAMPLES = (await readdir(join(CHART, 'examples'))).toSorted()

/** Combinations that no example shows. */
const MORE: Readonly<Record<string, readonly [file: string, set: readonly string[]]>> = {
  'a trial without a volume': ['sqlite.yaml', ['persistence.enabled=false', 'persistence.ephemeral=true']],
  'a volume that exists, with the key in a secret': [
    'sqlite.yaml',
    ['persistence.existingClaim=old-data', 'masterKey.existingSecret=sluice-key'],
  ],
  'a class of storage, and a node port': [
    'sqlite.yaml',
    ['persistence.storageClass=local', 'persistence.accessMode=ReadWriteOncePod', 'service.type=NodePort'],
  ],
  'one replica on PostgreSQL': ['postgres.yaml', ['replicas=1']],
  'an account, a class and places of its own': [
    'postgres.yaml',
    [
      'serviceAccount.create=false',
      'serviceAccount.name=shared',
      'priorityClassName=high',
      'nodeSelector={"disk":"fast"}',
      'tolerations=[{"key":"ai","operator":"Exists","effect":"NoSchedule"}]',
      'affinity={"nodeAffinity":{}}',
      'podLabels={"team":"platform"}',
      'podAnnotations={"note":"x"}',
      'extraEnvFrom=[{"secretRef":{"name":"more"}}]',
      'topologySpreadConstraints=[{"maxSkew":1,"topologyKey":"rack","whenUnsatisfiable":"DoNotSchedule"}]',
      'terminationGracePeriodSeconds=1000',
    ],
  ],
  'autoscaling by processor time': ['postgres.yaml', ['autoscaling.enabled=true']],
}
const CASES = [
  ...EXAMPLES.map((file) => [file, file, []] as const),
  ...Object.entries(MORE).map(([name, [file, set]]) => [name, file, set] as const),
]

const podsOf = (manifests: readonly Manifest[]): readonly PodSpec[] =>
  manifests.flatMap(({ kind, spec }) => {
    if (kind === 'Pod') return [spec as unknown as PodSpec]
    return kind === 'Deployment' || kind === 'StatefulSet'
      ? [(spec as { template: { spec: PodSpec } }).template.spec]
      : []
  })
const gatewayOf = (manifests: readonly Manifest[]) => {
  const [workload] = manifests.filter(({ kind }) => kind === 'Deployment' || kind === 'StatefulSet')
  if (workload === undefined) throw new Error('the chart renders no gateway')
  const { template } = workload.spec as { template: { spec: PodSpec; metadata: Manifest['metadata'] } }
  return {
    workload,
    pod: template.spec,
    labels: template.metadata.labels,
    container: template.spec.containers[0] as Container,
  }
}

describe.skipIf(helm === '').each(CASES)('the chart with %s', (_, file, set) => {
  let manifests: readonly Manifest[]
  const only = (kind: string) => manifests.filter((manifest) => manifest.kind === kind)
  beforeAll(async () => {
    manifests = await renderChart(helm, [file], set)
  })

  it('renders objects with names and labels that Kubernetes accepts, each once', () => {
    expect(manifests.length).toBeGreaterThanOrEqual(4)
    for (const { metadata } of manifests) {
      expect(metadata.name).toMatch(/^[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/)
      for (const value of Object.values(metadata.labels))
        expect(value).toMatch(/^[A-Za-z0-9]([\w.-]{0,61}[A-Za-z0-9])?$/)
    }
    expect(new Set(manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`)).size).toBe(manifests.length)
  })

  it('keeps every pod to the restricted standard, and away from the API of Kubernetes', () => {
    for (const pod of podsOf(manifests)) {
      expect(pod.automountServiceAccountToken).toBe(false)
      // Otherwise a service named sluice would set SLUICE_PORT, with which no gateway starts.
      expect(pod.enableServiceLinks).toBe(false)
      expect(pod.securityContext).toMatchObject({
        runAsNonRoot: true,
        runAsUser: 65532,
        fsGroup: 65532,
        seccompProfile: { type: 'RuntimeDefault' },
      })
      for (const { securityContext, resources } of pod.containers) {
        expect(securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        })
        expect(resources?.limits).toHaveProperty('memory')
      }
    }
  })

  it('gives the gateway variables that it accepts, and secrets by reference alone', { tags: 'S20' }, () => {
    const { container, workload } = gatewayOf(manifests)
    const names = (container.env ?? []).map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
    const secrets = [
      'DATABASE_URL',
      'SLUICE_MASTER_KEY',
      'SLUICE_ROOT_PASSWORD',
      'SLUICE_VALKEY_URL',
      'SLUICE_METRICS_TOKEN',
    ]
    const stand: Readonly<Record<string, string>> = {
      DATABASE_URL: 'postgres://sluice:x@db:5432/sluice',
      SLUICE_MASTER_KEY: Buffer.alloc(32, 1).toString('base64'),
      SLUICE_ROOT_PASSWORD: 'a long password',
      SLUICE_VALKEY_URL: 'redis://:x@valkey:6379/0',
      SLUICE_METRICS_TOKEN: 'metrics-token-of-a-test',
      SLUICE_OTLP_HEADERS: 'x-api-key=abc',
    }
    const env: Record<string, string> = {}
    for (const { name, value, valueFrom } of container.env ?? []) {
      if (secrets.includes(name)) expect(value, name).toBeUndefined()
      env[name] = valueFrom?.secretKeyRef === undefined ? (value ?? '') : (stand[name] ?? '')
    }
    expect(loadConfig(env).problems).toBeUndefined()
    expect(names).toContain('SLUICE_ROOT_PASSWORD')
    expect(names.includes('DATABASE_URL')).toBe(workload.kind === 'Deployment')
    if (workload.kind === 'Deployment') expect(names).toContain('SLUICE_MASTER_KEY')
  })

  it('never stops an open answer: the pod is killed after the drain, and an update leaves nobody without a gateway', () => {
    const { pod, container, workload } = gatewayOf(manifests)
    const valueOf = (name: string) => Number(container.env?.find((each) => each.name === name)?.value)
    const drain = valueOf('SLUICE_DRAIN_DELAY') + valueOf('SLUICE_DRAIN_TIMEOUT')
    expect(drain).toBeGreaterThanOrEqual(60)
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(drain + 30)
    const { startupProbe, livenessProbe, readinessProbe } = container
    expect([startupProbe, livenessProbe, readinessProbe].map((probe) => probe?.httpGet?.path)).toEqual([
      '/healthz',
      '/healthz',
      '/readyz',
    ])
    expect((startupProbe?.periodSeconds ?? 0) * (startupProbe?.failureThreshold ?? 0)).toBeGreaterThanOrEqual(600)
    if (workload.kind === 'Deployment') {
      expect(workload.spec['strategy']).toMatchObject({ type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 0 } })
    } else {
      expect([workload.kind, workload.spec['replicas']]).toEqual(['StatefulSet', 1])
      expect([...only('HorizontalPodAutoscaler'), ...only('PodDisruptionBudget')]).toEqual([])
    }
  })

  it('refers to ports, volumes, labels and metrics that exist', () => {
    const { pod, container, labels, workload } = gatewayOf(manifests)
    const claims = (workload.spec['volumeClaimTemplates'] ?? []) as readonly Manifest[]
    const volumes = [...(pod.volumes ?? []).map(({ name }) => name), ...claims.map(({ metadata }) => metadata.name)]
    for (const { name } of container.volumeMounts ?? []) expect(volumes).toContain(name)
    expect(container.volumeMounts?.map(({ mountPath }) => mountPath)).toEqual(
      expect.arrayContaining(['/var/lib/sluice', '/tmp']),
    )
    const selector = only('Service')[0]?.spec['selector'] as Readonly<Record<string, string>>
    expect(labels).toMatchObject(selector)
    for (const { metadata } of only('Pod')) expect(metadata.labels).not.toMatchObject(selector)
    for (const { spec } of only('HorizontalPodAutoscaler')) {
      expect(spec['scaleTargetRef']).toMatchObject({ kind: workload.kind, name: workload.metadata.name })
      expect(workload.spec).not.toHaveProperty('replicas')
      const metrics = spec['metrics'] as readonly { readonly pods?: { readonly metric: { readonly name: string } } }[]
      const known = Object.values(METRICS).map(({ name }) => name)
      for (const { pods } of metrics) if (pods !== undefined) expect(known).toContain(pods.metric.name)
      expect(metrics.length).toBeGreaterThan(0)
    }
  })

  it('passes the linter of Helm', async () => {
    if (set.length === 0) expect((await lintChart(helm, file)).stdout).toContain('0 chart(s) failed')
    else expect(set.every((pair) => pair.includes('='))).toBe(true)
  })
})

describe('the manifests', () => {
  it.skipIf(helm === '')('have the kinds and the fields that Kubernetes has, in every case', async () => {
    const rendered = await Promise.all(CASES.map(([, file, set]) => renderChart(helm, [file], set)))
    const kinds = new Set(rendered.flat().map(({ kind }) => kind))
    expect(kinds.size, [...kinds].join(', ')).toBe(11)
    expect(await compileManifests(rendered.flat())).toBe('')
  })

  it('are refused with a field that Kubernetes does not have, and with a wrong value', async () => {
    const metadata = { name: 'x', labels: {} }
    const right: Manifest = {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata,
      spec: { maxUnavailable: 1 },
    }
    const unknown = { ...right, spec: { maxUnavailible: 1 } }
    const wrong = { ...right, spec: { selector: { matchLabels: { a: 1 } } } }
    expect(await compileManifests([right])).toBe('')
    const said = await compileManifests([unknown, wrong])
    expect(said).toContain(`'"maxUnavailible"' does not exist`)
    expect(said).toContain("'number' is not assignable to type 'string'")
  })
})

describe.skipIf(helm === '')('the chart refuses', () => {
  it.each(REFUSED)('%s', async (_, file, set, sentence) => {
    const said = await refusalOf(helm, [file], set)
    expect(said).toContain(sentence)
  })

  it('a start with the well-known password of root', { tags: 'S22' }, async () => {
    const said = await refusalOf(helm, ['sqlite.yaml'], ['rootPassword.existingSecret='])
    expect(said).toContain('rootPassword.existingSecret is empty')
  })

  it('an installation without values, and says what is missing', async () => {
    expect(await refusalOf(helm, [], [])).toContain('image.repository is empty')
  })
})

describe.skipIf(helm === '')('the notes after an installation', () => {
  it('say how to reach the gateway and how to sign in, and warn of what is missing', async () => {
    const notes = await renderNotes(helm, 'sqlite.yaml')
    expect(notes).toContain('port-forward service/release-sluice 3000:80')
    expect(notes).toContain('the secret sluice-root, key SLUICE_ROOT_PASSWORD')
    expect(notes).toContain('sluice backup')
    expect(notes).not.toContain('!')
    const ingress = await renderNotes(helm, 'ingress.yaml')
    expect(ingress).toContain('https://ai.example.com')
    expect(ingress).not.toContain('SLUICE_TRUSTED_PROXIES')
    const untold = ['ingress.enabled=true', 'ingress.hosts=["a.example.com"]']
    expect(await renderNotes(helm, 'sqlite.yaml', untold)).toContain('! config.SLUICE_TRUSTED_PROXIES is not set')
    const trial = ['persistence.enabled=false', 'persistence.ephemeral=true']
    expect(await renderNotes(helm, 'sqlite.yaml', trial)).toContain('are lost with the pod')
    expect(await renderNotes(helm, 'postgres.yaml')).toContain('rollout restart deployment/release-sluice')
  })
})

describe('the values of the chart', () => {
  const validate = async () =>
    new Ajv({ strict: false }).compile(JSON.parse(await chartFile('values.schema.json')) as object)

  it('fit their schema, and so does every example', async () => {
    const isValid = await validate()
    for (const path of ['values.yaml', ...EXAMPLES.map((file) => `examples/${file}`)]) {
      expect(isValid(parse(await chartFile(path))), `${path}: ${JSON.stringify(isValid.errors)}`).toBe(true)
    }
    expect(EXAMPLES.length).toBeGreaterThanOrEqual(4)
  })

  it('are all in the schema, which accepts no other, and all explained', async () => {
    const values = readChartValues(await chartFile('values.yaml'))
    expect(values.length).toBeGreaterThan(50)
    expect(values.filter(({ text }) => text === '')).toEqual([])
    const isValid = await validate()
    for (const { path } of values) {
      const nested = (value: unknown) =>
        path.split('.').reduceRight<unknown>((inner, part) => ({ [part]: inner }), value)
      // None of our values accepts a nested list.
      expect(isValid(nested([[]])), path).toBe(false)
    }
    for (const group of ['', 'image.', 'persistence.', 'autoscaling.', 'masterKey.']) {
      const path = `${group}unheardOf`.split('.')
      expect(isValid(path.reduceRight<unknown>((inner, part) => ({ [part]: inner }), 'x')), group).toBe(false)
    }
  })

  it('are of the version of the product', async () => {
    const { version } = JSON.parse(await chartFile('../../../package.json')) as { version: string }
    expect(parse(await chartFile('Chart.yaml'))).toMatchObject({ version, appVersion: version })
  })
})
