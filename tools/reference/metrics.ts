import { METRICS } from '../../packages/observe/src/metrics/catalogue.ts'
import type { Family } from '../../packages/observe/src/metrics/family.ts'
import { code, page } from './markdown-page.ts'

/** Everything that `GET /metrics` shows, next to what One API has for it. */
export function metricsPage(): string {
  const families: readonly Family[] = Object.values(METRICS)
  return page(
    'Metrics',
    '`GET /metrics` returns them as text for Prometheus to callers with the token of `SLUICE_METRICS_TOKEN` as bearer; without one in the ' +
      'configuration the page does not exist. Every replica shows its own metrics; add them up. Histograms are in seconds. A counter or gauge has at most ' +
      '1,000 series, a histogram 200; further series are counted under labels that are all `other`, or left out of a gauge. No label contains a user, a key or an address. ' +
      'The last column is the nearest metric of the branch of One API that has metrics: its metrics of users correspond to the console and its ' +
      'exports; those of its HTTP server, of database queries and of Redis commands have no counterpart. A dashboard for Grafana is ' +
      '`deploy/grafana/sluice.json`.',
    ['Metric', 'Kind', 'Labels', 'Meaning', 'One API'],
    families.map(({ name, kind, labels, help, oneApi }) => [
      code(name),
      kind,
      labels.map(code).join(', '),
      help,
      oneApi
        .split(', ')
        .map((each) => code(each))
        .join(', '),
    ]),
  )
}
