import { findWrong, type Invariant, joinParts, sumParts } from './invariant.ts'
import { movements, spendings } from './movements.ts'

/** Recovery should close a dead replica's hold within two rounds; an older one is wrong. */
const ORPHAN_MS = 120_000

export const POSTED: Invariant = {
  id: 'I1',
  statement: 'every account’s balance is the sum of its transfers',
  check: (read, _now, scope) =>
    findWrong(
      read,
      'select count(*) as checked from account',
      `with movement as (${movements(scope)}),
      total as (select account, ${sumParts('amount')} from movement group by account)
      select account.id, account.kind, account.owner_id, account.posted, ${joinParts()} as transfers
      from account left join total on total.account = account.id
      where account.posted <> ${joinParts()} order by account.id limit 1`,
      // A full join would find both at once, but compare every account with every other.
      `select movement.account as missing_account, movement.amount as transfer from (${movements(scope)}) movement
      left join account on account.id = movement.account where account.id is null limit 1`,
    ),
}

export const HELD: Invariant = {
  id: 'I2',
  statement: 'an account’s amount on hold is the sum of its open holds and is not negative',
  check: (read) =>
    findWrong(
      read,
      'select count(*) as checked from account',
      // Foreign keys ensure that every hold has its accounts.
      `with reserve as (select account, amount from hold union all select limit_account, amount from hold),
      total as (select account, ${sumParts('amount')} from reserve group by account)
      select account.id, account.kind, account.owner_id, account.held, ${joinParts()} as holds
      from account left join total on total.account = account.id
      where account.held < 0 or account.held <> ${joinParts()} order by account.id limit 1`,
    ),
}

export const SPENT: Invariant = {
  id: 'I3',
  statement: 'an account’s spending and request count are the sums over its charges',
  check: (read, _now, scope) =>
    findWrong(
      read,
      'select count(*) as checked from account',
      `with charge as (${spendings(scope)}),
      total as (select account, ${sumParts('amount')}, sum(request) as requests from charge group by account)
      select account.id, account.kind, account.owner_id, account.spent, account.requests, ${joinParts()} as charges,
        total.requests as charged_requests
      from account left join total on total.account = account.id
      where account.spent <> ${joinParts()} or account.requests <> coalesce(total.requests, 0)
      order by account.id limit 1`,
    ),
}

export const ORPHANS: Invariant = {
  id: 'I9',
  statement: 'no hold of a dead replica is open for more than two minutes',
  check: (read, now) =>
    findWrong(
      read,
      'select count(*) as checked from hold',
      `select hold.request_id, hold.replica, hold.amount, hold.touched_ms from hold
      left join replica on replica.id = hold.replica
      where (replica.id is null or replica.dead = 1) and hold.touched_ms < ${now - ORPHAN_MS}
      order by hold.request_id limit 1`,
    ),
}

export const ZERO_SUM: Invariant = {
  id: 'I10',
  statement: 'user and system accounts add up to zero',
  check: (read) =>
    findWrong(
      read,
      `select count(*) as checked from account where kind <> 'token'`,
      `with total as (select ${sumParts('posted')} from account where kind <> 'token')
      select ${joinParts()} as too_much from total where ${joinParts()} <> 0`,
    ),
}
