import type { LogSum } from '@sluice/store/foreign/foreign-database'
import { findTargets } from '@sluice/store/queries/imports/imported'
import { addImportedUsage, findImportPosition, findTokensByName } from '@sluice/store/queries/imports/imported-usage'
import { LOG_TYPE } from '@sluice/store/statuses'
import { type ImportContext, ImportTrouble } from '../import-context.ts'

const SPAN = 20_000
const SECONDS_PER_DAY = 86_400
const MQ_PER_POINT = 1_000n

export interface UsageTotals {
  readonly requests: number
  /** Whole points. */
  readonly used: bigint
}

/** Counts what will be imported from the source's log: all sums of imported users. */
export async function countUsage(
  context: ImportContext,
  isUserTaken: (id: number) => boolean,
  progress: (rows: number) => void,
): Promise<UsageTotals> {
  const { report, database, name } = context
  let requests = 0
  let used = 0n
  const { sumsTo } = await findImportPosition(database.kysely, name)
  const count = (outcome: 'added' | 'unchanged') => async (sums: readonly LogSum[], span: Span) => {
    for (const sum of sums) {
      const isBrought = isUserTaken(sum.userId) && isInTime(context, sum.day)
      report.count('logs', isBrought ? outcome : 'skipped', sum.requests)
      if (!isBrought) continue
      requests += sum.requests
      used += sum.quota
    }
    reportUnusable(context, span)
    progress(span.to - span.from)
  }
  await eachSpan(context, { after: 0, until: sumsTo }, count('unchanged'))
  await eachSpan(context, { after: sumsTo }, count('added'))
  return { requests, used }
}

function reportUnusable({ report }: ImportContext, { from, to, unusable }: Span): void {
  if (unusable === 0) return
  report.count('logs', 'left_out', unusable)
  const problem = { field: 'quota', problem: `or another summed value is not a number, in ${unusable} rows` }
  report.problem('logs', `${from + 1}-${to}`, problem, 'left_out')
}

/** Adds the sums of log rows that are newer than those of the previous run. */
export async function bringUsage(context: ImportContext, progress: (rows: number) => void): Promise<void> {
  const { database, name, report } = context
  const position = await findImportPosition(database.kysely, name)
  await eachSpan(context, { after: position.sumsTo }, async (sums, span) => {
    const { from, to } = span
    const rows = await placed(
      context,
      sums.filter(({ day }) => isInTime(context, day)),
    )
    if (!(await addImportedUsage(database.kysely, name, rows, { from, to }))) {
      throw new ImportTrouble('Another process is also importing this gateway.')
    }
    const [all, added] = [requestsOf(sums), requestsOf(rows)]
    report.count('logs', 'added', added)
    report.count('logs', 'skipped', all - added)
    reportUnusable(context, span)
    progress(to - from)
  })
}

function requestsOf(sums: readonly { readonly requests: number }[]): number {
  return sums.reduce((total, { requests }) => total + requests, 0)
}

interface Span {
  readonly from: number
  readonly to: number
  readonly unusable: number
}

async function eachSpan(
  { source, columns, signal, choices }: ImportContext,
  { after, until = Number.MAX_SAFE_INTEGER }: { readonly after: number; readonly until?: number },
  each: (sums: readonly LogSum[], span: Span) => Promise<void>,
): Promise<void> {
  if (choices.logs === 'none' || !columns.has('logs')) return
  const last = Math.min(until, await source.maxKey('logs', 'id'))
  for (let from = after; from < last; from = Math.min(last, from + SPAN)) {
    signal.throwIfAborted()
    const to = Math.min(last, from + SPAN)
    const sums: LogSum[] = []
    let unusable = 0
    for await (const page of source.logSums({ table: 'logs', type: LOG_TYPE.consume, after: from, until: to })) {
      sums.push(...page.sums)
      unusable += page.unusable
    }
    await each(sums, { from, to, unusable })
  }
}

function isInTime({ choices }: ImportContext, day: number): boolean {
  return day >= Math.floor(choices.since / SECONDS_PER_DAY)
}

/** The sums under the ids of users, tokens and channels here. Leaves out users who are not imported. */
async function placed({ database, name }: ImportContext, sums: readonly LogSum[]) {
  const db = database.kysely
  const users = await findTargets(
    db,
    name,
    'user',
    sums.map(({ userId }) => userId),
  )
  const channels = await findTargets(
    db,
    name,
    'channel',
    sums.map(({ channelId }) => channelId),
  )
  const tokens = await findTokensByName(
    db,
    sums.flatMap(({ userId, tokenName }) => {
      const user = users.get(userId)
      return user === undefined ? [] : [{ userId: user, name: withoutNul(tokenName) }]
    }),
  )
  const rows = new Map<string, ReturnType<typeof rowOf>>()
  const rowOf = (sum: LogSum, user: number) => ({
    user_id: user,
    day: sum.day,
    token_id: tokens.get(`${user} ${withoutNul(sum.tokenName)}`) ?? 0,
    channel_id: channels.get(sum.channelId) ?? 0,
    model: withoutNul(sum.model),
    requests: sum.requests,
    prompt_tokens: sum.promptTokens,
    completion_tokens: sum.completionTokens,
    amount: sum.quota * MQ_PER_POINT,
  })
  for (const sum of sums) {
    const user = users.get(sum.userId)
    if (user === undefined) continue
    const row = rowOf(sum, user)
    const key = `${user} ${row.day} ${row.token_id} ${row.channel_id} ${row.model}`
    const known = rows.get(key)
    if (known === undefined) rows.set(key, row)
    else {
      known.requests += row.requests
      known.prompt_tokens += row.prompt_tokens
      known.completion_tokens += row.completion_tokens
      known.amount += row.amount
    }
  }
  return [...rows.values()]
}

/** Our databases cannot store NUL in a text. */
function withoutNul(text: string): string {
  return text.replaceAll('\0', '').toWellFormed()
}
