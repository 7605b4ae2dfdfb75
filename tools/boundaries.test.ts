import { execFile } from 'node:child_process'
import { copyFile, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

/**
 * The import table of docs/architecture.md, one line per planted import: folder, what it imports, whether lint allows it. The lines
 * are written to a scratch tree with the real lint configuration, and linted in one run.
 */
const TABLE: readonly (readonly [file: string, imports: string, verdict: 'allowed' | 'refused'])[] = [
  ['packages/dialects/src/codec.ts', './frame.ts', 'allowed'],
  ['packages/dialects/src/codec.ts', '../frame.ts', 'allowed'],
  ['packages/dialects/src/codec.ts', 'node:crypto', 'refused'],
  ['packages/dialects/src/codec.ts', 'valibot', 'refused'],
  ['packages/dialects/src/codec.ts', '@sluice/contract/errors', 'refused'],
  ['packages/dialects/src/codec.ts', '../../contract/src/errors.ts', 'refused'],

  ['packages/contract/src/routes/token.ts', 'valibot', 'allowed'],
  ['packages/contract/src/routes/token.ts', '../scalars.ts', 'allowed'],
  ['packages/contract/src/routes/token.ts', 'node:fs', 'refused'],
  ['packages/contract/src/routes/token.ts', '@sluice/store/schema', 'refused'],

  ['packages/providers/src/kinds.ts', '@sluice/dialects/framing/sse', 'allowed'],
  ['packages/providers/src/kinds.ts', 'node:crypto', 'allowed'],
  ['packages/providers/src/kinds.ts', 'node:http', 'refused'],
  ['packages/providers/src/kinds.ts', '@sluice/store/schema', 'refused'],
  ['packages/providers/src/kinds.ts', '@sluice/contract/errors', 'refused'],

  ['packages/ledger/src/engines/sqlite.ts', '../units.ts', 'allowed'],
  ['packages/ledger/src/engines/sqlite.ts', 'node:sqlite', 'refused'],
  ['packages/ledger/src/engines/sqlite.ts', 'pg', 'refused'],
  ['packages/ledger/src/engines/sqlite.ts', 'node:crypto', 'refused'],
  ['packages/ledger/src/engines/sqlite.ts', '@sluice/contract/errors', 'refused'],
  ['packages/ledger/src/engines/sqlite.ts', '@sluice/store/schema', 'refused'],

  ['packages/store/src/queries.ts', 'kysely', 'allowed'],
  ['packages/store/src/queries.ts', 'pg', 'allowed'],
  ['packages/store/src/queries.ts', 'node:worker_threads', 'allowed'],
  ['packages/store/src/queries.ts', 'node:sqlite', 'refused'],
  ['packages/store/src/sqlite/connection.ts', 'node:sqlite', 'allowed'],
  ['packages/store/src/queries.ts', '@sluice/ledger/units', 'refused'],
  ['packages/store/src/queries.ts', '@sluice/contract/errors', 'refused'],
  ['packages/store/src/queries.ts', '@sluice/contract/fields/channel', 'allowed'],

  ['packages/store/src/queries.ts', 'mysql2', 'refused'],
  ['packages/store/src/foreign/mysql/driver.ts', 'mysql2', 'allowed'],
  ['packages/store/src/foreign/mysql/driver.ts', '../foreign-database.ts', 'allowed'],
  ['packages/store/src/foreign/mysql/driver.ts', 'node:sqlite', 'refused'],

  ['packages/routing/src/health.ts', './lane.ts', 'allowed'],
  ['packages/routing/src/health.ts', '@sluice/contract/errors', 'refused'],
  ['packages/routing/src/health.ts', 'node:crypto', 'refused'],

  ['packages/coordination/src/lease.ts', '@sluice/store/schema', 'allowed'],
  ['packages/coordination/src/lease.ts', '@redis/client', 'refused'],
  ['packages/coordination/src/engines/valkey.ts', '@redis/client', 'allowed'],
  ['packages/coordination/src/lease.ts', '@sluice/routing/health', 'allowed'],
  ['packages/coordination/src/lease.ts', '@sluice/ledger/units', 'refused'],
  ['packages/coordination/src/lease.ts', 'pg', 'refused'],

  ['packages/observe/src/health.ts', '@sluice/store/schema', 'allowed'],
  ['packages/observe/src/health.ts', '@sluice/contract/log', 'allowed'],
  ['packages/observe/src/health.ts', '@sluice/ledger/units', 'refused'],
  ['packages/observe/src/health.ts', '@sluice/testkit/emulator/models', 'refused'],

  ['apps/gateway/src/relay/upstream/dispatch.ts', '@sluice/dialects/framing/sse', 'allowed'],
  ['apps/gateway/src/relay/upstream/dispatch.ts', '@sluice/providers/kinds', 'allowed'],
  ['apps/gateway/src/relay/upstream/dispatch.ts', '@sluice/ledger/ledger', 'allowed'],
  ['apps/gateway/src/relay/upstream/dispatch.ts', '@sluice/contract/errors', 'allowed'],
  ['apps/gateway/src/relay/upstream/dispatch.ts', '@sluice/contract/routing', 'allowed'],
  ['apps/gateway/src/relay/upstream/dispatch.ts', '@sluice/routing/health', 'allowed'],
  ['apps/gateway/src/relay/upstream/dispatch.ts', 'undici', 'allowed'],
  ['apps/gateway/src/relay/upstream/dispatch.ts', 'node:http', 'allowed'],
  ['apps/gateway/src/relay/upstream/dispatch.ts', '@sluice/contract/token', 'refused'],
  ['apps/gateway/src/relay/upstream/dispatch.ts', 'hono', 'refused'],
  ['apps/gateway/src/relay/upstream/dispatch.ts', 'valibot', 'refused'],
  ['apps/gateway/src/relay/upstream/dispatch.ts', 'node:sqlite', 'refused'],
  ['apps/gateway/src/relay/upstream/dispatch.ts', '../management/tokens.ts', 'refused'],
  ['apps/gateway/src/relay/upstream/dispatch.ts', '../main.ts', 'refused'],
  ['apps/gateway/src/relay/upstream/dispatch.test.ts', '../management/tokens.ts', 'refused'],
  ['apps/gateway/src/relay/upstream/dispatch.ts', '../stages/planned.ts', 'allowed'],
  ['apps/gateway/src/relay/upstream/dispatch.ts', '../delivery/deliver.ts', 'refused'],
  ['apps/gateway/src/relay/upstream/sockets/framed-call.ts', '../dispatch.ts', 'allowed'],
  ['apps/gateway/src/relay/upstream/sockets/framed-call.ts', '../../relay.ts', 'refused'],
  ['apps/gateway/src/relay/upstream/dispatch.test.ts', '../delivery/deliver.ts', 'allowed'],
  ['apps/gateway/src/relay/not-listed/room.ts', '../calls/calls.ts', 'refused'],
  ['apps/gateway/src/relay/upstream/dispatch.test.ts', '@sluice/testkit/emulator/models', 'allowed'],

  ['apps/gateway/src/management/tokens.ts', '@sluice/contract/token', 'allowed'],
  ['apps/gateway/src/management/tokens.ts', '@sluice/store/schema', 'allowed'],
  ['apps/gateway/src/management/tokens.ts', 'hono', 'allowed'],
  ['apps/gateway/src/management/tokens.ts', '@simplewebauthn/server', 'allowed'],
  ['apps/gateway/src/management/tokens.ts', 'bcryptjs', 'allowed'],
  ['apps/gateway/src/management/tokens.ts', '@sluice/dialects/framing/sse', 'refused'],
  ['apps/gateway/src/management/tokens.ts', '@sluice/providers/kinds/all', 'allowed'],
  ['apps/gateway/src/management/tokens.ts', 'undici', 'refused'],
  ['apps/gateway/src/management/tokens.ts', '../relay/plan.ts', 'refused'],
  ['apps/gateway/src/management/tokens.ts', '@sluice/testkit/emulator/models', 'refused'],
  ['apps/gateway/src/management/tokens.test.ts', '../relay/plan.ts', 'refused'],

  ['apps/gateway/src/edge/server.ts', '../relay/relay.ts', 'refused'],
  ['apps/gateway/src/edge/server.ts', '../management/tokens.ts', 'refused'],
  ['apps/gateway/src/outbound/guarded-client.ts', '../management/ports.ts', 'refused'],
  ['apps/gateway/src/outbound/guarded-client.ts', '../relay/relay.ts', 'refused'],
  ['apps/gateway/src/outbound/guarded-client.ts', '@sluice/store/schema', 'refused'],
  ['apps/gateway/src/outbound/guarded-client.ts', './guarded-fetch.ts', 'allowed'],
  ['apps/gateway/src/outbound/guarded-client.ts', 'undici', 'allowed'],
  ['apps/gateway/src/outbound/guarded-client.ts', 'node:net', 'allowed'],
  ['apps/gateway/src/outbound/frame-socket.ts', 'ws', 'allowed'],
  ['apps/gateway/src/relay/realtime/session.ts', 'ws', 'refused'],
  ['apps/gateway/src/messages/outbox.ts', '../outbound/guarded-fetch.ts', 'allowed'],
  ['apps/gateway/src/messages/outbox.ts', '../process/logger.ts', 'allowed'],
  ['apps/gateway/src/messages/outbox.ts', 'nodemailer', 'allowed'],
  ['apps/gateway/src/messages/outbox.ts', '../management/ports.ts', 'refused'],
  ['apps/gateway/src/messages/outbox.ts', '../config.ts', 'refused'],
  ['apps/gateway/src/messages/outbox.ts', 'undici', 'refused'],
  ['apps/gateway/src/sign-in-providers/github.ts', '../outbound/guarded-fetch.ts', 'allowed'],
  ['apps/gateway/src/sign-in-providers/github.ts', 'openid-client', 'allowed'],
  ['apps/gateway/src/sign-in-providers/github.ts', '../management/ports.ts', 'refused'],
  ['apps/gateway/src/sign-in-providers/github.ts', 'undici', 'refused'],
  ['apps/gateway/src/management/ports.ts', '../messages/mail.ts', 'allowed'],
  ['apps/gateway/src/management/ports.ts', '../messages/outbox.ts', 'refused'],
  ['apps/gateway/src/management/ports.ts', '../sign-in-providers/github.ts', 'refused'],
  ['apps/gateway/src/telemetry/telemetry.ts', '@sluice/observe/metrics/metrics', 'allowed'],
  ['apps/gateway/src/telemetry/telemetry.ts', '@sluice/ledger/timers', 'allowed'],
  ['apps/gateway/src/telemetry/telemetry.ts', '../outbound/guarded-fetch.ts', 'allowed'],
  ['apps/gateway/src/telemetry/telemetry.ts', '../relay/record/record.ts', 'refused'],
  ['apps/gateway/src/telemetry/telemetry.ts', '@sluice/ledger/ledger', 'refused'],

  ['apps/gateway/src/import/run-import.ts', '@sluice/store/foreign/foreign-database', 'allowed'],
  ['apps/gateway/src/import/run-import.ts', '@sluice/providers/kinds', 'allowed'],
  ['apps/gateway/src/import/run-import.ts', './take/family.ts', 'allowed'],
  ['apps/gateway/src/import/take/take-token.ts', '../../edge/address-range.ts', 'allowed'],
  ['apps/gateway/src/import/run-import.ts', '../management/ports.ts', 'refused'],
  ['apps/gateway/src/import/bring/users.ts', '../../relay/relay.ts', 'refused'],
  ['apps/gateway/src/import/run-import.ts', '@sluice/dialects/framing/sse', 'refused'],
  ['apps/gateway/src/import/run-import.ts', 'mysql2', 'refused'],

  ['apps/gateway/src/doctor/checks/disk.ts', '@sluice/contract/findings/catalogue', 'allowed'],
  ['apps/gateway/src/doctor/checks/disk.ts', '@sluice/providers/retirement', 'allowed'],
  ['apps/gateway/src/doctor/checks/disk.ts', '../../outbound/address-guard.ts', 'allowed'],
  ['apps/gateway/src/doctor/checks/disk.ts', '../../management/ports.ts', 'refused'],
  ['apps/gateway/src/doctor/doctor.ts', '../relay/relay.ts', 'refused'],
  ['apps/gateway/src/doctor/doctor.ts', '../start/listen.ts', 'refused'],
  ['apps/gateway/src/doctor/doctor.ts', 'undici', 'refused'],
  ['apps/gateway/src/doctor/doctor.ts', 'kysely', 'refused'],
  ['apps/gateway/src/declared/compare.ts', '@sluice/providers/prices/rates', 'allowed'],
  ['apps/gateway/src/declared/document/read-document.ts', 'yaml', 'allowed'],
  ['apps/gateway/src/declared/document/read-document.ts', '../../environment/environment.ts', 'allowed'],
  ['apps/gateway/src/declared/compare.ts', '../management/ports.ts', 'refused'],
  ['apps/gateway/src/declared/document/read-document.ts', '../../relay/relay.ts', 'refused'],
  ['apps/gateway/src/declared/compare.ts', 'hono', 'refused'],

  ['apps/gateway/src/export/write-export.ts', '@sluice/store/snapshots/options', 'allowed'],
  ['apps/gateway/src/export/write-export.ts', '@sluice/ledger/units', 'allowed'],
  ['apps/gateway/src/export/write-export.ts', '@sluice/store/snapshot-reads', 'allowed'],
  ['apps/gateway/src/export/write-export.ts', '../management/ports.ts', 'refused'],
  ['apps/gateway/src/export/write-export.ts', '../import/run-import.ts', 'refused'],
  ['apps/gateway/src/export/write-export.ts', '@sluice/contract/errors', 'refused'],
  ['apps/gateway/src/export/write-export.ts', '@sluice/contract/fields/channel', 'allowed'],

  ['apps/gateway/src/backup/make-backup.ts', '@sluice/store/database', 'allowed'],
  ['apps/gateway/src/backup/make-backup.ts', '../jobs/prove-ledger.ts', 'allowed'],
  ['apps/gateway/src/backup/s3/s3-client.ts', '@sluice/providers/credentials/aws-signature', 'allowed'],
  ['apps/gateway/src/backup/s3/s3-client.ts', '../../outbound/streamed-client.ts', 'allowed'],
  ['apps/gateway/src/backup/s3/s3-client.ts', '@sluice/providers/kinds', 'refused'],
  ['apps/gateway/src/backup/s3/s3-client.ts', 'undici', 'refused'],
  ['apps/gateway/src/backup/make-backup.ts', '../relay/relay.ts', 'refused'],
  ['apps/gateway/src/backup/make-backup.ts', '../messages/mail.ts', 'refused'],
  ['apps/gateway/src/backup/s3/s3-client.ts', '../../management/ports.ts', 'refused'],
  ['apps/gateway/src/move/move-data.ts', '@sluice/store/copy/copy-tables', 'allowed'],
  ['apps/gateway/src/move/move-data.ts', '@sluice/store/snapshot-reads', 'allowed'],
  ['apps/gateway/src/move/move-data.ts', '@sluice/ledger/ledger', 'refused'],
  ['apps/gateway/src/move/move-data.ts', '../cli/halt-database.ts', 'refused'],
  ['apps/gateway/src/move/move-data.ts', '../environment/configured.ts', 'refused'],

  ['apps/gateway/src/jobs/reaper.ts', '../relay/relay.ts', 'refused'],
  ['apps/gateway/src/jobs/reaper.ts', '../management/ports.ts', 'refused'],
  ['apps/gateway/src/jobs/reaper.ts', '../messages/outbox.ts', 'refused'],
  ['apps/gateway/src/jobs/reaper.ts', '../messages/mail.ts', 'allowed'],
  ['apps/gateway/src/jobs/reaper.ts', '@sluice/store/snapshot-reads', 'allowed'],
  ['apps/gateway/src/jobs/reaper.ts', '@sluice/coordination/lease', 'allowed'],
  ['apps/gateway/src/jobs/reaper.ts', '@sluice/contract/errors', 'refused'],

  ['apps/gateway/src/channel-switch/verdict.ts', '../relay/relay.ts', 'refused'],
  ['apps/gateway/src/channel-switch/verdict.ts', '../management/ports.ts', 'refused'],
  ['apps/gateway/src/channel-switch/verdict.ts', '../messages/mail.ts', 'allowed'],
  ['apps/gateway/src/channel-switch/verdict.ts', '@sluice/routing/lane', 'allowed'],
  ['apps/gateway/src/relay/upstream/dispatch.ts', '../start/listen.ts', 'refused'],
  ['apps/gateway/src/management/ports.ts', '../start/listen.ts', 'refused'],
  ['apps/gateway/src/main.ts', './relay/relay.ts', 'allowed'],
  ['apps/gateway/src/start/listen.ts', '../relay/relay.ts', 'allowed'],
  ['apps/gateway/src/start/listen.ts', '../management/tokens.ts', 'allowed'],
  ['apps/gateway/src/main.ts', './management/tokens.ts', 'allowed'],
  ['apps/gateway/src/main.ts', '@sluice/testkit/emulator/models', 'refused'],

  ['apps/console/src/api.ts', '@sluice/contract/route', 'allowed'],
  ['apps/console/src/api.ts', 'react', 'allowed'],
  ['apps/console/src/api.ts', '@sluice/ledger/units', 'refused'],
  ['apps/console/src/api.ts', '@sluice/store/schema', 'refused'],
  ['apps/console/src/api.ts', '../../gateway/src/environment/environment.ts', 'refused'],
  ['apps/console/src/api.ts', 'node:fs', 'refused'],
  ['apps/console/src/features/logs/ui/row.tsx', '~/ui/badge.tsx', 'allowed'],
  ['apps/console/src/features/logs/ui/row.tsx', '../calls.ts', 'allowed'],
  ['apps/console/src/features/logs/ui/row.tsx', '../../../ui/badge.tsx', 'refused'],
  ['apps/console/src/features/logs/ui/row.test.ts', '../../../ui/badge.tsx', 'refused'],

  ['tools/demo/history.ts', '@sluice/testkit/emulator/models', 'allowed'],
  ['tools/demo/history.ts', 'node:sqlite', 'refused'],
  ['packages/ledger/src/ledger.test.ts', '@sluice/testkit/emulator/models', 'allowed'],
  ['packages/ledger/src/ledger.test.ts', 'node:sqlite', 'refused'],
]

/** Other house rules, each with the source that breaks it. */
const PLANTED: readonly (readonly [rule: string, file: string, source: string])[] = [
  [
    'no-explicit-any',
    'packages/contract/src/loose.ts',
    'export function loose(value: any): unknown {\n  return value\n}\n',
  ],
  ['no-non-null-assertion', 'packages/contract/src/sure.ts', 'export const first = (list: string[]) => list[0]!\n'],
  ['no-default-export', 'packages/contract/src/unnamed.ts', 'export default 1\n'],
  ['no-barrel-file', 'packages/contract/src/index.ts', "export * from './scalars.ts'\n"],
  ['max-lines', 'packages/contract/src/long.ts', 'export const line = 1\n'.repeat(1) + '// more\n'.repeat(400)],
  ['filename-case', 'packages/contract/src/NotKebab.ts', 'export const value = 1\n'],
  ['no-console', 'packages/observe/src/chatty.ts', "console.log('here')\n"],
  [
    'no-floating-promises',
    'packages/observe/src/floating.ts',
    'async function work() {}\nexport const go = () => {\n  work()\n}\n',
  ],
]

interface Finding {
  readonly rule: string
  readonly file: string
  readonly line: number
}

const IMPORT_RULES: readonly string[] = ['no-restricted-imports', 'rooms-in-order']
const ROOMS_RULE = 'tools/structure/lint-rooms.mjs'

const project = join(import.meta.dirname, '..')
let scratch = ''
let findings: readonly Finding[] = []

/** `eslint(no-restricted-imports)` → `no-restricted-imports` */
const ruleName = (code: string) => code.replace(/^.*\((.*)\)$/, '$1')

async function lint(folder: string): Promise<readonly Finding[]> {
  const bin = join(project, 'node_modules/oxlint/bin/oxlint')
  const text = await new Promise<string>((resolve) => {
    // Exit code 1 is expected: the tree is full of violations.
    execFile(process.execPath, [bin, '-f', 'json'], { cwd: folder, maxBuffer: 1 << 25 }, (_error, stdout) =>
      resolve(stdout),
    )
  })
  const report: { diagnostics: { code: string; filename: string; labels: { span: { line: number } }[] }[] } =
    JSON.parse(text)
  return report.diagnostics.map((found) => ({
    rule: ruleName(found.code),
    file: found.filename,
    line: found.labels[0]?.span.line ?? 0,
  }))
}

/** Imports of one file, in the order of the table; line n of the file is the n-th of them. */
const importsOf = (file: string) => TABLE.filter((row) => row[0] === file).map((row) => row[1])

beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'sluice-boundaries-'))
  await copyFile(join(project, '.oxlintrc.json'), join(scratch, '.oxlintrc.json'))
  await mkdir(join(scratch, 'tools/structure'), { recursive: true })
  await copyFile(join(project, ROOMS_RULE), join(scratch, ROOMS_RULE))
  await copyFile(join(project, 'tsconfig.base.json'), join(scratch, 'tsconfig.base.json'))
  await writeFile(join(scratch, 'tsconfig.json'), '{ "extends": "./tsconfig.base.json", "include": ["**/*.ts"] }')
  await symlink(join(project, 'node_modules'), join(scratch, 'node_modules'))
  for (const file of new Set(TABLE.map((row) => row[0]))) {
    await mkdir(join(scratch, dirname(file)), { recursive: true })
    const lines = importsOf(file).map((name, at) => `import type { Thing${at} } from '${name}'`)
    await writeFile(join(scratch, file), lines.join('\n') + '\n')
  }
  for (const [, file, source] of PLANTED) await writeFile(join(scratch, file), source)
  findings = await lint(scratch)
}, 60_000)

afterAll(() => rm(scratch, { recursive: true, force: true }))

describe('the import table', () => {
  it.each(TABLE)('%s importing %s is %s', (file, imports, result) => {
    const line = importsOf(file).indexOf(imports) + 1
    const refused = findings.some(
      (found) => IMPORT_RULES.includes(found.rule) && found.file === file && found.line === line,
    )
    expect(refused).toBe(result === 'refused')
  })

  it('has a row for every workspace', async () => {
    for (const kind of ['apps', 'packages']) {
      for (const name of await readdir(join(project, kind))) {
        expect(
          TABLE.some((row) => row[0].startsWith(`${kind}/${name}/`)),
          `${kind}/${name}`,
        ).toBe(true)
      }
    }
  })
})

describe('house rules', () => {
  it.each(PLANTED)('%s is refused', (rule, file) => {
    expect(findings.filter((found) => found.file === file).map((found) => found.rule)).toContain(rule)
  })
})
