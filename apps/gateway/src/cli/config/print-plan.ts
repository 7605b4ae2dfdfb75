import type { ConfigurationChange, ConfigurationPlan, PriceEffect } from '@sluice/contract/configuration/plan'

type Print = (line: string) => void

const SIGNS = { create: '+', update: '~', remove: '-', adopt: '=', release: '°' } as const
const WORDS = {
  create: 'is made',
  update: 'is changed',
  remove: 'is removed',
  adopt: 'already matches the file and is managed by it from now on',
  release: 'is no longer in the file: it stays as it is and is released',
} as const
const VALUE_MAX = 120
const MODELS_SHOWN = 20

export function printPlan(plan: ConfigurationPlan, print: Print): void {
  const revision = plan.revision > 0 ? `, revision ${plan.revision}` : ''
  print(`Configuration file "${plan.owner}"${revision}`)
  printChanges(plan.changes, print)
  print(`${plan.unchanged} already match the file; ${plan.left_alone} are left alone.`)
  printPrices(plan.prices, print)
  print(`\nMade from state ${plan.state.slice(0, 12)}.`)
}

export function printChanges(changes: readonly ConfigurationChange[], print: Print): void {
  if (changes.length === 0) print('\nNothing to do.')
  for (const { action, kind, name, drifted, fields } of changes) {
    const drift = drifted ? ' (changed by something else since the file was applied)' : ''
    print(`\n${SIGNS[action]} ${kind} ${name} ${WORDS[action]}${drift}`)
    if (action === 'remove') continue
    for (const { field, before, after } of fields) print(`    ${field}: ${shown(before)} -> ${shown(after)}`)
  }
  print('')
}

function printPrices({ charges, complete, since, before, after, users, models }: PriceEffect, print: Print): void {
  const from = new Date(since * 1_000).toISOString().slice(0, 16).replace('T', ' ')
  if (charges === 0) {
    print(`Prices: no charge since ${from} UTC would differ.`)
    return
  }
  print(`\nPrices: ${charges} charges since ${from} UTC would differ, in quota: ${before} -> ${after}`)
  if (!complete) print('  (there were more charges than could be computed in time; these are the newest)')
  for (const { model, ...sums } of models.slice(0, MODELS_SHOWN))
    print(`  model ${model}: ${sums.before} -> ${sums.after}`)
  for (const { username, id, ...sums } of users) print(`  user ${username} (${id}): ${sums.before} -> ${sums.after}`)
}

function shown(text: string | null): string {
  if (text === null) return '(none)'
  const line = JSON.stringify(text).slice(1, -1)
  return line.length > VALUE_MAX ? `${line.slice(0, VALUE_MAX)}…` : line || '(empty)'
}
