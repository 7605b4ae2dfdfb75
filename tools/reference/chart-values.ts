import { readFileSync } from 'node:fs'
import { isMap, isScalar, type Pair, parseDocument, stringify } from 'yaml'
import { code, page } from './markdown-page.ts'

const VALUES = new URL('../../deploy/helm/sluice/values.yaml', import.meta.url)

/** A chart value that a user may set: `image.tag`, its default as YAML, and the comment above it. */
export interface ChartValue {
  readonly path: string
  readonly fallback: string
  readonly text: string
}

export function chartReadme(): string {
  return page(
    'Helm chart',
    'Sluice on Kubernetes: one pod with a SQLite file, or replicas on your own PostgreSQL. Start from a file in [examples](examples). Secrets are ' +
      'always referenced by name, never given as values. The chart refuses settings that would lose money, and says why. [Operations](../../../docs/operations/run.md#containers-and-kubernetes) has the details.\n\n' +
      '```sh\n' +
      "openssl rand -hex 16 | tr -d '\\n' | kubectl create secret generic sluice-root --from-file=SLUICE_ROOT_PASSWORD=/dev/stdin\n" +
      'helm install sluice deploy/helm/sluice --values deploy/helm/sluice/examples/sqlite.yaml --set image.repository=registry.example.com/sluice\n' +
      '```',
    ['Value', 'Default', 'Meaning'],
    readChartValues(readFileSync(VALUES, 'utf8')).map(({ path, fallback, text }) => [code(path), code(fallback), text]),
    'Made by `npm run fix` from the comments of `values.yaml`; a stale page fails the check.\n',
  )
}

/** A map whose entries have comments is a group of values; any other is one value. */
export function readChartValues(text: string): readonly ChartValue[] {
  const { contents } = parseDocument(text)
  return isMap(contents) ? contents.items.flatMap((item) => valuesOf(item as Pair, '')) : []
}

function valuesOf({ key, value }: Pair, above: string): readonly ChartValue[] {
  if (!isScalar(key)) return []
  const path = `${above}${String(key.value)}`
  if (isMap(value) && value.items.some((item, at) => commentOf(item, at, value.commentBefore) !== '')) {
    return value.items.flatMap((item, at) =>
      valuesOf(item, `${path}.`).map((found) => ({
        ...found,
        text: found.text || commentOf(item, at, value.commentBefore),
      })),
    )
  }
  const fallback = stringify(value, { collectionStyle: 'flow', lineWidth: 0 }).trim()
  return [
    {
      path,
      fallback: fallback === '""' || fallback === "''" ? '' : fallback,
      text: commentOf({ key, value } as Pair, 1, ''),
    },
  ]
}

/** The library assigns the comment above a map's first entry to the map. */
function commentOf({ key }: Pair, at: number, ofMap: string | null | undefined): string {
  const own = isScalar(key) ? key.commentBefore : undefined
  return (own ?? (at === 0 ? ofMap : undefined) ?? '').replaceAll(/\s+/g, ' ').trim()
}
