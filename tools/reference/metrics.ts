import { METRICS } from '../../packages/observe/src/metrics/catalogue.ts'
import type { Family } from '../../packages/observe/src/metrics/family.ts'
import { code, page } from './markdown-page.ts'

/** Everything in `GET /metrics`, next to One API's equivalents. */
export function metricsPage(): string {
  const families: readonly Family[] = Object.values(METRICS)
  return page(
    'Metrics',
    '`GET /metrics` returns the metrics in Prometheus’ text format to callers whose bearer token is that of `SLUICE_METRICS_TOKEN`; if the ' +
      'variable is not set, the page does not exist. Every replica shows only its own metrics; add them up. Histograms are in seconds. A counter or gauge has at most ' +
      '1,000 series, a histogram 200; further series are counted with every label set to `other`, or left out of a gauge. No label contains a user, a key or an address. ' +
      'The last column is the closest metric of the One API fork that has metrics. Its user metrics correspond to the console and its ' +
      'exports; those of its HTTP server, database queries and Redis commands have no counterpart. `deploy/grafana/sluice.json` is a dashboard ' +
      'for Grafana.',
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
