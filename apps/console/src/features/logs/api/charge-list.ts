import { listCharges, listOwnCharges } from '@sluice/contract/routes/receipts'
import type { Call, Reply } from '../../../lib/http/call.ts'
import { EXPORT_PAGE_SIZE } from '../model/export-logs.ts'
import { filterQueryOf, type LogFilters } from '../model/log-window.ts'

/** One page of the movements behind the rows under the filters; without `logs.all` only own ones. */
export async function fetchCharges(
  call: Call,
  filters: LogFilters,
  p: number,
  seesAll: boolean,
  now: number,
  signal: AbortSignal,
): Promise<Reply<typeof listCharges>> {
  const query = { p: String(p), size: String(EXPORT_PAGE_SIZE), ...filterQueryOf(filters, seesAll, now) }
  return seesAll ? call(listCharges, { query, signal }) : call(listOwnCharges, { query, signal })
}
