import { execFile, spawnSync } from 'node:child_process'
import { cp, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { parseAllDocuments } from 'yaml'

const execute = promisify(execFile)
export const CHART = join(import.meta.dirname, '..', '..', '..', 'deploy', 'helm', 'sluice')
/** Helm built from source assumes an old Kubernetes version. */
const KUBERNETES = '1.30.0'

export interface Manifest {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: {
    readonly name: string
    readonly labels: Readonly<Record<string, string>>
    readonly annotations?: Readonly<Record<string, string>>
  }
  // Each kind has its own fields, which the compiler checks.
  readonly spec: Readonly<Record<string, unknown>>
}

/** Path of Helm; undefined, with a printed reason, if it is missing. */
export function findHelm(): string | undefined {
  const command = process.env['SLUICE_TEST_HELM'] ?? 'helm'
  if (spawnSync(command, ['version'], { stdio: 'ignore' }).status === 0) return command
  process.stdout.write(
    'Skipped: there is no Helm to render the chart with; `go install helm.sh/helm/v3/cmd/helm@v3.22.0` builds it in about two minutes, or set SLUICE_TEST_HELM.\n',
  )
  return undefined
}

/** Renders the chart with these values files and `name=value` pairs. Rejects with Helm's message. */
export async function renderChart(
  helm: string,
  files: readonly string[],
  set: readonly string[] = [],
  chart = CHART,
): Promise<readonly Manifest[]> {
  const values = files.flatMap((file) => ['--values', join(CHART, 'examples', file)])
  const pairs = set.flatMap((pair) => [flagOf(pair), pair])
  const args = ['template', 'release', chart, '--kube-version', KUBERNETES, ...values, ...pairs]
  const { stdout } = await execute(helm, args)
  return parseAllDocuments(stdout).flatMap((document) => (document.toJS() as Manifest | null) ?? [])
}

/** Lists and maps as JSON; variables are texts. */
function flagOf(pair: string): string {
  if (/=[[{]/.test(pair)) return '--set-json'
  return pair.startsWith('config.') ? '--set-string' : '--set'
}

/** Helm's error for a combination of values; empty when it renders. */
export async function refusalOf(helm: string, files: readonly string[], set: readonly string[]): Promise<string> {
  try {
    await renderChart(helm, files, set)
    return ''
  } catch (error) {
    return error instanceof Error && 'stderr' in error ? String(error.stderr) : String(error)
  }
}

const SHOWN_NOTES = `apiVersion: v1
kind: ConfigMap
metadata: { name: notes, labels: {} }
spec: { notes: {{ tpl (.Files.Get "notes.txt") . | quote }} }
`

/** The notes that Helm shows after an installation. Helm renders them only with a cluster, so a copy of the chart does it here. */
export async function renderNotes(helm: string, file: string, set: readonly string[] = []): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-chart-'))
  try {
    await cp(CHART, folder, { recursive: true })
    await rename(join(folder, 'templates', 'NOTES.txt'), join(folder, 'notes.txt'))
    await writeFile(join(folder, 'templates', 'notes.yaml'), SHOWN_NOTES)
    const rendered = await renderChart(helm, [file], set, folder)
    return String(rendered.find(({ kind }) => kind === 'ConfigMap')?.spec['notes'])
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

export function lintChart(helm: string, file: string): Promise<{ readonly stdout: string }> {
  return execute(helm, ['lint', '--strict', CHART, '--values', join(CHART, 'examples', file)])
}

export const chartFile = (path: string): Promise<string> => readFile(join(CHART, path), 'utf8')
