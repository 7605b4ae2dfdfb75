import { useQuery } from '@tanstack/react-query'
import { useCall } from '~/lib/http/use-call.ts'
import { latestImportQuery } from '../calls.ts'
import { pauseBetweenLooks } from '../model/progress.ts'

/** The latest check or import, looked at again and again while it runs, whoever started it. */
export function useImportRun() {
  const query = latestImportQuery(useCall())
  return useQuery({ ...query, refetchInterval: ({ state }) => pauseBetweenLooks(state.data) })
}
