import { readdir, readFile } from 'node:fs/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { METRICS } from '../packages/observe/src/metrics/catalogue.ts'
import type { Family } from '../packages/observe/src/metrics/family.ts'

const FOLDER = new URL('../deploy/grafana/', import.meta.url)
const FAMILIES: readonly Family[] = Object.values(METRICS)
/** Labels that Prometheus adds to every series. */
const ADDED = ['instance', 'job']

interface Panel {
  readonly id: number
  readonly type: string
  readonly title: string
  readonly description?: string
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number }
  readonly targets?: readonly { readonly expr: string }[]
}
interface Dashboard {
  readonly panels: readonly Panel[]
  readonly templating: { readonly list: readonly { readonly name: string; readonly definition?: string }[] }
  readonly annotations: { readonly list: readonly { readonly expr: string }[] }
}

/** Names of the series that Prometheus stores for a family. */
const storedNames = ({ name, kind }: Family) =>
  kind === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name]
const STORED = new Map(FAMILIES.flatMap((family) => storedNames(family).map((name) => [name, family] as const)))

describe('the dashboards for Grafana', () => {
  let dashboards: readonly Dashboard[]
  let expressions: readonly string[]
  beforeAll(async () => {
    const files = await readdir(FOLDER)
    dashboards = await Promise.all(
      files.map(async (file): Promise<Dashboard> => JSON.parse(await readFile(new URL(file, FOLDER), 'utf8'))),
    )
    expressions = dashboards.flatMap(({ panels, annotations, templating }) => [
      ...panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
      ...annotations.list.map(({ expr }) => expr),
      ...templating.list.flatMap(({ definition }) => definition ?? []),
    ])
  })

  it('query metrics that exist, by labels that these have', () => {
    expect(expressions.length).toBeGreaterThan(30)
    for (const expression of expressions) {
      const named = expression.match(/\b(?:sluice|process)_\w+/g) ?? []
      expect(named.length, expression).toBeGreaterThan(0)
      const families = named.map((name) => STORED.get(name) ?? name)
      for (const family of families) expect(family, expression).toBeTypeOf('object')
      const known = new Set([
        ...ADDED,
        'le',
        ...families.flatMap((family) => (typeof family === 'string' ? [] : family.labels)),
      ])
      const grouped = [...expression.matchAll(/(?:by|on|group_left) \(([^)]*)\)/g)].flatMap(([, labels = '']) =>
        labels.split(', '),
      )
      const matched = [...expression.matchAll(/[{,]\s*(\w+)(?:=~|!=|!~|=)"/g)].map(([, label = '']) => label)
      for (const label of [...grouped, ...matched]) expect(known, `${label} in ${expression}`).toContain(label)
    }
  })

  it('show nearly all that is measured', () => {
    const shown = new Set(expressions.flatMap((expression) => expression.match(/\b(?:sluice|process)_\w+/g) ?? []))
    const left = FAMILIES.filter((family) => !storedNames(family).some((name) => shown.has(name)))
    expect(left.map(({ name }) => name)).toEqual([
      'sluice_upstream_call_duration_seconds',
      'sluice_channel_failure_ratio',
    ])
  })

  it('have panels with a title and an explanation, side by side', () => {
    for (const { panels } of dashboards) {
      expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
      const taken = new Set<string>()
      for (const { type, title, description, gridPos } of panels) {
        expect(title).not.toBe('')
        if (type !== 'row') expect(description, title).toMatch(/\.$/)
        expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24)
        for (let x = gridPos.x; x < gridPos.x + gridPos.w; x++) {
          const place = `${x} ${gridPos.y}`
          expect(taken.has(place), title).toBe(false)
          taken.add(place)
        }
      }
    }
  })
})
