import { LOG_SORTS } from '@sluice/contract/routes/logs'

/** The users who make the calls, and those in question. `user` has the most rows; `other` has a medium number. */
export interface Subjects {
  /** Unix seconds of the newest row. */
  readonly now: number
  readonly root: { readonly id: number; readonly username: string; readonly cookie: string }
  readonly user: { readonly id: number; readonly username: string; readonly cookie: string }
  readonly other: { readonly id: number; readonly username: string }
  /** What `user` used last. */
  readonly series: { readonly token: string; readonly model: string; readonly channel: number }
}

export interface Call {
  readonly name: string
  readonly path: string
  readonly as: 'root' | 'user'
}

const DAY = 86_400

/** Every list, filter, order, sum, search and dashboard of the specification, over typical time ranges. */
export function callsOf({ now, user, other, series }: Subjects): readonly Call[] {
  const last = (days: number, end = now + 3_600) => `start_timestamp=${end - days * DAY}&end_timestamp=${end}`
  const [week, month, year] = [last(7), last(30, now), last(365)]
  const filters: Readonly<Record<string, string>> = {
    nothing: '',
    'a common model': 'model_name=gpt-1',
    'a rare model': 'model_name=phi-6',
    'a common token name': 'token_name=default',
    'a rare token name': `token_name=app-${other.id - 1 - ((other.id - 1) % 3)}-1`,
    'a busy user': `username=${user.username}`,
    'a middling user': `username=${other.username}`,
    'a user of the past': 'username=nobody',
    'a busy channel': 'channel=1',
    charges: 'type=2',
    'management rows': 'type=3',
    'user and model': `username=${user.username}&model_name=${series.model}`,
    'user, token and channel': `username=${user.username}&token_name=${series.token}&channel=${series.channel}`,
    'model and channel': `model_name=${series.model}&channel=${series.channel}`,
    'model and type': 'model_name=gpt-1&type=5',
    'token and model': 'token_name=default&model_name=phi-6',
    'token and common model': 'token_name=default&model_name=gpt-1',
    everything: `username=${user.username}&token_name=${series.token}&model_name=${series.model}&channel=${series.channel}&type=2`,
  }
  const ownFilters = Object.entries(filters).filter(([, query]) => !/username|channel/.test(query))
  const calls: Call[] = []
  const add = (as: Call['as'], name: string, path: string, ...queries: readonly string[]) => {
    const query = queries.filter((part) => part !== '').join('&')
    calls.push({ as, name: `${as}: ${name}`, path: query === '' ? path : `${path}?${query}` })
  }

  for (const [name, query] of Object.entries(filters)) {
    add('root', `list, ${name}`, '/api/log/', query)
    add('root', `list, ${name}, a week`, '/api/log/', query, week, 'size=100')
    add('root', `sum, ${name}`, '/api/log/stat', query)
    add('root', `sum, ${name}, a year to the second`, '/api/log/stat', query, year)
    add('root', `histogram, ${name}, a day`, '/api/log/histogram', query, last(1))
    add('root', `histogram, ${name}, a week`, '/api/log/histogram', query, week)
    add('root', `histogram, ${name}, a year`, '/api/log/histogram', query, year)
  }
  for (const [name, query] of ownFilters) {
    add('user', `list, ${name}`, '/api/log/self', query)
    add('user', `list, ${name}, a week`, '/api/log/self', query, week, 'size=100')
    add('user', `sum, ${name}, a year to the second`, '/api/log/self/stat', query, year)
    add('user', `histogram, ${name}, a week`, '/api/log/self/histogram', query, week)
    add('user', `histogram, ${name}, a year`, '/api/log/self/histogram', query, year)
  }
  for (const sort of LOG_SORTS) {
    for (const order of ['asc', 'desc']) {
      const sorted = `sort=${sort}&order=${order}`
      add('root', `list by ${sort} ${order}, ever`, '/api/log/', sorted)
      add('root', `list by ${sort} ${order}, ever, page 50 of 100`, '/api/log/', sorted, 'size=100&p=50')
      add('root', `list by ${sort} ${order}, ever, page 5,000`, '/api/log/', sorted, 'p=5000')
      add('root', `list by ${sort} ${order}, ever, a common model`, '/api/log/', sorted, 'model_name=gpt-1')
      add('user', `list by ${sort} ${order}, ever`, '/api/log/self', sorted)
      add('user', `list by ${sort} ${order}, a year to the second`, '/api/log/self', sorted, year)
    }
  }
  for (const sort of ['quota', 'prompt_tokens', 'completion_tokens', 'elapsed_time']) {
    for (const order of ['asc', 'desc']) {
      add('root', `list by ${sort} ${order}, 30 days`, '/api/log/', month, `sort=${sort}&order=${order}`)
    }
    add(
      'root',
      `list by ${sort}, a common model, a week`,
      '/api/log/',
      week,
      'model_name=gpt-1',
      `sort=${sort}&order=desc`,
    )
    add(
      'root',
      `list by ${sort}, a common model, 30 days`,
      '/api/log/',
      month,
      'model_name=gpt-1',
      `sort=${sort}&order=desc`,
    )
    add('user', `list by ${sort}, 30 days`, '/api/log/self', month, `sort=${sort}&order=desc`)
  }
  add('root', 'list by quota, page 50, 30 days', '/api/log/', month, 'sort=quota&order=desc&p=50')
  add('root', 'list by time upwards', '/api/log/', 'sort=created_at&order=asc')
  add('root', 'list, page 90,000', '/api/log/', 'p=90000')
  add('root', 'list, page 9,000 of a common model', '/api/log/', 'p=9000', 'model_name=gpt-1')
  add('user', 'list, page 9,000', '/api/log/self', 'p=9000')
  for (const [name, word] of Object.entries({
    'a common word': 'rate',
    'no word at all': 'xyzzy',
    'a name': 'enabled',
  })) {
    add('root', `search, ${name}`, '/api/log/search', `keyword=${word}`)
    add('user', `search, ${name}`, '/api/log/self/search', `keyword=${word}`)
  }
  const dates = (days: number) => `from_date=${dateOf(now - (days - 1) * DAY)}&to_date=${dateOf(now)}`
  for (const days of [7, 30, 365]) {
    add('root', `dashboard of everybody, ${days} days`, '/api/user/dashboard', dates(days), 'user_id=all')
    add('root', `dashboard of a busy user, ${days} days`, '/api/user/dashboard', dates(days), `user_id=${user.id}`)
  }
  add('user', 'dashboard, 7 days', '/api/user/dashboard', dates(7))
  add('root', 'users of the dashboard', '/api/user/dashboard/users')
  return calls
}

function dateOf(seconds: number): string {
  return new Date(seconds * 1_000).toISOString().slice(0, 10)
}
