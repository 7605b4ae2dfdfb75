import * as routes from '@sluice/contract/routes/messages'
import { listMessages } from '@sluice/store/queries/outbox'
import { type Binding, bind } from '../bind.ts'
import type { SharedPorts } from '../ports.ts'

export type MessageDeps = Pick<SharedPorts, 'database'>

export function messageRoutes({ database }: MessageDeps): readonly Binding[] {
  return [
    bind(routes.listOutbox, async ({ query: { p, size, state } }) => {
      const { rows, total } = await listMessages(database.kysely, state, { limit: size, offset: p * size })
      const data = rows.map(({ created, due, done, ...row }) => ({
        ...row,
        created_ms: created,
        due_ms: state === 'waiting' ? due : 0,
        done_ms: done,
      }))
      return { data, total }
    }),
  ]
}
