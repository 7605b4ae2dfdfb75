import type { Migration } from '../migration.ts'

/**
 * On PostgreSQL `transfer`, the table that grows without limit, is kept in one part per month of its ids. A UUIDv7 begins with its
 * time, so a look-up by id, or from an id on, touches only the months it is in, and the unique key still holds for all of it. Ids
 * of another form, and those of a month without a part, are in `transfer_other`; nothing is ever refused. The months ahead are
 * added by `postgres/transfer-months.ts`. Texts compare by byte (`collate "C"`), as the time in an id does.
 */
export const partitions: Migration = {
  name: '0012-partitions',
  breaking: false,
  statements: ({ engine }) => (engine === 'sqlite' ? [] : POSTGRES),
}

const POSTGRES: readonly string[] = [
  `drop index transfer_by_referred`,
  `alter table transfer rename to transfer_whole`,
  `alter table transfer_whole drop constraint transfer_pkey`,
  `alter table transfer_whole alter column request_id type text collate "C"`,
  `create table transfer (
    like transfer_whole including defaults including constraints,
    constraint transfer_pkey primary key (request_id, kind)
  ) partition by range (request_id)`,
  `create index transfer_by_referred on transfer (refers_to) where refers_to is not null`,
  `create table transfer_other partition of transfer default`,
  // Months from 2020 on that have rows. Those after next month come from wrong clocks.
  `do $$
    declare month record;
    begin
      for month in
        select distinct date_trunc('month', to_timestamp(('x0000' || left(request_id, 12))::bit(64)::bigint / 1000.0)
          at time zone 'utc') as start
        from transfer_whole
        where request_id ~ '^[0-9a-f]{32}$' and request_id >= '016f5e66e800'
          and request_id < lpad(to_hex((extract(epoch from now() + interval '31 days') * 1000)::bigint), 12, '0')
      loop
        execute format('create table %I partition of transfer for values from (%L) to (%L)',
          'transfer_' || to_char(month.start, 'YYYY_MM'),
          lpad(to_hex((extract(epoch from month.start) * 1000)::bigint), 12, '0'),
          lpad(to_hex((extract(epoch from month.start + interval '1 month') * 1000)::bigint), 12, '0'));
      end loop;
    end $$`,
  `insert into transfer select * from transfer_whole`,
  `drop table transfer_whole`,
]
